package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.verification.HistoryEvent.Contract;
import io.seriatim.verification.HistoryEvent.Run;
import io.seriatim.verification.HistoryEvent.State;
import io.seriatim.verification.HistoryEvent.Wish;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls a server over HTTP, and keeps apart what was answered, what was refused and what nobody knows. */
final class SequenceClient {

    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final JsonMapper JSON = new JsonMapper();

    private final HttpClient http;
    private final URI server;

    SequenceClient(HttpClient http, URI server) {
        this.http = http;
        this.server = server;
    }

    static HttpClient newHttp() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(WAIT)
                .build();
    }

    /** What became of a call. */
    sealed interface Outcome {
        /**
         * The call was answered.
         *
         * @param generation empty where the answer does not say it
         */
        record Values(OptionalLong generation, List<Run> runs) implements Outcome {}

        /**
         * A change was made.
         *
         * @param state empty after a drop
         */
        record Altered(Optional<State> state) implements Outcome {}

        /** The server says that nothing was taken, and why. */
        record Refused(int status, String code, String detail) implements Outcome {}

        /** There was no server to send it to. */
        record NotSent() implements Outcome {}

        /** It may have been answered, and the answer got lost. */
        record Unknown() implements Outcome {}
    }

    /** Takes values. */
    Outcome take(String sequence, Wish wish, long count, long increment) throws InterruptedException {
        return take(sequence, wish, count, increment, Optional.empty());
    }

    /** Takes values, once for all calls with the same key. */
    Outcome take(String sequence, Wish wish, long count, long increment, Optional<String> key)
            throws InterruptedException {
        String call = wish == Wish.EXACTLY ? "/next" : "/blocks";
        String body = wish == Wish.EXACTLY && count == 1 ? "" : "{\"count\":" + count + "}";
        try {
            HttpResponse<String> response = send("POST", "/v1/sequences/" + sequence + call, body, key);
            JsonNode json = JSON.readTree(response.body());
            if (response.statusCode() != 200) {
                return refused(response.statusCode(), json);
            }
            return wish == Wish.EXACTLY ? values(json, increment) : block(json);
        } catch (ConnectException e) {
            return new Outcome.NotSent();
        } catch (IOException e) {
            return new Outcome.Unknown();
        }
    }

    private static Outcome refused(int status, JsonNode problem) {
        return new Outcome.Refused(
                status,
                problem.path("code").asString("-"),
                problem.path("detail").asString(""));
    }

    /** Sends a change of a sequence. */
    Outcome change(String method, String path, String body) throws InterruptedException {
        try {
            HttpResponse<String> response = send(method, "/v1/sequences/" + path, body);
            if (response.statusCode() == 204) {
                return new Outcome.Altered(Optional.empty());
            }
            JsonNode json = JSON.readTree(response.body());
            if (response.statusCode() != 200 && response.statusCode() != 201) {
                return refused(response.statusCode(), json);
            }
            String contract = json.required("contract").stringValue().toUpperCase(Locale.ROOT);
            return new Outcome.Altered(
                    Optional.of(new State(json.required("generation").longValue(), Contract.valueOf(contract))));
        } catch (ConnectException e) {
            return new Outcome.NotSent();
        } catch (IOException e) {
            return new Outcome.Unknown();
        }
    }

    private static Outcome values(JsonNode json, long increment) {
        List<Run> runs = new ArrayList<>();
        Optional<Run> open = Optional.empty();
        for (JsonNode item : json.required("items")) {
            long value = item.required("value").longValue();
            if (open.isPresent() && open.get().last() + increment == value) {
                open = Optional.of(new Run(open.get().first(), value));
            } else {
                open.ifPresent(runs::add);
                open = Optional.of(new Run(value, value));
            }
        }
        open.ifPresent(runs::add);
        return new Outcome.Values(OptionalLong.of(json.required("generation").longValue()), runs);
    }

    private static Outcome block(JsonNode json) {
        Run run = new Run(
                json.required("first").longValue(), json.required("last").longValue());
        return new Outcome.Values(OptionalLong.empty(), List.of(run));
    }

    /** Sends any call. */
    HttpResponse<String> send(String method, String path, String body) throws IOException, InterruptedException {
        return send(method, path, body, Optional.empty());
    }

    private HttpResponse<String> send(String method, String path, String body, Optional<String> key)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path))
                .timeout(WAIT)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body, UTF_8));
        key.ifPresent(text -> request.header("Idempotency-Key", text));
        return http.send(request.build(), BodyHandlers.ofString(UTF_8));
    }
}
