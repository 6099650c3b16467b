package io.seriatim.server;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** The JSON body of a call, from what was given on a command line. Integers go as text: the API reads both. */
final class Body {

    /** On the command line, what null is in JSON. */
    static final String DEFAULT = "default";

    private record Raw(String json) {}

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

    /** Adds an object, if it has fields. */
    Body put(String name, Body object) {
        if (!object.fields.isEmpty()) {
            fields.put(name, object);
        }
        return this;
    }

    /** Adds an object, with or without fields. */
    Body putAlways(String name, Body object) {
        fields.put(name, object);
        return this;
    }

    boolean has(String name) {
        return fields.containsKey(name);
    }

    /** Adds objects; none as an empty array. */
    Body put(String name, List<Body> objects) {
        fields.put(name, objects);
        return this;
    }

    /** Adds what is JSON already. */
    Body putJson(String name, String json) {
        fields.put(name, new Raw(json));
        return this;
    }

    /** Adds true or false, if it is one; any other text as {@link #putOrDefault}. */
    Body putFlagOrDefault(String name, @Nullable String flag) {
        return "true".equals(flag) || "false".equals(flag)
                ? put(name, Boolean.parseBoolean(flag))
                : putOrDefault(name, flag);
    }

    String text() {
        return Json.object(this::write);
    }

    void writeObject(JsonGenerator out) {
        out.writeStartObject();
        write(out);
        out.writeEndObject();
    }

    private void write(JsonGenerator out) {
        fields.forEach((name, value) -> {
            out.writeName(name);
            write(out, value);
        });
    }

    private static void write(JsonGenerator out, @Nullable Object value) {
        if (value == null) {
            out.writeNull();
        } else if (value instanceof Boolean flag) {
            out.writeBoolean(flag);
        } else if (value instanceof Body object) {
            object.writeObject(out);
        } else if (value instanceof Raw raw) {
            out.writeRawValue(raw.json());
        } else if (value instanceof List<?> objects) {
            out.writeStartArray();
            objects.forEach(object -> write(out, object));
            out.writeEndArray();
        } else {
            out.writeString(value.toString());
        }
    }

    /** The same, or empty if there are no fields. */
    String textOrNothing() {
        return fields.isEmpty() ? "" : text();
    }
}
