package io.seriatim.server;

import static io.seriatim.server.Calls.json;
import static io.seriatim.server.Calls.ok;
import static io.seriatim.server.Calls.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
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

    private static final String EVENTS = "shop/workspaces/1/events";

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

    JsonNode appended(String body) {
        Reply reply = post(EVENTS, body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(201);
        return json(reply.body());
    }

    static String customer(String fields) {
        return "{\"kind\": \"shop\", \"cuds\": [{\"type\": \"customer\", \"id\": 1, \"fields\": " + fields + "}]}";
    }

    // ---- applications

    @Test
    void put_ofADefinition_isShownAsItWouldBePut() {
        String definition = "{\"partitions\":3,"
                + "\"kinds\":{\"z\":{\"sequences\":{\"RecordID\":200001,\"Other\":{\"initial\":5,\"max\":9}}},"
                + "\"a\":{\"sequences\":{}}},"
                + "\"types\":{\"t\":{\"kind\":\"CDoc\",\"singleton\":true},"
                + "\"b\":{\"kind\":\"WRecord\",\"sequence\":\"RecordID\"}}}";
        Reply created = put("a", definition);
        assertThat(created.status()).as(created.body()).isEqualTo(201);
        assertThat(created.body()).isEqualTo("{\"name\":\"a\",\"id\":1," + definition.substring(1));
        assertThat(get("a").body()).isEqualTo(created.body());
        assertThat(put("a", definition).status()).isEqualTo(200);
        problem(get("b"), 404, "NOT_FOUND");
    }

    @Test
    void put_ofAChange_keepsWhatIsThere() {
        put("shop", SHOP);
        appended(ORDER);
        Reply more = put("shop", SHOP.replace("200001", "{\"initial\": \"300001\", \"max\": null}"));
        assertThat(more.status()).as(more.body()).isEqualTo(200);
        assertThat(appended(ORDER).path("ids").path("1").asLong()).isEqualTo(300_001);
        problem(put("shop", SHOP.replace("\"partitions\": 2", "\"partitions\": 3")), 409, "ALREADY_EXISTS");
        problem(put("shop", SHOP), 409, "WOULD_REPEAT");
        problem(put("shop", SHOP.replace("\"customer\"", "\"client\"")), 409, "ALREADY_EXISTS");
        problem(put("Shop", SHOP), 409, "NAME_CASE");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {}                                                                      | BAD_REQUEST  | partitions
                    {"partitions": 0, "kinds": {"k": {}}}                                   | BAD_OPTION   | partitions
                    {"partitions": 1}                                                       | BAD_OPTION   | kinds
                    {"partitions": 1.0}                                                     | BAD_REQUEST  | partitions
                    {"partitions": 99999999999999999999}                                    | OUT_OF_RANGE | partitions
                    {"partitions": 1, "partitions": 1}                                      | BAD_REQUEST  | partitions
                    {"partitions": 1, "name": "x"}                                          | BAD_REQUEST  | name
                    {"partitions": 1, "kinds": {"k": {"sequence": {}}}}                     | BAD_REQUEST  | kinds.k.sequence
                    {"partitions": 1, "kinds": {"k": {"sequences": {"s": true}}}}           | BAD_REQUEST  | kinds.k.sequences.s
                    {"partitions": 1, "kinds": {"k": {"sequences": {"s": {"max": 3}}}}}     | BAD_REQUEST  | kinds.k.sequences.s.initial
                    {"partitions": 1, "kinds": {"k": {"sequences": {"s": 0}}}}              | BAD_OPTION   | kinds.k.sequences.s
                    {"partitions": 1, "kinds": {"k": {"sequences": {"RecordID": 1}}}}       | BAD_OPTION   | kinds.k.sequences.RecordID
                    {"partitions": 1, "kinds": {"k": {}}, "types": {"t": {"kind": "Doc"}}}  | BAD_OPTION   | types.t.kind
                    {"partitions": 1, "kinds": {"k": {}}, "types": {"t": {}}}               | BAD_REQUEST  | types.t.kind
                    {"partitions": 1, "kinds": {"k": {}}, "types": {"t": {"kind": "WDoc", "singleton": true}}} | BAD_OPTION | types.t.singleton
                    """)
    void put_ofAnythingElse_saysWhere(String definition, String code, String option) {
        problem(put("a", definition), code, option);
        problem(get("a"), 404, "NOT_FOUND");
    }

    @Test
    void put_underABadName_isRefused() {
        problem(put("-a", SHOP), "BAD_NAME", "name");
    }

    @Test
    void list_isPagedByName() {
        for (String name : new String[] {"b", "a", "ab"}) {
            put(name, SHOP);
        }
        JsonNode page = ok(calls.send("GET", "/v1/logs?limit=2", ""));
        assertThat(page.path("items").findValuesAsString("name")).containsExactly("a", "ab");
        assertThat(page.path("next").asString()).isEqualTo("ab");
        JsonNode rest = ok(calls.send("GET", "/v1/logs?limit=2&after=ab", ""));
        assertThat(rest.path("items").findValuesAsString("name")).containsExactly("b");
        assertThat(rest.path("next").isNull()).isTrue();
        assertThat(ok(calls.send("GET", "/v1/logs?prefix=a", "")).path("items").size())
                .isEqualTo(2);
    }

    @Test
    void delete_keepsWhatIsInTheLog() {
        put("shop", SHOP);
        appended(ORDER);
        assertThat(calls.send("DELETE", "/v1/logs/shop", "").status()).isEqualTo(204);
        problem(calls.send("DELETE", "/v1/logs/shop", ""), 404, "NOT_FOUND");
        problem(get("shop/partitions/1/events"), 404, "NOT_FOUND");
        problem(post(EVENTS, ORDER), 404, "NOT_FOUND");
        assertThat(put("shop", SHOP).status()).isEqualTo(201);
        assertThat(ok(get("shop/partitions/1/events")).path("events").size()).isEqualTo(1);
    }

    // ---- events

    @Test
    void append_ofTheFirstOrder_isAnsweredAndRead() {
        put("shop", SHOP);
        assertThat(post(EVENTS, ORDER).body())
                .isEqualTo("{\"partition\":1,\"plogOffset\":1,\"wlogOffset\":1,"
                        + "\"ids\":{\"1\":200001,\"2\":200002,\"4\":200003}}");
        JsonNode page = ok(get("shop/partitions/1/events"));
        assertThat(page.path("next").asLong()).isEqualTo(2);
        JsonNode event = page.path("events").get(0);
        assertThat(event.propertyNames())
                .containsExactly("plogOffset", "workspace", "kind", "wlogOffset", "time", "argument", "cuds");
        assertThat(event.path("argument").toString())
                .isEqualTo("{\"type\":\"order\",\"id\":200001,\"fields\":{\"customer\":200003},"
                        + "\"children\":{\"items\":[{\"type\":\"item\",\"id\":200002,\"fields\":{\"count\":3}}]}}");
        assertThat(event.path("cuds").toString())
                .isEqualTo("[{\"type\":\"customer\",\"id\":200003,\"fields\":{\"name\":\"Ada\"}}]");
        assertThat(ok(get(EVENTS))).isEqualTo(page);
        assertThat(get("shop/workspaces/1/records/200003").body())
                .isEqualTo("{\"id\":200003,\"type\":\"customer\",\"plogOffset\":1,\"wlogOffset\":1,"
                        + "\"fields\":{\"name\":\"Ada\"},\"parent\":null}");
        assertThat(ok(get("shop/workspaces/1/records/200002")).path("parent").asLong())
                .isEqualTo(200_001);
        problem(get("shop/workspaces/1/records/200009"), 404, "NOT_FOUND");
        problem(get("shop/workspaces/3/records/200003"), 404, "NOT_FOUND");
    }

    @Test
    void append_ofAnUpdate_changesTheRecord() {
        put("shop", SHOP);
        appended(ORDER);
        appended("{\"kind\":\"shop\",\"cuds\":[{\"id\":\"200003\",\"update\":true,\"fields\":{\"age\":36}}]}");
        JsonNode record = ok(get("shop/workspaces/1/records/200003"));
        assertThat(record.path("fields").toString()).isEqualTo("{\"name\":\"Ada\",\"age\":36}");
        assertThat(record.path("wlogOffset").asLong()).isEqualTo(2);
        assertThat(ok(get(EVENTS + "?from=2"))
                        .path("events")
                        .get(0)
                        .path("cuds")
                        .toString())
                .isEqualTo("[{\"type\":\"customer\",\"id\":200003,\"update\":true,\"fields\":{\"age\":36}}]");
    }

    /** Any 64-bit integer is a workspace; the partition is its remainder, never negative. */
    @ParameterizedTest
    @ValueSource(longs = {0, -1, 7, Long.MIN_VALUE, Long.MAX_VALUE})
    void append_inAnyWorkspace_liesInItsPartition(long workspace) {
        put("shop", SHOP);
        Reply reply = post("shop/workspaces/" + workspace + "/events", ORDER);
        assertThat(reply.status()).as(reply.body()).isEqualTo(201);
        long partition = json(reply.body()).path("partition").asLong();
        assertThat(partition).isEqualTo(Math.floorMod(workspace, 2));
        assertThat(ok(get("shop/partitions/" + partition + "/events"))
                        .path("events")
                        .get(0)
                        .path("workspace")
                        .asLong())
                .isEqualTo(workspace);
    }

    /** A number of a caller comes back digit by digit, however a reader of JSON would round it. */
    @Test
    void append_ofFields_givesThemBackExactly() {
        put("shop", SHOP);
        String fields = "{\"a\":1.10,\"b\":9007199254740993,\"c\":123456789012345678901234567890,\"d\":-0.000,"
                + "\"e\":1E+400,\"f\":null,\"g\":[true,[],{},\"é\\u0000\"],\"h\":{\"ref\":1,\"other\":{\"x\":\"\"}},"
                + "\"ref\":4,\"\":0}";
        appended(customer(fields));
        String expected = fields.replace("-0.000", "0.000");
        assertThat(get(EVENTS).body()).contains("\"fields\":" + expected);
        assertThat(get("shop/workspaces/1/records/200001").body()).contains("\"fields\":" + expected);
    }

    @Test
    void append_ofReferences_resolvesThemWhereverTheyStand() {
        put("shop", SHOP);
        appended("{\"kind\":\"shop\",\"cuds\":[{\"type\":\"customer\",\"id\":7,\"fields\":"
                + "{\"self\":{\"ref\":7},\"deep\":[{\"of\":[{\"ref\":\"7\"},{\"ref\":300}]}]}},"
                + "{\"type\":\"customer\",\"id\":300}]}");
        assertThat(get("shop/workspaces/1/records/200001").body())
                .contains("{\"self\":200001,\"deep\":[{\"of\":[200001,200002]}]}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    []                                                                        | BAD_REQUEST  |
                    {"kind": "shop"}{}                                                        | BAD_REQUEST  |
                    {"kind": "shop"                                                           | BAD_REQUEST  |
                    {}                                                                        | BAD_REQUEST  | kind
                    {"kind": 3}                                                               | BAD_REQUEST  | kind
                    {"kind": "shop"}                                                          | BAD_REQUEST  |
                    {"kind": "none", "cuds": [{"type": "customer", "id": 1}]}                 | BAD_REQUEST  |
                    {"kind": "shop", "kind": "shop"}                                          | BAD_REQUEST  | kind
                    {"kind": "shop", "key": "k"}                                              | BAD_REQUEST  | key
                    {"kind": "shop", "cuds": {}}                                              | BAD_REQUEST  | cuds
                    {"kind": "shop", "cuds": [3]}                                             | BAD_REQUEST  | cuds[0]
                    {"kind": "shop", "cuds": [{"id": 1}]}                                     | BAD_REQUEST  | cuds[0].type
                    {"kind": "shop", "cuds": [{"type": "customer"}]}                          | BAD_REQUEST  | cuds[0].id
                    {"kind": "shop", "cuds": [{"type": "customer", "id": 1.0}]}               | BAD_REQUEST  | cuds[0].id
                    {"kind": "shop", "cuds": [{"type": "customer", "id": 1e3}]}               | BAD_REQUEST  | cuds[0].id
                    {"kind": "shop", "cuds": [{"type": "customer", "id": "01"}]}              | BAD_REQUEST  | cuds[0].id
                    {"kind": "shop", "cuds": [{"type": "customer", "id": null}]}              | BAD_REQUEST  | cuds[0].id
                    {"kind": "shop", "cuds": [{"type": "customer", "id": 0}]}                 | BAD_RAW_ID   | cuds[0].id
                    {"kind": "shop", "cuds": [{"type": "customer", "id": -4}]}                | BAD_RAW_ID   | cuds[0].id
                    {"kind": "shop", "cuds": [{"type": "customer", "id": 9223372036854775808}]} | OUT_OF_RANGE | cuds[0].id
                    {"kind": "shop", "cuds": [{"type": "customer", "id": 1, "children": {}}]} | BAD_REQUEST  | cuds[0].children
                    {"kind": "shop", "cuds": [{"type": "customer", "id": 1, "update": 1}]}    | BAD_REQUEST  | cuds[0].update
                    {"kind": "shop", "cuds": [{"type": "customer", "id": 1, "update": true}]} | BAD_RAW_ID   |
                    {"kind": "shop", "cuds": [{"type": "customer", "id": 1, "fields": []}]}   | BAD_REQUEST  | cuds[0].fields
                    {"kind": "shop", "cuds": [{"type": "customer", "id": 1, "fields": {"a": {"b": 1, "b": 2}}}]} | BAD_REQUEST | cuds[0].fields.a.b
                    {"kind": "shop", "cuds": [{"type": "customer", "id": 1, "fields": {"a": {"ref": 1.5}}}]}     | BAD_REQUEST | cuds[0].fields.a.ref
                    {"kind": "shop", "cuds": [{"type": "customer", "id": 1, "fields": {"a": [{"ref": null}]}}]}  | BAD_REQUEST | cuds[0].fields.a[0].ref
                    {"kind": "shop", "cuds": [{"type": "customer", "id": 1, "fields": {"a": {"ref": 0}}}]}       | BAD_RAW_ID  | cuds[0].fields.a.ref
                    {"kind": "shop", "cuds": [{"type": "customer", "id": 1, "fields": {"a": {"ref": 2}}}]}       | BAD_RAW_ID  |
                    {"kind": "shop", "cuds": [{"type": "customer", "id": 1, "fields": {"a": "\\ud800"}}]}         | BAD_REQUEST | cuds[0].fields
                    {"kind": "shop", "cuds": [{"type": "customer", "id": 1, "fields": {"a": 1e99999999999}}]}    | BAD_REQUEST | cuds[0].fields.a
                    {"kind": "shop", "cuds": [{"type": "customer", "id": 1}, {"type": "customer", "id": 1}]}     | BAD_RAW_ID  |
                    {"kind": "shop", "cuds": [{"type": "order", "id": 1}]}                    | BAD_REQUEST  |
                    {"kind": "shop", "cuds": [{"type": "nothing", "id": 1}]}                  | UNKNOWN_TYPE |
                    {"kind": "shop", "argument": [{"type": "order", "id": 1}]}                | BAD_REQUEST  | argument
                    {"kind": "shop", "argument": {"type": "item", "id": 1}}                   | BAD_REQUEST  |
                    {"kind": "shop", "argument": {"type": "order", "id": 1, "update": false}} | BAD_REQUEST  | argument.update
                    {"kind": "shop", "argument": {"type": "order", "id": 1, "children": []}}  | BAD_REQUEST  | argument.children
                    {"kind": "shop", "argument": {"type": "order", "id": 1, "children": {"i": {}}}} | BAD_REQUEST | argument.children.i
                    {"kind": "shop", "argument": {"type": "order", "id": 1, "children": {"i": [{"type": "item"}]}}} | BAD_REQUEST | argument.children.i[0].id
                    """)
    void append_ofAnythingElse_drawsNothingAndSaysWhere(String body, String code, String option) {
        put("shop", SHOP);
        Reply reply = post(EVENTS, body);
        JsonNode problem = problem(reply, 400, code);
        if (option != null) {
            assertThat(problem.path("option").asString()).as(reply.body()).isEqualTo(option);
        }
        assertThat(appended(ORDER).path("ids").path("1").asLong()).isEqualTo(200_001);
    }

    @Test
    void append_ofTooMuch_isRefused() {
        put("shop", SHOP);
        String nines = "9".repeat(1_001);
        assertThat(problem(post(EVENTS, customer("{\"a\":" + nines + "}")), 400, "BAD_REQUEST")
                        .path("detail")
                        .asString())
                .contains("1000 digits");
        problem(post(EVENTS, customer("{\"a\":" + "9".repeat(30_000) + "}")), 400, "BAD_REQUEST");
        problem(post(EVENTS, customer("{\"a\":" + "[".repeat(12) + "]".repeat(12) + "}")), 400, "BAD_REQUEST");
        problem(post(EVENTS, customer("{\"a\":" + "[".repeat(20_000))), 400, "BAD_REQUEST");
        assertThat(post(EVENTS, customer("{\"a\":" + "[".repeat(11) + "]".repeat(11) + "}"))
                        .status())
                .isEqualTo(201);
    }

    @Test
    void append_ofChildrenSixteenDeep_isTheDeepest() {
        put("shop", SHOP);
        assertThat(post(EVENTS, nested(16)).status()).isEqualTo(201);
        problem(post(EVENTS, nested(17)), 400, "BAD_REQUEST");
        problem(post(EVENTS, nested(400)), 400, "BAD_REQUEST");
    }

    private static String nested(int depth) {
        String record = "{\"type\": \"item\", \"id\": " + depth + "}";
        for (int id = depth - 1; id >= 1; id--) {
            record = "{\"type\": \"" + (id == 1 ? "order" : "item") + "\", \"id\": " + id + ", \"children\": {\"c\": ["
                    + record + "]}}";
        }
        return "{\"kind\": \"shop\", \"argument\": " + record + "}";
    }

    @Test
    void append_thatMeetsWhatIsThere_isAConflict() {
        put(
                "shop",
                "{\"partitions\": 1, \"kinds\": {\"shop\": {\"sequences\": {\"RecordID\": {\"initial\": 200001,"
                        + " \"max\": 200002}}}, \"other\": {}}, \"types\": {\"customer\": {\"kind\": \"CDoc\"},"
                        + " \"settings\": {\"kind\": \"CDoc\", \"singleton\": true}}}");
        appended(customer("{}"));
        problem(post(EVENTS, customer("{}").replace("\"id\": 1", "\"id\": 200001")), 409, "ALREADY_EXISTS");
        problem(post(EVENTS, customer("{}").replace("\"shop\"", "\"other\"")), 400, "BAD_REQUEST");
        String singleton = customer("{}").replace("customer", "settings");
        assertThat(appended(singleton).path("ids").path("1").asLong()).isEqualTo(65_536);
        problem(post(EVENTS, singleton), 409, "ALREADY_EXISTS");
        problem(post(EVENTS, "{\"kind\":\"shop\",\"cuds\":[{\"id\":200009,\"update\":true}]}"), 404, "NOT_FOUND");
        problem(post(EVENTS, customer("{}").replace("\"id\": 1", "\"id\": 200003")), 400, "OUT_OF_RANGE");
        appended(customer("{}"));
        assertThat(problem(post(EVENTS, customer("{}")), 409, "EXHAUSTED")
                        .path("limit")
                        .asString())
                .isEqualTo("max");
        put("kinds", SHOP.replace("\"shop\":", "\"two\": {\"sequences\": {\"RecordID\": 200001}}, \"shop\":"));
        assertThat(post("kinds/workspaces/1/events", ORDER).status()).isEqualTo(201);
        problem(
                post("kinds/workspaces/1/events", ORDER.replace("\"kind\": \"shop\"", "\"kind\": \"two\"")),
                409,
                "WRONG_KIND");
    }

    @Test
    void append_underAKey_isOneEventWithOneAnswer() {
        put("shop", SHOP);
        Map<String, String> keyed = Map.of(Call.IDEMPOTENCY_KEY, "k-1");
        String target = "/v1/logs/" + EVENTS;
        Reply first = calls.send("POST", target, keyed, ORDER);
        appended(ORDER);
        assertThat(calls.send("POST", target, keyed, ORDER).body()).isEqualTo(first.body());
        assertThat(put("shop", SHOP.replace("\"ODoc\"}", "\"ODoc\"}, \"note\": {\"kind\": \"WDoc\"}"))
                        .status())
                .isEqualTo(200);
        assertThat(calls.send("POST", target, keyed, ORDER).body()).isEqualTo(first.body());
        problem(calls.send("POST", target, keyed, customer("{}")), 422, "KEY_REUSED");
        assertThat(ok(get(EVENTS)).path("events").size()).isEqualTo(2);
        Reply elsewhere = calls.send("POST", "/v1/logs/shop/workspaces/3/events", keyed, customer("{}"));
        assertThat(elsewhere.status()).isEqualTo(201);
        problem(
                calls.send("POST", target, Map.of(Call.IDEMPOTENCY_KEY, "a b"), ORDER),
                "BAD_REQUEST",
                "Idempotency-Key");
    }

    @Test
    void events_arePagedByOffset() {
        put("shop", SHOP);
        IntStream.range(0, 5).forEach(i -> appended(customer("{\"i\":" + i + "}")));
        JsonNode page = ok(get("shop/partitions/1/events?from=2&limit=2"));
        assertThat(page.path("events").findValuesAsString("plogOffset")).containsExactly("2", "3");
        assertThat(page.path("next").asLong()).isEqualTo(4);
        assertThat(ok(get(EVENTS + "?from=4")).path("events").findValuesAsString("wlogOffset"))
                .containsExactly("4", "5");
        JsonNode behind = ok(get(EVENTS + "?from=6"));
        assertThat(behind.path("events").isEmpty()).isTrue();
        assertThat(behind.path("next").asLong()).isEqualTo(6);
        for (String query : new String[] {"from=0", "limit=0", "limit=1001"}) {
            problem(get(EVENTS + "?" + query), "OUT_OF_RANGE", query.substring(0, query.indexOf('=')));
        }
        problem(get(EVENTS + "?from=x"), "BAD_REQUEST", "from");
        problem(get(EVENTS + "?to=3"), "BAD_REQUEST", "to");
    }

    @Test
    void paths_ofNothing_areNotFound() {
        put("shop", SHOP);
        problem(get("shop/partitions/2"), 404, "NOT_FOUND");
        problem(get("shop/partitions/-1/events"), 404, "NOT_FOUND");
        problem(get("shop/partitions/4294967296"), 404, "NOT_FOUND");
        assertThat(get("shop/partitions/99999999999").body()).contains("99999999999");
        problem(get("shop/partitions/x"), "BAD_REQUEST", "partition");
        problem(get("shop/workspaces/1.5/events"), "BAD_REQUEST", "workspace");
        problem(get("shop/workspaces/9223372036854775808/events"), "OUT_OF_RANGE", "workspace");
        problem(get("shop/workspaces/1/records/x"), "BAD_REQUEST", "id");
        problem(get("none/partitions/0"), 404, "NOT_FOUND");
        problem(get("none/workspaces/0/events"), 404, "NOT_FOUND");
        problem(post("shop/partitions/0/forget", ""), 404, "NOT_FOUND");
    }

    // ---- partitions

    @Test
    void partition_tellsOfItself() {
        put("shop", SHOP);
        appended(ORDER);
        JsonNode state = ok(get("shop/partitions/1"));
        assertThat(state.path("status").asString()).isEqualTo("ready");
        assertThat(state.path("owner").asString()).isEqualTo(calls.node());
        assertThat(state.path("epoch").asLong()).isEqualTo(1);
        assertThat(state.path("nextOffset").asLong()).isEqualTo(2);
        assertThat(state.path("durableOffset").asLong()).isEqualTo(1);
        assertThat(state.path("appliedOffset").asLong()).isEqualTo(2);
        assertThat(state.path("cache").asLong()).isEqualTo(1);
        assertThat(state.path("trustLevel").asString()).isEqualTo("verify-all");
        assertThat(state.path("lastActualize").path("percent").asLong()).isEqualTo(100);
        assertThat(state.path("trouble").isNull()).isTrue();
        assertThat(state.path("differences").isEmpty()).isTrue();
    }

    @Test
    void check_ofASoundLog_saysSo() {
        put("shop", SHOP);
        appended(ORDER);
        JsonNode report = ok(post("shop/partitions/1/check", ""));
        assertThat(report.path("sound").asBoolean()).isTrue();
        assertThat(report.path("events").asLong()).isEqualTo(1);
        assertThat(report.path("nextOffset").asLong()).isEqualTo(2);
        assertThat(report.path("findings").isEmpty()).isTrue();
        problem(post("shop/partitions/1/check", "{\"all\": true}"), "BAD_REQUEST", "all");
    }

    @ParameterizedTest
    @ValueSource(strings = {"actualize", "rebuild"})
    void act_readsTheLogUnderANewEpoch(String act) {
        put("shop", SHOP);
        appended(ORDER);
        JsonNode state = ok(post("shop/partitions/1/" + act, ""));
        assertThat(state.path("status").asString()).isEqualTo("ready");
        assertThat(state.path("epoch").asLong()).isGreaterThan(1);
        assertThat(appended(ORDER).path("ids").path("1").asLong()).isEqualTo(200_004);
        assertThat(ok(post("shop/partitions/1/check", "")).path("sound").asBoolean())
                .isTrue();
    }

    // ---- following, without a transport

    @Test
    void follow_tellsWhatIsThereAndWhatComes() {
        put("shop", SHOP);
        IntStream.range(0, 40).forEach(i -> appended(customer("{\"i\":" + i + "}")));
        Map<String, String> following = Map.of(Call.ACCEPT, "text/event-stream");
        Reply reply = calls.send("GET", "/v1/logs/" + EVENTS + "?from=2", following, "");
        assertThat(reply.contentType()).isEqualTo("text/event-stream");
        EventFeed feed = reply.feed().orElseThrow();
        String all = reply.body() + new String(feed.next(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(ids(all))
                .isEqualTo(
                        IntStream.rangeClosed(2, 40).mapToObj(Integer::toString).toList());
        assertThat(feed.next()).isEmpty();
        appended(ORDER);
        assertThat(ids(new String(feed.next(), java.nio.charset.StandardCharsets.UTF_8)))
                .containsExactly("41");
        Reply later = calls.send(
                "GET",
                "/v1/logs/" + EVENTS + "?from=2",
                Map.of(Call.ACCEPT, "text/event-stream", Call.LAST_EVENT_ID, "40"),
                "");
        assertThat(ids(later.body())).containsExactly("41");
        problem(
                calls.send(
                        "GET",
                        "/v1/logs/" + EVENTS,
                        Map.of(Call.ACCEPT, "text/event-stream", Call.LAST_EVENT_ID, "x"),
                        ""),
                "BAD_REQUEST",
                "Last-Event-ID");
        problem(calls.send("GET", "/v1/logs/" + EVENTS + "?limit=2", following, ""), "BAD_REQUEST", "limit");
    }

    static java.util.List<String> ids(String events) {
        return events.lines()
                .filter(line -> line.startsWith("id: "))
                .map(line -> line.substring(4))
                .collect(Collectors.toList());
    }
}
