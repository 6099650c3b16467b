package io.seriatim.server;

import io.seriatim.ErrorCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamConstraintsException;

/**
 * The fields of the one JSON object in a request's body. Whatever is not exactly what a call takes is refused
 * with BAD_REQUEST and the name of the field.
 */
final class Fields {

    /** A value as it stood there: nested values only by their first token. */
    private record Value(JsonToken token, String text) {}

    /** Longer than any reason needs to be, and short enough to be kept with every change. */
    static final int LONGEST_TEXT = 1_000;

    private final Map<String, Value> values;

    private Fields(Map<String, Value> values) {
        this.values = values;
    }

    /** Reads an object. */
    static Fields of(String body) {
        try (JsonParser parser = Json.parser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new Refusal(Problem.badRequest("the body must be a JSON object"));
            }
            Map<String, Value> values = new LinkedHashMap<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                JsonToken token = parser.nextToken();
                Value value = new Value(token, token.isScalarValue() ? parser.getString() : "");
                parser.skipChildren();
                if (values.put(name, value) != null) {
                    throw refusal(name, "field " + Integers.shown(name) + " is given twice");
                }
            }
            if (parser.nextToken() != null) {
                throw new Refusal(Problem.badRequest("the body must be one JSON object and nothing behind it"));
            }
            return new Fields(values);
        } catch (StreamConstraintsException e) {
            throw new Refusal(Problem.badRequest("the body is nested too deeply, or a name in it is too long"));
        } catch (JacksonException e) {
            throw new Refusal(Problem.badRequest("the body is not JSON" + where(e)));
        }
    }

    /** Reads an object, or no fields from an empty body. */
    static Fields ofOptional(String body) {
        return body.isEmpty() ? new Fields(Map.of()) : of(body);
    }

    private static String where(JacksonException e) {
        return e.getLocation() == null
                ? ""
                : ": line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
    }

    /** Refuses every field but these. */
    Fields only(List<String> known) {
        return only(known, List.of());
    }

    /** Refuses every field but these; those that a later version serves by saying so. */
    Fields only(List<String> known, List<String> notServed) {
        for (String name : values.keySet()) {
            if (notServed.contains(name)) {
                throw refusal(name, "field " + name + " is not served by this version");
            }
            if (!known.contains(name)) {
                throw refusal(name, "there is no field " + Integers.shown(name) + " in this call");
            }
        }
        return this;
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    boolean isNull(String name) {
        Value value = values.get(name);
        return value != null && value.token() == JsonToken.VALUE_NULL;
    }

    /** The text of an integer, which may be beyond 64 bits. */
    Optional<String> integerText(String name) {
        return find(name).map(value -> {
            switch (value.token()) {
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT, VALUE_STRING -> {
                    if (!Integers.isInteger(value.text())) {
                        throw Integers.notAnInteger(name, value.text());
                    }
                    return value.text();
                }
                default -> throw wrongType(name, "an integer");
            }
        });
    }

    OptionalLong integer(String name) {
        return integerText(name).stream()
                .mapToLong(text -> Integers.parse(name, text))
                .findFirst();
    }

    /** An integer within limits, or what it is when it is not given. */
    long integer(String name, long otherwise, long least, long greatest) {
        return integerText(name)
                .map(text -> Integers.parse(name, text, least, greatest))
                .orElse(otherwise);
    }

    /** A text that can be kept, shown and compared: of a bounded length, in one line, and all of it Unicode. */
    Optional<String> text(String name) {
        return find(name).map(value -> {
            if (value.token() != JsonToken.VALUE_STRING) {
                throw wrongType(name, "a text");
            }
            String text = value.text();
            if (text.codePointCount(0, text.length()) > LONGEST_TEXT) {
                throw refusal(name, name + " must be at most " + LONGEST_TEXT + " characters");
            }
            if (!text.codePoints().allMatch(Fields::isShown)) {
                throw refusal(name, name + " must not hold control characters or halves of surrogate pairs");
            }
            return text;
        });
    }

    private static boolean isShown(int codePoint) {
        return !Character.isISOControl(codePoint) && Character.getType(codePoint) != Character.SURROGATE;
    }

    boolean isText(String name, String text) {
        Value value = values.get(name);
        return value != null
                && value.token() == JsonToken.VALUE_STRING
                && value.text().equals(text);
    }

    Optional<Boolean> flag(String name) {
        return find(name).map(value -> switch (value.token()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw wrongType(name, "true or false");
        });
    }

    private Optional<Value> find(String name) {
        @Nullable Value value = values.get(name);
        return Optional.ofNullable(value);
    }

    private static Refusal wrongType(String name, String wanted) {
        return refusal(name, name + " must be " + wanted);
    }

    private static Refusal refusal(String name, String detail) {
        return new Refusal(Problem.badOption(ErrorCode.BAD_REQUEST, Integers.shown(name), detail));
    }
}
