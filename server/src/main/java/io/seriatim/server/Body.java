package io.seriatim.server;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The JSON body of a call, from what was given on a command line. Integers go as text: the API reads both. */
final class Body {

    /** On the command line, what null is in JSON. */
    static final String DEFAULT = "default";

    private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

    /** Adds a text, if there is one. */
    Body put(String name, @Nullable String text) {
        if (text != null) {
            fields.put(name, text);
        }
        return this;
    }

    /** Adds a text, if there is one; the word {@code default} as null. */
    Body putOrDefault(String name, @Nullable String text) {
        if (text != null) {
            fields.put(name, text.equals(DEFAULT) ? null : text);
        }
        return this;
    }

    Body put(String name, boolean value) {
        fields.put(name, value);
        return this;
    }

    String text() {
        return Json.object(out -> fields.forEach((name, value) -> {
            if (value == null) {
                out.writeNullProperty(name);
            } else if (value instanceof Boolean flag) {
                out.writeBooleanProperty(name, flag);
            } else {
                out.writeStringProperty(name, value.toString());
            }
        }));
    }

    /** The same, or empty if there are no fields. */
    String textOrNothing() {
        return fields.isEmpty() ? "" : text();
    }
}
