package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.Contract;
import io.seriatim.SequenceDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One line of cases/sequence.jsonl; cases/README.md says how to read it.
 *
 * @param options the definition, each option as text
 * @param expected what creating the sequence and then each op is to come to
 */
record SequenceCase(String name, Map<String, String> options, List<String> ops, List<String> expected) {

    private static final String FILE = "/cases/sequence.jsonl";
    /** The variant that runs a case under the contract {@code ordered}. */
    static final String ORDERED = "ordered";

    private static final JsonMapper JSON = new JsonMapper();

    static List<SequenceCase> all() {
        try (InputStream in = Objects.requireNonNull(SequenceCase.class.getResourceAsStream(FILE))) {
            return new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .map(SequenceCase::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SequenceCase parse(String line) {
        JsonNode json = JSON.readTree(line);
        Map<String, String> options = new LinkedHashMap<>();
        json.get("options").properties().forEach(option -> options.put(option.getKey(), text(option.getValue())));
        List<String> ops = new ArrayList<>();
        json.get("ops").forEach(op -> ops.add(text(op)));
        List<String> expected = new ArrayList<>(List.of(text(json.get("create"))));
        json.get("expected").forEach(value -> expected.add(text(value)));
        return new SequenceCase(text(json.get("name")), options, ops, expected);
    }

    /** Digits as they stand in the file, beyond 64 bits too. */
    private static String text(JsonNode value) {
        return value.isString() ? value.asString() : value.toString();
    }

    /** The definition, in the given variant where the case has no cache of its own: a cache, or "ordered". */
    SequenceDefinition definition(String variant) {
        SequenceDefinition definition = SequenceDefinition.changes();
        if (!options.containsKey("cache")) {
            definition =
                    variant.equals(ORDERED) ? definition.contract(Contract.ORDERED) : definition.with("cache", variant);
        }
        for (Map.Entry<String, String> option : options.entrySet()) {
            definition = definition.with(option.getKey(), option.getValue());
        }
        return definition;
    }
}
