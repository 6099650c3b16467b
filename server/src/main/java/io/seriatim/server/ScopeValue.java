package io.seriatim.server;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The value of a scope on the command line: {@code KEY=VALUE}. */
record ScopeValue(String name, String value) {

    /** The values by their names; nothing if two have one name. */
    static Optional<Map<String, String>> byName(@Nullable List<ScopeValue> given) {
        Map<String, String> values = new LinkedHashMap<>();
        for (ScopeValue each : given == null ? List.<ScopeValue>of() : given) {
            if (values.put(each.name(), each.value()) != null) {
                return Optional.empty();
            }
        }
        return Optional.of(values);
    }

    static final class OfText implements ITypeConverter<ScopeValue> {
        @Override
        public ScopeValue convert(String text) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw new TypeConversionException("'" + text + "' is not KEY=VALUE");
            }
            return new ScopeValue(text.substring(0, equals), text.substring(equals + 1));
        }
    }
}
