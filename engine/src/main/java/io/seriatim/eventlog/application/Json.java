package io.seriatim.eventlog.application;

import io.seriatim.store.LogEvent;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;

/** Rows of applications are JSON in UTF-8: a log is read long after its writer is gone, and by others. */
final class Json {

    /** Its buffers belong to a thread: the one that carries out commands writes two texts for each. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .recyclerPool(JsonRecyclerPools.threadLocalPool())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(64)
                    .maxNumberLength(2_000)
                    .maxNameLength(LogEvent.MAX_BODY_BYTES) // the body is bounded: what could be written can be read
                    .build())
            .build();

    private Json() {}

    /** One object with what {@code properties} writes into it. */
    static byte[] object(Consumer<JsonGenerator> properties) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes, JsonEncoding.UTF8)) {
            out.writeStartObject();
            properties.accept(out);
            out.writeEndObject();
        }
        return bytes.toByteArray();
    }

    static void writeFields(JsonGenerator out, Fields fields) {
        out.writeStartObject();
        fields.asMap().forEach((name, field) -> {
            out.writeName(name);
            write(out, field);
        });
        out.writeEndObject();
    }

    private static void write(JsonGenerator out, @Nullable Object field) {
        if (field == null) {
            out.writeNull();
        } else if (field instanceof String text) {
            out.writeString(text);
        } else if (field instanceof Long whole) {
            out.writeNumber(whole);
        } else if (field instanceof BigDecimal decimal) {
            out.writeNumber(decimal);
        } else if (field instanceof Boolean truth) {
            out.writeBoolean(truth);
        } else if (field instanceof Reference reference) {
            out.writeStartObject();
            out.writeNumberProperty("ref", reference.id());
            out.writeEndObject();
        } else if (field instanceof List<?> list) {
            out.writeStartArray();
            list.forEach(each -> write(out, each));
            out.writeEndArray();
        } else if (field instanceof Map<?, ?> map) {
            out.writeStartObject();
            map.forEach((name, each) -> {
                out.writeName((String) name);
                write(out, each);
            });
            out.writeEndObject();
        }
    }

    /**
     * Reads one object: names with text, {@code Long}, {@code BigDecimal}, truth, null, lists and objects again.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    static Map<String, @Nullable Object> read(byte[] bytes) {
        try (JsonParser in = FACTORY.createParser(ObjectReadContext.empty(), bytes)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("not an object");
            }
            Map<String, @Nullable Object> object = readObject(in);
            if (in.nextToken() != null) {
                throw new IllegalArgumentException("something stands behind the object");
            }
            return object;
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static Map<String, @Nullable Object> readObject(JsonParser in) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (String name = in.nextName(); name != null; name = in.nextName()) {
            JsonToken unused = in.nextToken();
            object.put(name, read(in));
        }
        return object;
    }

    private static @Nullable Object read(JsonParser in) {
        return switch (in.currentToken()) {
            case VALUE_STRING -> in.getString();
            case VALUE_NUMBER_INT -> whole(in.getBigIntegerValue());
            case VALUE_NUMBER_FLOAT -> in.getDecimalValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case START_OBJECT -> readObject(in);
            case START_ARRAY -> {
                List<@Nullable Object> list = new ArrayList<>();
                while (in.nextToken() != JsonToken.END_ARRAY) {
                    list.add(read(in));
                }
                yield list;
            }
            default -> throw new IllegalArgumentException("not JSON: " + in.currentToken());
        };
    }

    private static Object whole(BigInteger number) {
        return number.bitLength() < Long.SIZE ? number.longValueExact() : new BigDecimal(number);
    }

    // ---- what a reader wants to find

    static long number(Map<String, ?> object, String name) {
        if (object.get(name) instanceof Long number) {
            return number;
        }
        throw new IllegalArgumentException("no whole number: " + name);
    }

    static String text(Map<String, ?> object, String name) {
        if (object.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("no text: " + name);
    }

    /** The texts of a list. */
    static List<String> texts(Map<String, ?> object, String name) {
        if (!(object.get(name) instanceof List<?> list)) {
            throw new IllegalArgumentException("no list: " + name);
        }
        List<String> texts = new ArrayList<>();
        for (Object each : list) {
            if (!(each instanceof String text)) {
                throw new IllegalArgumentException("not a text: in " + name);
            }
            texts.add(text);
        }
        return texts;
    }

    /** The objects of a list; none where there is no list. */
    @SuppressWarnings("unchecked") // every object that read makes has texts for names
    static List<Map<String, @Nullable Object>> objects(Map<String, ?> object, String name) {
        Object list = object.get(name);
        if (list == null) {
            return List.of();
        }
        List<Map<String, @Nullable Object>> objects = new ArrayList<>();
        if (list instanceof List<?> elements) {
            for (Object each : elements) {
                if (!(each instanceof Map)) {
                    throw new IllegalArgumentException("not an object: in " + name);
                }
                objects.add((Map<String, @Nullable Object>) each);
            }
            return objects;
        }
        throw new IllegalArgumentException("no list: " + name);
    }

    @SuppressWarnings("unchecked") // every object that read makes has texts for names
    static Map<String, @Nullable Object> objectOf(Map<String, ?> object, String name) {
        if (object.get(name) instanceof Map<?, ?> map) {
            return (Map<String, @Nullable Object>) map;
        }
        throw new IllegalArgumentException("no object: " + name);
    }
}
