package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.Sequences;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.server.HttpServer;
import io.seriatim.store.CounterStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every case of cases/sequence.jsonl comes out as written over HTTP too, by the calls of docs/http.md. */
final class SequenceCasesOverHttpTest {

    private static final String LEAVE = "\"allowReuse\": true, \"reason\": \"the case goes back\"";
    private static final JsonMapper JSON = new JsonMapper();

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> memory() throws IOException {
        return outcomes(new MemoryCounterStore());
    }

    @TestFactory
    Stream<DynamicTest> rocksDb() throws IOException {
        return outcomes(RocksDbStore.open(folder));
    }

    private Stream<DynamicTest> outcomes(CounterStore store) throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Sequences sequences = Sequences.on(store);
                HttpServer server = HttpServer.start(sequences, anyPort)) {
            for (SequenceCase theCase : SequenceCase.all()) {
                List<String> outcomes = run(theCase, server.uri().resolve("/v1/sequences/" + theCase.name()));
                tests.add(DynamicTest.dynamicTest(
                        theCase.name(), () -> assertThat(outcomes).isEqualTo(theCase.expected())));
            }
        }
        return tests.stream();
    }

    private List<String> run(SequenceCase theCase, URI sequence) throws IOException {
        List<String> outcomes = new ArrayList<>();
        outcomes.add(create(theCase, sequence));
        for (String op : theCase.ops()) {
            outcomes.add(op.equals("create") ? create(theCase, sequence) : perform(op, sequence));
        }
        return outcomes;
    }

    private String create(SequenceCase theCase, URI sequence) throws IOException {
        String definition = object(theCase.options().entrySet().stream());
        return outcome(send("PUT", sequence, definition), "ok");
    }

    private String perform(String op, URI sequence) throws IOException {
        List<String> words = Arrays.asList(op.split(" "));
        return switch (words.get(0)) {
            case "next" -> {
                HttpResponse<String> answer = send("POST", URI.create(sequence + "/next"), "");
                JsonNode item = JSON.readTree(answer.body()).path("items").path(0);
                assertThat(item.path("value").toString())
                        .isEqualTo(item.path("text").asString());
                yield outcome(answer, item.path("text").asString());
            }
            case "drop" -> outcome(send("DELETE", sequence, ""), "ok");
            case "set" -> {
                String body =
                        "{\"value\": " + words.get(1) + ", \"fresh\": " + words.contains("fresh") + ", " + LEAVE + "}";
                yield outcome(send("POST", URI.create(sequence + "/restart"), body), words.get(1));
            }
            case "alter" -> {
                Stream<Map.Entry<String, String>> changes = words.subList(1, words.size()).stream()
                        .map(word -> word.split("=", 2))
                        .map(option -> Map.entry(option[0], option.length == 1 ? "null" : option[1]));
                String body = object(changes);
                yield outcome(send("PATCH", sequence, body.replaceFirst("}$", ", " + LEAVE + "}")), "ok");
            }
            default -> throw new IllegalArgumentException("no such op: " + op);
        };
    }

    /** Numbers, true and null as they are; words, such as the name of a type, as texts. */
    private static String object(Stream<Map.Entry<String, String>> options) {
        List<String> fields = options.map(option -> {
                    boolean isLiteral = option.getValue().matches("-?\\d+|true|false|null");
                    String value = isLiteral ? option.getValue() : "\"" + option.getValue() + "\"";
                    return "\"" + option.getKey() + "\": " + value;
                })
                .toList();
        return "{" + String.join(", ", fields) + "}";
    }

    private HttpResponse<String> send(String method, URI target, String body) throws IOException {
        try {
            return client.send(
                    HttpRequest.newBuilder(target)
                            .method(method, HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** The result, or the kind of the error in the words of the cases. */
    private static String outcome(HttpResponse<String> answer, String result) {
        if (answer.statusCode() < 300) {
            return result;
        }
        JsonNode problem = JSON.readTree(answer.body());
        assertThat(problem.path("status").asInt()).isEqualTo(answer.statusCode());
        String code = problem.path("code").asString();
        return switch (answer.statusCode() + " " + code) {
            case "400 BAD_OPTION" -> "bad-option";
            case "400 OUT_OF_RANGE" -> "out-of-range";
            case "404 NOT_FOUND" -> "not-found";
            case "409 ALREADY_EXISTS" -> "already-exists";
            case "409 EXHAUSTED" -> "limit-" + problem.path("limit").asString();
            default -> answer.statusCode() + " " + answer.body();
        };
    }
}
