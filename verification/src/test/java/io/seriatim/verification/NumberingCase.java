package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.numbering.FormatDefinition;
import io.seriatim.numbering.LetterCase;
import io.seriatim.numbering.Scope;
import io.seriatim.numbering.ValueRange;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One line of cases/numbering.jsonl; cases/README.md says how to read it.
 *
 * @param define the first op: a definition, and the error that it is to be refused with
 * @param ops what follows
 */
record NumberingCase(String id, String title, JsonNode define, List<JsonNode> ops) {

    private static final String FILE = "/cases/numbering.jsonl";
    private static final JsonMapper JSON = new JsonMapper();

    static List<NumberingCase> all() {
        try (InputStream in = Objects.requireNonNull(NumberingCase.class.getResourceAsStream(FILE))) {
            return new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .map(NumberingCase::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static NumberingCase parse(String line) {
        JsonNode json = JSON.readTree(line);
        List<JsonNode> ops = new ArrayList<>();
        json.get("ops").forEach(ops::add);
        return new NumberingCase(
                json.get("id").asString(), json.get("title").asString(), ops.get(0), ops.subList(1, ops.size()));
    }

    static Optional<String> text(JsonNode op, String name) {
        return op.has(name) ? Optional.of(op.get(name).asString()) : Optional.empty();
    }

    static Map<String, String> scope(JsonNode op) {
        Map<String, String> scope = new LinkedHashMap<>();
        if (op.has("scope")) {
            op.get("scope")
                    .properties()
                    .forEach(entry -> scope.put(entry.getKey(), entry.getValue().asString()));
        }
        return scope;
    }

    /** The mode and the step have other names in the cases; what they are for is not the format's business. */
    Optional<String> mode() {
        return text(define.get("def"), "mode");
    }

    ValueRange values() {
        JsonNode def = define.get("def");
        ValueRange values = ValueRange.ascending();
        values = def.has("start") ? values.start(def.get("start").asLong()) : values;
        return def.has("step") ? values.increment(def.get("step").asLong()) : values;
    }

    FormatDefinition format() {
        JsonNode def = define.get("def");
        FormatDefinition format = FormatDefinition.of(def.get("template").asString());
        format = text(def, "reset").map(format::reset).orElse(format);
        format = text(def, "zone").map(format::zone).orElse(format);
        format = text(def, "fiscalStart").map(format::fiscalStart).orElse(format);
        format = text(def, "charset").map(format::charset).orElse(format);
        format = def.has("maxLength") ? format.maxLength(def.get("maxLength").asInt()) : format;
        format = text(def, "order").map(format::policy).orElse(format);
        format = def.has("reservationSeconds")
                ? format.reservationSeconds(def.get("reservationSeconds").asInt())
                : format;
        if (def.has("scopes")) {
            for (JsonNode scope : def.get("scopes")) {
                format = format.scope(scopeOf(scope));
            }
        }
        return format;
    }

    private static Scope scopeOf(JsonNode json) {
        Scope scope = Scope.of(json.get("name").asString(), json.get("max").asInt());
        scope = json.has("fixed") && json.get("fixed").asBoolean() ? scope.ofFixedLength() : scope;
        scope = text(json, "alphabet").map(scope::alphabet).orElse(scope);
        return text(json, "case")
                .map(name -> LetterCase.valueOf(name.toUpperCase(Locale.ROOT)))
                .map(scope::letterCase)
                .orElse(scope);
    }
}
