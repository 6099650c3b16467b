package io.seriatim.server;

import java.io.StringWriter;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** Writes JSON, and opens it for reading within bounds. */
final class Json {

    /** A definition with its format and scopes is four deep. */
    private static final int MAX_DEPTH = 16;

    /*
     * Numbers and texts are as long as the body lets them be, because a number of 60,000 digits is not bad
     * JSON but out of range. They are read as text and never become a BigInteger.
     */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(1_000)
                    .build())
            .build();

    /** Children lie at most 16 deep, each in a list in an object, and what is in their fields 12 more. */
    private static final int DEEP = 64;

    /** Numbers in the fields of records are kept digit by digit, up to 1,000. */
    private static final int LONGEST_NUMBER = 2_000;

    private static final JsonFactory DEEP_FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEP)
                    .maxNumberLength(LONGEST_NUMBER)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(1_000)
                    .build())
            .build();

    private Json() {}

    /** One object with what {@code properties} writes into it. */
    static String object(Consumer<JsonGenerator> properties) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            out.writeStartObject();
            properties.accept(out);
            out.writeEndObject();
        }
        return text.toString();
    }

    /** A property that is null where there is no text. */
    static void text(JsonGenerator out, String name, Optional<String> text) {
        if (text.isPresent()) {
            out.writeStringProperty(name, text.get());
        } else {
            out.writeNullProperty(name);
        }
    }

    /** For a body that holds what its caller likes. */
    static JsonParser deepParser(String text) {
        return DEEP_FACTORY.createParser(ObjectReadContext.empty(), text);
    }

    static JsonParser parser(String text) {
        return FACTORY.createParser(ObjectReadContext.empty(), text);
    }
}
