package io.seriatim.server;

import io.seriatim.SequenceDefinition;
import io.seriatim.SequenceState;
import io.seriatim.numbering.FormatDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Definitions and states of sequences as JSON. */
final class SequenceJson {

    static final String FORMAT = "format";

    private SequenceJson() {}

    /** Reads a definition: one object, flat but for the format. */
    static NewSequence definition(String body) {
        Fields fields = Fields.of(body);
        refuseUnknown(fields, List.of());
        return new NewSequence(options(fields), format(fields).map(FormatJson::read));
    }

    /** The format that is given; nothing where there is none or null. */
    static Optional<Fields> format(Fields fields) {
        return fields.isNull(FORMAT) ? Optional.empty() : fields.object(FORMAT);
    }

    /** Refuses every field but the options and these. */
    static void refuseUnknown(Fields fields, List<String> more) {
        List<String> known = new ArrayList<>(SequenceDefinition.optionNames());
        known.add(FORMAT);
        known.addAll(more);
        fields.only(known);
    }

    /** The options among the fields; null wishes an option back to its default. */
    static SequenceDefinition options(Fields fields) {
        SequenceDefinition definition = SequenceDefinition.changes();
        for (String option : SequenceDefinition.optionNames()) {
            if (fields.has(option)) {
                definition = definition.with(option, fields.isNull(option) ? null : text(fields, option));
            }
        }
        return definition;
    }

    /** Each option comes in its own JSON type, so that {@code "cycle": "false"} cannot be mistaken. */
    private static @Nullable String text(Fields fields, String option) {
        return switch (option) {
            case "contract", "type" -> fields.text(option).orElseThrow();
            case "cycle" -> Boolean.toString(fields.flag(option).orElseThrow());
            case "cache" ->
                fields.isText(option, "auto")
                        ? "auto"
                        : fields.integerText(option).orElseThrow();
            default -> fields.integerText(option).orElseThrow();
        };
    }

    /** Writes the properties of a state. */
    static void write(JsonGenerator out, SequenceState state) {
        out.writeStringProperty("name", state.name());
        Map<String, String> options = state.definition().options();
        for (String option : SequenceDefinition.optionNames()) {
            String text = options.get(option);
            if (text != null) {
                out.writeName(option);
                writeOption(out, option, text);
            }
        }
        if (state.warnAt().isEmpty()) {
            out.writeNullProperty("warnAt");
        }
        FormatDefinition.in(state.definition()).ifPresent(format -> FormatJson.write(out, format));
        writeValue(out, "lastValue", state.lastValue());
        writeValue(out, "highWaterMark", state.highWaterMark());
        out.writeNumberProperty("generation", state.generation());
        state.remaining()
                .ifPresentOrElse(
                        remaining -> out.writeStringProperty("remaining", remaining.toString()),
                        () -> out.writeNullProperty("remaining"));
        writeDays(out, state.daysLeft());
        out.writeStringProperty("created", state.created().toString());
        out.writeStringProperty("modified", state.modified().toString());
    }

    private static void writeOption(JsonGenerator out, String option, String text) {
        switch (option) {
            case "cycle" -> out.writeBoolean(Boolean.parseBoolean(text));
            case "contract", "type" -> out.writeString(text);
            default -> {
                if (Integers.isInteger(text)) {
                    out.writeNumber(Long.parseLong(text));
                } else {
                    out.writeString(text);
                }
            }
        }
    }

    /** With one digit behind the point, rounded down: nobody is to think that there is more time. */
    static void writeDays(JsonGenerator out, OptionalDouble daysLeft) {
        if (daysLeft.isPresent()) {
            out.writeNumberProperty("daysLeft", Math.floor(daysLeft.getAsDouble() * 10) / 10);
        } else {
            out.writeNullProperty("daysLeft");
        }
    }

    private static void writeValue(JsonGenerator out, String name, OptionalLong value) {
        if (value.isPresent()) {
            out.writeNumberProperty(name, value.getAsLong());
        } else {
            out.writeNullProperty(name);
        }
    }
}
