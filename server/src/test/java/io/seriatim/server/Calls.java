package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.Sequences;
import io.seriatim.store.CounterStore;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends calls to an {@link Api} as a transport does, and reads its answers. */
final class Calls implements AutoCloseable {

    private static final JsonMapper MAPPER = JsonMapper.shared();

    private final OpenStore store;
    private final Api api;

    Calls(CounterStore store) {
        this(store, Duration.ofSeconds(5), NewSequence.usual());
    }

    Calls(CounterStore store, Duration maxWait, NewSequence defaultDefinition) {
        this(OpenStore.of(Sequences.on(store, maxWait)), defaultDefinition);
    }

    Calls(OpenStore store, NewSequence defaultDefinition) {
        this.store = store;
        api = new Api(store, defaultDefinition);
    }

    Api api() {
        return api;
    }

    /** The node that answers. */
    String node() {
        return store.sequences().node();
    }

    Reply send(Call call) {
        return api.tryAnswer(call).orElseGet(() -> api.answer(call));
    }

    Reply send(String method, String target, String body) {
        return send(method, target, Map.of(), body);
    }

    Reply send(String method, String target, Map<String, String> headers, String body) {
        int query = target.indexOf('?');
        return send(new Call(
                method,
                query < 0 ? target : target.substring(0, query),
                query < 0 ? "" : target.substring(query + 1),
                headers,
                body));
    }

    Reply put(String name, String body) {
        return send("PUT", "/v1/sequences/" + name, body);
    }

    Reply get(String target) {
        return send("GET", "/v1/sequences/" + target, "");
    }

    Reply patch(String name, String body) {
        return send("PATCH", "/v1/sequences/" + name, body);
    }

    Reply delete(String name) {
        return send("DELETE", "/v1/sequences/" + name, "");
    }

    Reply post(String target, String body) {
        return send("POST", "/v1/sequences/" + target, body);
    }

    static JsonNode json(String text) {
        return MAPPER.readTree(text);
    }

    /** The answer to a call that must succeed. */
    static JsonNode ok(Reply reply) {
        assertThat(reply.status()).as(reply.body()).isBetween(200, 201);
        assertThat(reply.contentType()).isEqualTo("application/json");
        return MAPPER.readTree(reply.body());
    }

    /** The problem of a call that must be refused, after its form was checked. */
    static JsonNode problem(Reply reply, int status, String code) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.contentType()).isEqualTo("application/problem+json");
        JsonNode problem = MAPPER.readTree(reply.body());
        assertThat(problem.path("type").asString()).endsWith(":" + code);
        assertThat(problem.path("title").asString()).isNotEmpty();
        assertThat(problem.path("status").asInt()).isEqualTo(status);
        assertThat(problem.path("code").asString()).isEqualTo(code);
        assertThat(problem.path("detail").asString()).isNotEmpty().doesNotContain("Exception", "io.seriatim", "\n");
        assertThat(reply.headers().containsKey("Retry-After"))
                .as("Retry-After on 503 and only there")
                .isEqualTo(status == 503);
        assertThat(problem.has("retryAfter")).isEqualTo(status == 503);
        return problem;
    }

    /** A problem with one field, option or parameter that is at fault. */
    static void problem(Reply reply, String code, String option) {
        assertThat(problem(reply, 400, code).path("option").asString())
                .as(reply.body())
                .isEqualTo(option);
    }

    @Override
    public void close() {
        store.close();
    }
}
