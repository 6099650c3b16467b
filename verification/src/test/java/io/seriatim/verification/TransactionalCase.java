package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.SequenceDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One line of cases/transactional.jsonl; cases/README.md says how to read it.
 *
 * @param expected what each op is to come to
 */
record TransactionalCase(String name, SequenceDefinition definition, List<String> ops, List<String> expected) {

    private static final String FILE = "/cases/transactional.jsonl";
    private static final JsonMapper JSON = new JsonMapper();

    static List<TransactionalCase> all() {
        try (InputStream in = Objects.requireNonNull(TransactionalCase.class.getResourceAsStream(FILE))) {
            return new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .map(TransactionalCase::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TransactionalCase parse(String line) {
        JsonNode json = JSON.readTree(line);
        SequenceDefinition definition = SequenceDefinition.ascending();
        for (Map.Entry<String, JsonNode> option : json.get("options").properties()) {
            definition = definition.with(option.getKey(), text(option.getValue()));
        }
        List<String> ops = new ArrayList<>();
        json.get("ops").forEach(op -> ops.add(text(op)));
        List<String> expected = new ArrayList<>();
        json.get("expected").forEach(value -> expected.add(text(value)));
        return new TransactionalCase(text(json.get("name")), definition, ops, expected);
    }

    private static String text(JsonNode value) {
        return value.isString() ? value.asString() : value.toString();
    }
}
