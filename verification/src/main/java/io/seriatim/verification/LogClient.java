package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends commands to a server and reads its logs, over HTTP. */
final class LogClient {

    static final String LOG = "shop";
    static final int PARTITIONS = 2;

    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final JsonMapper JSON = new JsonMapper();
    private static final String SHOP = """
            {"partitions":2,"kinds":{"shop":{"sequences":{"RecordID":200001}}},
             "types":{"order":{"kind":"ODoc"},"item":{"kind":"ORecord"},"customer":{"kind":"CDoc"},
                      "settings":{"kind":"CDoc","singleton":true}}}""";

    private final HttpClient http;
    private final URI server;

    LogClient(HttpClient http, URI server) {
        this.http = http;
        this.server = server;
    }

    /** What became of a command. */
    sealed interface Outcome {

        /**
         * Its event is in the log.
         *
         * @param applied whether what follows from it is said to be written
         */
        record Appended(int partition, long plogOffset, long wlogOffset, Map<Long, Long> ids, boolean applied)
                implements Outcome {}

        /** The server says that nothing happened. */
        record Refused(int status, String code, String detail) implements Outcome {

            boolean mayBeRetried() {
                return status == 503;
            }
        }

        /** Nobody knows. */
        record Unknown() implements Outcome {}
    }

    void deploy() throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(
                request("/v1/logs/" + LOG).PUT(BodyPublishers.ofString(SHOP)).build(), BodyHandlers.ofString(UTF_8));
        if (answer.statusCode() != 200 && answer.statusCode() != 201) {
            throw new IllegalStateException("the log was not deployed: " + answer.statusCode() + " " + answer.body());
        }
    }

    Outcome append(long workspace, String command, Optional<String> key) throws InterruptedException {
        HttpRequest.Builder request = request("/v1/logs/" + LOG + "/workspaces/" + workspace + "/events")
                .POST(BodyPublishers.ofString(command));
        key.ifPresent(its -> request.header("Idempotency-Key", its));
        try {
            HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString(UTF_8));
            return outcome(answer.statusCode(), JSON.readTree(answer.body()));
        } catch (ConnectException e) {
            return new Outcome.Refused(503, "NOT_SENT", String.valueOf(e.getMessage()));
        } catch (IOException | JacksonException e) {
            return new Outcome.Unknown();
        }
    }

    private static Outcome outcome(int status, JsonNode answer) {
        String code = answer.path("code").asString("");
        if (status == 201 || code.equals("REPAIR_PENDING")) {
            Map<Long, Long> ids = new TreeMap<>();
            answer.path("ids")
                    .properties()
                    .forEach(id ->
                            ids.put(Long.parseLong(id.getKey()), id.getValue().asLong()));
            return new Outcome.Appended(
                    answer.path("partition").asInt(),
                    answer.path("plogOffset").asLong(),
                    answer.path("wlogOffset").asLong(),
                    ids,
                    status == 201);
        }
        return code.equals("OUTCOME_UNKNOWN") || code.isEmpty()
                ? new Outcome.Unknown()
                : new Outcome.Refused(status, code, answer.path("detail").asString(""));
    }

    // ---- what is there

    /** A page of events. */
    record Page(List<JsonNode> events, long next) {}

    Page events(int partition, long from) throws IOException, InterruptedException {
        return page("/v1/logs/" + LOG + "/partitions/" + partition + "/events?limit=500&from=" + from);
    }

    Page workspaceEvents(long workspace, long from) throws IOException, InterruptedException {
        return page("/v1/logs/" + LOG + "/workspaces/" + workspace + "/events?limit=500&from=" + from);
    }

    private Page page(String path) throws IOException, InterruptedException {
        JsonNode page = get(path);
        return new Page(
                page.path("events").valueStream().toList(), page.path("next").asLong());
    }

    JsonNode record(long workspace, long id) throws IOException, InterruptedException {
        return get("/v1/logs/" + LOG + "/workspaces/" + workspace + "/records/" + id);
    }

    /** The report of a check. */
    JsonNode check(int partition) throws IOException, InterruptedException {
        return get(request("/v1/logs/" + LOG + "/partitions/" + partition + "/check")
                .POST(BodyPublishers.noBody())
                .build());
    }

    /** The node that has a partition, of several on one store; empty while none has it. */
    Optional<String> owner(int partition) throws IOException, InterruptedException {
        for (JsonNode each : get("/v1/cluster").path("partitions")) {
            if (each.path("partition").asInt() == partition
                    && each.path("owner").isString()) {
                return Optional.of(each.path("owner").asString());
            }
        }
        return Optional.empty();
    }

    /** Waits until every partition is ready. */
    void awaitReady() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            String status = "";
            while (!status.equals("ready")) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("partition " + partition + " is not ready: " + status);
                }
                HttpResponse<String> answer = http.send(
                        request("/v1/logs/" + LOG + "/partitions/" + partition)
                                .GET()
                                .build(),
                        BodyHandlers.ofString(UTF_8));
                status = JSON.readTree(answer.body()).path("status").asString("none yet");
            }
        }
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        return get(request(path).GET().build());
    }

    private JsonNode get(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString(UTF_8));
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(request.uri() + ": " + answer.statusCode() + " " + answer.body());
        }
        return JSON.readTree(answer.body());
    }

    /** The lines of a live tail, as long as the server sends them. */
    Stream<String> follow(int partition, long from) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        server.resolve("/v1/logs/" + LOG + "/partitions/" + partition + "/events?from=" + from))
                .header("Accept", "text/event-stream")
                .build();
        HttpResponse<Stream<String>> answer = http.send(request, BodyHandlers.ofLines());
        Optional<String> elsewhere = answer.headers().firstValue("Location");
        if (answer.statusCode() == 307 && elsewhere.isPresent()) { // another server has the partition
            answer.body().close();
            answer = http.send(
                    HttpRequest.newBuilder(URI.create(elsewhere.get()))
                            .header("Accept", "text/event-stream")
                            .build(),
                    BodyHandlers.ofLines());
        }
        if (answer.statusCode() != 200) {
            answer.body().close();
            return Stream.empty();
        }
        return answer.body();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(server.resolve(path)).timeout(WAIT).header("Content-Type", "application/json");
    }
}
