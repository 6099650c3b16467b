package io.seriatim.server;

import static io.seriatim.server.Calls.json;
import static io.seriatim.server.Calls.ok;
import static io.seriatim.server.Calls.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The calls on event logs, the same on every store that keeps them. */
abstract class LogCallsContract {

    static final String SHOP = """
            {"partitions": 2,
             "kinds": {"shop": {"sequences": {"RecordID": 200001}}},
             "types": {"order": {"kind": "ODoc"}, "item": {"kind": "ORecord"}, "customer": {"kind": "CDoc"}}}""";

    static final String ORDER = """
            {"kind": "shop",
             "argument": {"type": "order", "id": 1, "fields": {"customer": {"ref": 4}},
                          "children": {"items": [{"type": "item", "id": 2, "fields": {"count": 3}}]}},
             "cuds": [{"type": "customer", "id": 4, "fields": {"name": "Ada"}}]}""";

    @SuppressWarnings("NullAway.Init")
    Calls calls;

    /** A store with nothing in it. */
    abstract OpenStore emptyStore();

    @BeforeEach
    void open() {
        calls = new Calls(emptyStore(), NewSequence.usual());
    }

    @AfterEach
    void close() {
        calls.close();
    }

    Reply put(String log, String definition) {
        return calls.send("PUT", "/v1/logs/" + log, definition);
    }

    Reply get(String target) {
        return calls.send("GET", "/v1/logs/" + target, "");
    }

    Reply post(String target, String body) {
        return calls.send("POST", "/v1/logs/" + target, body);
    }

    @Test
    void append_ofTheFirstOrder_isAnsweredAndRead() {
        assertThat(put("shop", SHOP).status()).isEqualTo(201);
        Reply appended = post("shop/workspaces/1/events", ORDER);
        assertThat(appended.status()).as(appended.body()).isEqualTo(201);
        assertThat(appended.body())
                .isEqualTo("{\"partition\":1,\"plogOffset\":1,\"wlogOffset\":1,"
                        + "\"ids\":{\"1\":200001,\"2\":200002,\"4\":200003}}");
        JsonNode events = ok(get("shop/partitions/1/events"));
        assertThat(events.path("next").asLong()).isEqualTo(2);
        System.err.println(events);
        System.err.println(get("shop/workspaces/1/events").body());
        System.err.println(get("shop/workspaces/1/records/200003").body());
        System.err.println(get("shop/workspaces/1/records/200002").body());
        System.err.println(get("shop/partitions/1").body());
        System.err.println(post("shop/partitions/1/check", "").body());
        System.err.println(post("shop/partitions/1/actualize", "").body());
        System.err.println(post("shop/partitions/1/rebuild", "").body());
        System.err.println(get("shop").body());
        problem(get("other"), 404, "NOT_FOUND");
        assertThat(json("{}").isObject()).isTrue();
        assertThat(Map.of()).isEmpty();
    }
}
