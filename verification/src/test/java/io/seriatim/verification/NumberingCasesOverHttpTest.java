package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.Sequences;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.server.HttpServer;
import io.seriatim.store.CounterStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Every case of cases/numbering.jsonl comes out as written over HTTP too, by the calls of docs/http.md: with the instant in
 * the call on one store, and by the clock of the server on the other.
 */
final class NumberingCasesOverHttpTest {

    /** What has to do with several processes, or with the caller's own transaction: cases for Java only. */
    private static final Set<String> OF_JAVA = Set.of("crash", "shutdown", "rollback");

    private static final JsonMapper JSON = new JsonMapper();

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private static boolean isForHttp(NumberingCase each) {
        return each.ops().stream()
                .noneMatch(op -> op.has("node") || OF_JAVA.contains(op.get("op").asString()));
    }

    private static List<NumberingCase> cases() {
        return NumberingCase.all().stream()
                .filter(NumberingCasesOverHttpTest::isForHttp)
                .toList();
    }

    @Test
    void cases_forHttp_areAllThere() {
        assertThat(NumberingCase.all()).hasSize(87);
        assertThat(cases()).hasSize(82);
    }

    /** Were a case passed over because nobody knows its op, it would look served. */
    @Test
    void run_opThatNobodyKnows_fails() throws IOException {
        try (Server server = new Server(new MemoryCounterStore(), When.IN_THE_CALL)) {
            NumberingCase known = cases().get(0);
            ObjectNode op = JSON.createObjectNode().put("op", "renumber");
            NumberingCase unknown = new NumberingCase("N999", "unknown", known.define(), List.of(op));
            assertThatThrownBy(() -> server.run(unknown)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @TestFactory
    Stream<DynamicTest> memory_withTheInstantInTheCall() throws IOException {
        return outcomes(new MemoryCounterStore(), When.IN_THE_CALL);
    }

    @TestFactory
    Stream<DynamicTest> rocksDb_byTheClockOfTheServer() throws IOException {
        return outcomes(RocksDbStore.open(folder), When.BY_THE_CLOCK);
    }

    private Stream<DynamicTest> outcomes(CounterStore store, When when) throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        try (Server server = new Server(store, when)) {
            for (NumberingCase each : cases()) {
                List<String> outcomes = server.run(each);
                tests.add(DynamicTest.dynamicTest(
                        each.id() + " " + each.title(),
                        () -> assertThat(outcomes).isEqualTo(expected(each))));
            }
        }
        return tests.stream();
    }

    private static List<String> expected(NumberingCase each) {
        List<String> expected = new ArrayList<>();
        expected.add(NumberingCase.text(each.define(), "error")
                .map(error -> error
                        + NumberingCase.text(each.define(), "pos")
                                .map(pos -> " at " + pos)
                                .orElse(""))
                .orElse("ok"));
        for (JsonNode op : each.ops()) {
            expected.add(NumberingCase.text(op, "error").orElseGet(() -> expectedNumbers(op.path("expect"))));
        }
        return expected;
    }

    private static String expectedNumbers(JsonNode expect) {
        return expect.isArray()
                ? String.join(" ", expect.valueStream().map(JsonNode::asString).toList())
                : expect.asString("ok");
    }

    /** How a server learns the instant of a call. */
    private enum When {
        IN_THE_CALL,
        BY_THE_CLOCK
    }

    private final class Server implements AutoCloseable {

        private final SetClock clock = new SetClock(1);
        private final Sequences sequences;
        private final HttpServer http;
        private final When when;

        Server(CounterStore store, When when) throws IOException {
            this.sequences = Sequences.on(store, clock, Duration.ofSeconds(5));
            this.http = HttpServer.start(sequences, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            this.when = when;
        }

        List<String> run(NumberingCase each) throws IOException {
            String sequence = "/v1/sequences/" + each.id();
            List<String> outcomes = new ArrayList<>();
            HttpResponse<String> defined = send("PUT", sequence, definition(each), Map.of());
            JsonNode position = JSON.readTree(defined.body()).path("position");
            outcomes.add(outcome(defined, "ok") + (position.isNumber() ? " at " + position : ""));
            Reservations held = new Reservations(sequence, new ArrayList<>());
            for (JsonNode op : each.ops()) {
                outcomes.add(perform(each, held, op));
            }
            return outcomes;
        }

        private String perform(NumberingCase each, Reservations held, JsonNode op) throws IOException {
            String sequence = held.sequence();
            return switch (op.get("op").asString()) {
                case "next" -> numbers(send("POST", sequence + "/next", asked(op), key(op)));
                case "peek" -> number(send("GET", sequence + "/peek" + query(asked(op)), JSON.nullNode(), Map.of()));
                case "setnext" -> {
                    ObjectNode body = copied(op, "value", "period");
                    body.put("fresh", true).put("allowReuse", true).put("reason", "the case allows it");
                    yield outcome(send("POST", sequence + "/restart", body, Map.of()), "ok");
                }
                case "retemplate" -> {
                    ObjectNode body = JSON.createObjectNode().set("format", copied(op, "template"));
                    yield outcome(send("PATCH", sequence, body, Map.of()), "ok");
                }
                case "reserve" -> {
                    HttpResponse<String> answer = send("POST", sequence + "/reservations", asked(op), key(op));
                    held.ids().add(JSON.readTree(answer.body()).path("id").asString(""));
                    yield op.has("expect") ? number(answer) : outcome(answer, "ok");
                }
                case "confirm", "cancel" -> outcome(send("POST", held.path(op), JSON.nullNode(), Map.of()), "ok");
                case "void" -> {
                    String number =
                            sequence + "/numbers/" + encoded(op.get("number").asString());
                    yield outcome(send("POST", number + "/void", copied(op, "reason"), Map.of()), "ok");
                }
                case "state" -> {
                    String number =
                            sequence + "/numbers/" + encoded(op.get("number").asString());
                    HttpResponse<String> answer = send("GET", number, JSON.nullNode(), Map.of());
                    yield outcome(
                            answer, JSON.readTree(answer.body()).path("state").asString(""));
                }
                case "gaps" -> {
                    ObjectNode parameters = copied(op, "period", "scope");
                    parameters.put("all", !each.mode().equals(Optional.of("gapless")));
                    yield gaps(send("GET", sequence + "/gaps" + query(parameters), JSON.nullNode(), Map.of()));
                }
                case "close" -> {
                    String period =
                            sequence + "/periods/" + encoded(op.path("period").asString(""));
                    ObjectNode body = copied(op, "scope").put("reason", "the case closes it");
                    yield outcome(send("POST", period + "/close", body, Map.of()), "ok");
                }
                default -> throw new IllegalArgumentException("no such op: " + op);
            };
        }

        /** What a call for a number says; it leaves the instant to the clock where that is wanted. */
        private ObjectNode asked(JsonNode op) {
            ObjectNode body = copied(op, "at", "date", "scope", "count");
            if (when == When.BY_THE_CLOCK && body.has("at")) {
                clock.set(Instant.parse(body.remove("at").asString()));
            }
            return body;
        }

        private HttpResponse<String> send(String method, String target, JsonNode body, Map<String, String> headers)
                throws IOException {
            HttpRequest.Builder request = HttpRequest.newBuilder(http.uri().resolve(target))
                    .method(
                            method,
                            body.isNull()
                                    ? HttpRequest.BodyPublishers.noBody()
                                    : HttpRequest.BodyPublishers.ofString(body.toString()));
            headers.forEach(request::header);
            try {
                return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted", e);
            }
        }

        @Override
        public void close() {
            http.close();
            sequences.close();
        }
    }

    /**
     * The reservations of a case.
     *
     * @param sequence its path
     * @param ids in the order in which they were made: r1 is the first
     */
    private record Reservations(String sequence, List<String> ids) {

        String path(JsonNode op) {
            int index = Integer.parseInt(op.get("handle").asString().substring(1)) - 1;
            return sequence + "/reservations/" + ids.get(index) + "/"
                    + op.get("op").asString();
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    private static String gaps(HttpResponse<String> answer) {
        List<String> values = new ArrayList<>();
        for (JsonNode gap : JSON.readTree(answer.body()).path("gaps")) {
            for (long value = gap.get("first").asLong();
                    value <= gap.get("last").asLong();
                    value++) {
                values.add(Long.toString(value));
            }
        }
        return outcome(answer, String.join(" ", values));
    }

    /** The definition of a case in the words of docs/http.md. */
    private static ObjectNode definition(NumberingCase each) {
        JsonNode def = each.define().get("def");
        ObjectNode body = copied(def, "start");
        NumberingCase.text(def, "step").ifPresent(step -> body.put("increment", step));
        NumberingCase.text(def, "block")
                .ifPresent(block -> body.put("contract", "fast").put("cache", block));
        each.mode().ifPresent(mode -> body.put("contract", mode.equals("block") ? "fast" : mode));
        ObjectNode format = copied(
                def,
                "template",
                "reset",
                "zone",
                "fiscalStart",
                "scopes",
                "maxLength",
                "charset",
                "reservationSeconds");
        NumberingCase.text(def, "order").ifPresent(policy -> format.put("policy", policy));
        return body.set("format", format);
    }

    private static ObjectNode copied(JsonNode from, String... names) {
        ObjectNode copy = JSON.createObjectNode();
        for (String name : names) {
            if (from.has(name)) {
                copy.set(name, from.get(name));
            }
        }
        return copy;
    }

    private static String query(ObjectNode asked) {
        Map<String, String> parameters = new TreeMap<>();
        asked.properties().forEach(field -> {
            if (field.getValue().isObject()) {
                field.getValue()
                        .properties()
                        .forEach(scope -> parameters.put(
                                "scope." + scope.getKey(), scope.getValue().asString()));
            } else {
                parameters.put(field.getKey(), field.getValue().asString());
            }
        });
        List<String> pairs = new ArrayList<>();
        parameters.forEach((name, value) -> pairs.add(name + "=" + URLEncoder.encode(value, UTF_8)));
        return pairs.isEmpty() ? "" : "?" + String.join("&", pairs);
    }

    private static Map<String, String> key(JsonNode op) {
        return NumberingCase.text(op, "idempotencyKey")
                .map(key -> Map.of("Idempotency-Key", key))
                .orElse(Map.of());
    }

    private static String numbers(HttpResponse<String> answer) {
        List<String> texts = JSON.readTree(answer.body()).path("items").findValuesAsString("text");
        return outcome(answer, String.join(" ", texts));
    }

    private static String number(HttpResponse<String> answer) {
        return outcome(answer, JSON.readTree(answer.body()).path("text").asString(""));
    }

    /** The result, or the code of the problem. */
    private static String outcome(HttpResponse<String> answer, String result) {
        if (answer.statusCode() < 300) {
            return result;
        }
        JsonNode problem = JSON.readTree(answer.body());
        assertThat(problem.path("status").asInt()).isEqualTo(answer.statusCode());
        return Optional.of(problem.path("code").asString(""))
                .filter(code -> !code.isEmpty())
                .orElse(answer.body());
    }
}
