package io.seriatim.server;

import io.seriatim.ErrorCode;
import java.util.ArrayList;
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
 * The fields of the one JSON object in a request's body, or of an object in it. Whatever is not exactly what a call
 * takes is refused with BAD_REQUEST and the way to the field, such as {@code format.scopes[0].max}.
 */
final class Fields {

    /** A value as it stood there: an object or array by its first token, and as the JSON that it is. */
    private record Value(JsonToken token, String text) {}

    /** Longer than any reason needs to be, and short enough to be kept with every change. */
    static final int LONGEST_TEXT = 1_000;

    /** What stands before the name of a field on the way to it; empty in the body itself. */
    private final String path;

    private final Map<String, Value> values;

    private Fields(String path, Map<String, Value> values) {
        this.path = path;
        this.values = values;
    }

    /** Reads an object. */
    static Fields of(String body) {
        return of("", body);
    }

    private static Fields of(String path, String body) {
        try (JsonParser parser = Json.parser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new Refusal(Problem.badRequest("the body must be a JSON object"));
            }
            Map<String, Value> values = new LinkedHashMap<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                parser.nextToken();
                if (values.put(name, value(parser, body)) != null) {
                    String way = Integers.shown(path + name);
                    throw refusal(way, "field " + way + " is given twice");
                }
            }
            if (parser.nextToken() != null) {
                throw new Refusal(Problem.badRequest("the body must be one JSON object and nothing behind it"));
            }
            return new Fields(path, values);
        } catch (StreamConstraintsException e) {
            throw new Refusal(Problem.badRequest("the body is nested too deeply, or a name in it is too long"));
        } catch (JacksonException e) {
            throw new Refusal(Problem.badRequest("the body is not JSON" + where(e)));
        }
    }

    /** Leaves the parser at the end of the value. */
    private static Value value(JsonParser parser, String body) {
        JsonToken token = parser.currentToken();
        if (token.isScalarValue()) {
            return new Value(token, parser.getString());
        }
        long from = parser.currentTokenLocation().getCharOffset();
        parser.skipChildren();
        long until = parser.currentLocation().getCharOffset();
        return new Value(token, body.substring(Math.toIntExact(from), Math.toIntExact(until)));
    }

    /** Reads an object, or no fields from an empty body. */
    static Fields ofOptional(String body) {
        return body.isEmpty() ? new Fields("", Map.of()) : of(body);
    }

    static String where(JacksonException e) {
        return e.getLocation() == null
                ? ""
                : ": line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
    }

    /** Refuses every field but these. */
    Fields only(List<String> known) {
        for (String name : values.keySet()) {
            if (!known.contains(name)) {
                throw refused(name, "there is no field " + path(name) + " in this call");
            }
        }
        return this;
    }

    /** The names of the fields that are there, in their order. */
    List<String> names() {
        return List.copyOf(values.keySet());
    }

    boolean isObject(String name) {
        Value value = values.get(name);
        return value != null && value.token() == JsonToken.START_OBJECT;
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
                        throw Integers.notAnInteger(path(name), value.text());
                    }
                    return value.text();
                }
                default -> throw wrongType(name, "an integer");
            }
        });
    }

    OptionalLong integer(String name) {
        return integerText(name).stream()
                .mapToLong(text -> Integers.parse(path(name), text))
                .findFirst();
    }

    /** An integer within limits, or what it is when it is not given. */
    long integer(String name, long otherwise, long least, long greatest) {
        return integerText(name)
                .map(text -> Integers.parse(path(name), text, least, greatest))
                .orElse(otherwise);
    }

    /** A text that can be kept, shown and compared: of a bounded length, in one line, and all of it Unicode. */
    Optional<String> text(String name) {
        Optional<String> text = anyText(name);
        if (!text.orElse("").codePoints().allMatch(Fields::isShown)) {
            throw refused(name, path(name) + " must not hold control characters or halves of surrogate pairs");
        }
        return text;
    }

    /** A text of a bounded length, whatever its characters. */
    Optional<String> anyText(String name) {
        return find(name).map(value -> {
            if (value.token() != JsonToken.VALUE_STRING) {
                throw wrongType(name, "a text");
            }
            String text = value.text();
            if (text.codePointCount(0, text.length()) > LONGEST_TEXT) {
                throw refused(name, path(name) + " must be at most " + LONGEST_TEXT + " characters");
            }
            return text;
        });
    }

    /** Every field by its name, each a text, whatever its characters. */
    Map<String, String> anyTexts() {
        Map<String, String> texts = new LinkedHashMap<>();
        values.keySet().forEach(name -> texts.put(name, anyText(name).orElseThrow()));
        return texts;
    }

    /** The fields of an object. */
    Optional<Fields> object(String name) {
        return find(name).map(value -> {
            if (value.token() != JsonToken.START_OBJECT) {
                throw wrongType(name, "an object");
            }
            return of(path(name) + ".", value.text());
        });
    }

    /** The fields of each object in an array. */
    Optional<List<Fields>> objects(String name) {
        return find(name).map(value -> {
            if (value.token() != JsonToken.START_ARRAY) {
                throw wrongType(name, "an array of objects");
            }
            return elements(name, value.text());
        });
    }

    private List<Fields> elements(String name, String array) {
        List<Fields> elements = new ArrayList<>();
        try (JsonParser parser = Json.parser(array)) {
            parser.nextToken();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                String element = name + "[" + elements.size() + "]";
                Value value = value(parser, array);
                if (value.token() != JsonToken.START_OBJECT) {
                    throw wrongType(element, "an object");
                }
                elements.add(of(path(element) + ".", value.text()));
            }
        }
        return elements;
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

    /** The way to a field, short enough to be sent back. */
    String path(String name) {
        return Integers.shown(path + name);
    }

    private Refusal wrongType(String name, String wanted) {
        return refused(name, path(name) + " must be " + wanted);
    }

    /** A call that leaves out what it must have. */
    Refusal required(String name) {
        return refused(name, "field " + path(name) + " is required");
    }

    Refusal refused(String name, String detail) {
        return refusal(path(name), detail);
    }

    private static Refusal refusal(String way, String detail) {
        return new Refusal(Problem.badOption(ErrorCode.BAD_REQUEST, way, detail));
    }
}
