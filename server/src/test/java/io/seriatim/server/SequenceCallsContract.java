package io.seriatim.server;

import static io.seriatim.server.Calls.ok;
import static io.seriatim.server.Calls.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.SequenceDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The calls that take and show numbers of a sequence as docs/http.md has them, and paths that are not there. */
abstract class SequenceCallsContract extends CallsContract {

    // ---- next

    @Test
    void next_ofAPlainSequence_givesNumberAndText() {
        calls.put("orders", "{\"start\": 1000}");

        Reply reply = calls.post("orders/next", "");

        assertThat(reply.body())
                .isEqualTo("{\"sequence\":\"orders\",\"generation\":1,"
                        + "\"items\":[{\"value\":1000,\"text\":\"1000\",\"period\":null}]}");
        assertThat(reply.status()).isEqualTo(200);
    }

    @Test
    void next_countGiven_givesAsMany() {
        calls.put("a", "{\"cache\": 10}");
        assertThat(texts(calls.post("a/next", "{\"count\": 3}"))).containsExactly("1", "2", "3");
        assertThat(texts(calls.post("a/next", "{\"count\": \"2\"}"))).containsExactly("4", "5");
        assertThat(texts(calls.post("a/next", "{}"))).containsExactly("6");
        assertThat(texts(calls.post("a/next", "{\"count\": 10000}")))
                .hasSize(10_000)
                .startsWith("7");
        assertThat(texts(calls.post("a/next", ""))).containsExactly("10007");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"count\": 0}|OUT_OF_RANGE|count",
                "{\"count\": -1}|OUT_OF_RANGE|count",
                "{\"count\": 10001}|OUT_OF_RANGE|count",
                "{\"count\": 9223372036854775808}|OUT_OF_RANGE|count",
                "{\"count\": null}|BAD_REQUEST|count",
                "{\"count\": 1.0}|BAD_REQUEST|count",
                "{\"count\": 1e3}|BAD_REQUEST|count",
                "{\"count\": \"01\"}|BAD_REQUEST|count",
                "{\"count\": \"-0\"}|BAD_REQUEST|count",
                "{\"count\": [1]}|BAD_REQUEST|count",
                "{\"counts\": 1}|BAD_REQUEST|counts",
                "{\"at\": \"2026-01-01T00:00:00Z\"}|BAD_REQUEST|at",
                "{\"date\": \"2026-01-01\"}|BAD_REQUEST|date",
                "{\"scope\": {}}|BAD_REQUEST|scope",
                "{\"value\": 1}|BAD_REQUEST|value",
            })
    void next_badField_isNamedAndTakesNothing(String body, String code, String field) {
        calls.put("a", "{}");
        problem(calls.post("a/next", body), code, field);
        assertThat(texts(calls.post("a/next", ""))).containsExactly("1");
    }

    @Test
    void next_badBody_isBadRequest() {
        calls.put("a", "{}");
        for (String body : List.of(" ", "null", "3", "[]", "{\"count\": 3", "{}{}", "count=3")) {
            problem(calls.post("a/next", body), 400, "BAD_REQUEST");
        }
        assertThat(texts(calls.post("a/next", ""))).containsExactly("1");
    }

    @Test
    void next_around2To53_losesNoDigit() {
        calls.put("a", "{\"start\": 9007199254740991}");
        assertThat(calls.post("a/next", "{\"count\": 3}").body())
                .contains(
                        "{\"value\":9007199254740991,\"text\":\"9007199254740991\",\"period\":null}",
                        "{\"value\":9007199254740992,\"text\":\"9007199254740992\",\"period\":null}",
                        "{\"value\":9007199254740993,\"text\":\"9007199254740993\",\"period\":null}");
    }

    @Test
    void next_atTheEndOf64Bits_isExhausted() {
        calls.put("up", "{\"start\": 9223372036854775807}");
        calls.put("down", "{\"start\": -9223372036854775807, \"increment\": -1}");
        assertThat(texts(calls.post("up/next", ""))).containsExactly("9223372036854775807");
        assertThat(texts(calls.post("down/next", "{\"count\": 2}")))
                .containsExactly("-9223372036854775807", "-9223372036854775808");

        JsonNode up = problem(calls.post("up/next", ""), 409, "EXHAUSTED");
        assertThat(up.path("limit").stringValue()).isEqualTo("max");
        assertThat(up.path("limitValue").longValue()).isEqualTo(Long.MAX_VALUE);
        JsonNode down = problem(calls.post("down/next", ""), 409, "EXHAUSTED");
        assertThat(down.path("limit").stringValue()).isEqualTo("min");
        assertThat(down.path("limitValue").longValue()).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void next_moreThanAreLeft_takesNothing() {
        calls.put("a", "{\"max\": 3}");
        problem(calls.post("a/next", "{\"count\": 4}"), 409, "EXHAUSTED");
        assertThat(texts(calls.post("a/next", "{\"count\": 3}"))).containsExactly("1", "2", "3");
        problem(calls.post("a/next", ""), 409, "EXHAUSTED");
    }

    @Test
    void next_ofACyclingSequence_passesTheWrap() {
        calls.put("a", "{\"max\": 3, \"cycle\": true}");
        assertThat(texts(calls.post("a/next", "{\"count\": 7}"))).containsExactly("1", "2", "3", "1", "2", "3", "1");
    }

    @Test
    void next_acceptTextPlain_givesOneTextALine() {
        calls.put("a", "{}");
        Map<String, String> accept = Map.of("accept", "text/plain");

        Reply reply = calls.send("POST", "/v1/sequences/a/next", accept, "{\"count\": 3}");

        assertThat(reply.contentType()).isEqualTo("text/plain; charset=utf-8");
        assertThat(reply.body()).isEqualTo("1\n2\n3\n");
        problem(calls.send("POST", "/v1/sequences/b/next", accept, ""), 404, "NOT_FOUND");
    }

    @Test
    void next_unknownName_is404() {
        problem(calls.post("a/next", ""), 404, "NOT_FOUND");
        problem(calls.post("a/next?define=false", ""), 404, "NOT_FOUND");
    }

    @Test
    void next_defineTrue_definesFromTheDefault() {
        try (Calls calls = new Calls(
                emptyStore(),
                Duration.ofSeconds(5),
                new NewSequence(SequenceDefinition.ascending().start(500), Optional.empty()))) {
            assertThat(texts(calls.post("a/next?define=true", ""))).containsExactly("500");
            assertThat(texts(calls.post("a/next?define=true", "{\"count\": 2}")))
                    .containsExactly("501", "502");
            assertThat(ok(calls.get("a")).path("start").longValue()).isEqualTo(500);
            problem(calls.post("A/next?define=true", ""), 409, "NAME_CASE");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"define=yes", "define=", "define", "define=true&define=true", "x=1", "define=TRUE", "%zz=1"})
    void next_badParameter_isBadRequest(String query) {
        problem(calls.post("a/next?" + query, ""), 400, "BAD_REQUEST");
        problem(calls.get("a"), 404, "NOT_FOUND");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fast", "ordered"})
    void nextAndBlocks_withAKey_areAnsweredOnce(String contract) {
        calls.put("a", "{\"contract\": \"" + contract + "\"}");
        Map<String, String> key = Map.of("idempotency-key", "0f3d-!~");
        String first = calls.send("POST", "/v1/sequences/a/next", key, "{\"count\": 3}")
                .body();
        assertThat(calls.send("POST", "/v1/sequences/a/next", key, "{\"count\": \"3\"}")
                        .body())
                .isEqualTo(first);
        problem(calls.send("POST", "/v1/sequences/a/next", key, ""), 422, "KEY_REUSED");
        problem(calls.send("POST", "/v1/sequences/a/blocks", key, "{\"count\": 3}"), 422, "KEY_REUSED");
        Map<String, String> other = Map.of("idempotency-key", "other");
        String block = calls.send("POST", "/v1/sequences/a/blocks", other, "{\"count\": 5}")
                .body();
        assertThat(calls.send("POST", "/v1/sequences/a/blocks", other, "{\"count\": 5}")
                        .body())
                .isEqualTo(block);
        assertThat(texts(calls.post("a/next", ""))).containsExactly("9");
    }

    @Test
    void gone_ofANodeThatIsNotListed_changesNothing() {
        calls.put("a", "{}");
        problem(calls.post("a/gone", "{\"node\": \"4fd1a20c99b1e7d3\"}"), 400, "REASON_REQUIRED");
        problem(calls.post("a/gone", "{\"reason\": \"killed\"}"), "BAD_REQUEST", "node");
        assertThat(ok(calls.post("a/gone", "{\"node\": \"4fd1a20c99b1e7d3\", \"reason\": \"killed\"}"))
                        .path("generation")
                        .longValue())
                .isEqualTo(1);
        assertThat(texts(calls.post("a/next", ""))).containsExactly("1");
    }

    @Test
    void gone_ofTheServerThatIsAsked_isBadRequest() {
        calls.put("a", "{}");
        String body = "{\"node\": \"" + calls.node() + "\", \"reason\": \"killed\"}";
        problem(calls.post("a/gone", body), "BAD_REQUEST", "node");
        problem(calls.post("missing/gone", body), 404, "NOT_FOUND");
        assertThat(texts(calls.post("a/next", ""))).containsExactly("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "ä", "one, two"})
    void next_malformedKey_isBadRequest(String key) {
        calls.put("a", "{}");
        Map<String, String> headers = Map.of("idempotency-key", key);
        problem(calls.send("POST", "/v1/sequences/a/next", headers, ""), "BAD_REQUEST", "Idempotency-Key");
        problem(
                calls.send("POST", "/v1/sequences/a/blocks", headers, "{\"count\": 1}"),
                "BAD_REQUEST",
                "Idempotency-Key");
        assertThat(texts(calls.post("a/next", ""))).containsExactly("1");
    }

    @Test
    void next_afterManyCallsLargerThanABlock_goesOn() {
        calls.put("a", "{\"cache\": 2}");
        long expected = 1;
        for (int i = 0; i < 50; i++) {
            List<String> texts = texts(calls.post("a/next", "{\"count\": 7}"));
            assertThat(texts).hasSize(7);
            for (String text : texts) {
                assertThat(Long.parseLong(text)).isGreaterThanOrEqualTo(expected);
                expected = Long.parseLong(text) + 1;
            }
        }
    }

    // ---- blocks

    @Test
    void blocks_givesAContiguousRun() {
        calls.put("a", "{\"start\": 10, \"increment\": 5}");
        assertThat(calls.post("a/blocks", "{\"count\": 3}").body())
                .isEqualTo("{\"first\":10,\"last\":20,\"increment\":5,\"count\":3,"
                        + "\"firstText\":\"10\",\"lastText\":\"20\"}");
        assertThat(ok(calls.post("a/blocks", "{\"count\": 1000000}"))
                        .path("count")
                        .longValue())
                .isEqualTo(1_000_000);
        assertThat(texts(calls.post("a/next", ""))).containsExactly("5000025");
    }

    @Test
    void blocks_endAtALimitOrWrap() {
        calls.put("plain", "{\"max\": 5}");
        calls.put("cycling", "{\"max\": 5, \"cycle\": true}");
        assertThat(ok(calls.post("plain/blocks", "{\"count\": 100}"))
                        .path("last")
                        .longValue())
                .isEqualTo(5);
        problem(calls.post("plain/blocks", "{\"count\": 1}"), 409, "EXHAUSTED");
        assertThat(ok(calls.post("cycling/blocks", "{\"count\": 100}"))
                        .path("count")
                        .longValue())
                .isEqualTo(5);
        assertThat(ok(calls.post("cycling/blocks", "{\"count\": 2}"))
                        .path("first")
                        .longValue())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|BAD_REQUEST",
                "{\"count\": null}|BAD_REQUEST",
                "{\"count\": 0}|OUT_OF_RANGE",
                "{\"count\": -5}|OUT_OF_RANGE",
                "{\"count\": 1000001}|OUT_OF_RANGE",
            })
    void blocks_badCount_isNamed(String body, String code) {
        calls.put("a", "{}");
        problem(calls.post("a/blocks", body), code, "count");
        problem(calls.post("a/blocks", ""), 400, "BAD_REQUEST");
    }

    // ---- peek

    @Test
    void peek_takesNothing() {
        calls.put("a", "{\"start\": 7}");
        for (int i = 0; i < 3; i++) {
            assertThat(calls.get("a/peek").body()).isEqualTo("{\"value\":7,\"text\":\"7\",\"period\":null}");
        }
        assertThat(calls.send("GET", "/v1/sequences/a/peek", Map.of("accept", "text/plain"), "")
                        .body())
                .isEqualTo("7\n");
        assertThat(texts(calls.post("a/next", ""))).containsExactly("7");
        problem(calls.get("a/peek?at=2026-01-01T00:00:00Z"), "BAD_REQUEST", "at");
        problem(calls.get("b/peek"), 404, "NOT_FOUND");
    }

    @Test
    void peek_exhausted_is409() {
        calls.put("a", "{\"max\": 2}");
        calls.post("a/next", "{\"count\": 2}");
        assertThat(problem(calls.get("a/peek"), 409, "EXHAUSTED").path("limit").stringValue())
                .isEqualTo("max");
    }

    // ---- GET and list

    @Test
    void get_showsTheLastValueReturnedAndTheMark() {
        calls.put("a", "{\"cache\": 100, \"max\": 1000}");
        calls.post("a/next", "{\"count\": 3}");

        JsonNode state = ok(calls.get("a"));

        assertThat(state.path("lastValue").longValue()).isEqualTo(3);
        assertThat(state.path("highWaterMark").longValue()).isGreaterThanOrEqualTo(100);
        assertThat(state.path("remaining").stringValue()).isEqualTo("997");
    }

    @Test
    void get_cycling_hasNoRemaining() {
        assertThat(ok(calls.put("a", "{\"cycle\": true}")).path("remaining").isNull())
                .isTrue();
    }

    @Test
    void get_wholeRange_hasARemainingBeyond64Bits() {
        assertThat(ok(calls.put("a", "{\"min\": -9223372036854775808}"))
                        .path("remaining")
                        .stringValue())
                .isEqualTo("18446744073709551616");
    }

    @Test
    void get_unknownParameter_isBadRequest() {
        calls.put("a", "{}");
        problem(calls.get("a?x=1"), "BAD_REQUEST", "x");
    }

    @Test
    void list_pagesThroughAllInOrder() {
        for (String name : List.of("b", "A", "c.2", "c.1", "d")) {
            calls.put(name, "{}");
        }
        JsonNode all = ok(calls.send("GET", "/v1/sequences", ""));
        assertThat(names(all)).containsExactly("A", "b", "c.1", "c.2", "d");
        assertThat(all.path("next").isNull()).isTrue();
        assertThat(all.path("items").get(0)).isEqualTo(ok(calls.get("A")));

        JsonNode first = ok(calls.send("GET", "/v1/sequences?limit=2", ""));
        assertThat(names(first)).containsExactly("A", "b");
        assertThat(first.path("next").stringValue()).isEqualTo("b");
        JsonNode second = ok(calls.send("GET", "/v1/sequences?limit=3&after=b", ""));
        assertThat(names(second)).containsExactly("c.1", "c.2", "d");
        assertThat(second.path("next").isNull()).isTrue();

        assertThat(names(ok(calls.send("GET", "/v1/sequences?prefix=c.", "")))).containsExactly("c.1", "c.2");
        assertThat(names(ok(calls.send("GET", "/v1/sequences?prefix=%01&after=%F0%9F%98%80", ""))))
                .isEmpty();
    }

    @Test
    void list_moreThanTheDefaultLimit_givesAHundred() {
        IntStream.range(0, 101).forEach(i -> calls.put("s" + i, "{}"));
        JsonNode page = ok(calls.send("GET", "/v1/sequences", ""));
        assertThat(page.path("items").size()).isEqualTo(100);
        assertThat(ok(calls.send(
                                "GET",
                                "/v1/sequences?after=" + page.path("next").stringValue(),
                                ""))
                        .path("items")
                        .size())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "limit=0, OUT_OF_RANGE, limit",
        "limit=-1, OUT_OF_RANGE, limit",
        "limit=1001, OUT_OF_RANGE, limit",
        "limit=99999999999999999999, OUT_OF_RANGE, limit",
        "limit=1e1, BAD_REQUEST, limit",
        "limit=+1, BAD_REQUEST, limit",
        "limit=01, BAD_REQUEST, limit",
        "limit=-0, BAD_REQUEST, limit",
        "limit=, BAD_REQUEST, limit",
        "limit=1&limit=2, BAD_REQUEST, limit",
        "prefix=a%00, BAD_REQUEST, prefix",
        "after=%00, BAD_REQUEST, after",
        "offset=1, BAD_REQUEST, offset",
    })
    void list_badParameter_isNamed(String query, String code, String parameter) {
        problem(calls.send("GET", "/v1/sequences?" + query, ""), code, parameter);
    }

    // ---- what is not there

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "//",
                "/v1",
                "/v2/sequences",
                "/v1/sequences/a/reservation",
                "/v1/sequences/a/next/x",
                "/v1/sequences/../../health/live",
                "/V1/sequences",
                "/health",
                "/metrics",
                "/v1/logs/x",
                "*",
                "",
            })
    void path_thatIsNotServed_is404(String path) {
        problem(calls.send("GET", path, ""), 404, "NOT_FOUND");
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /v1/sequences, 'GET, HEAD, OPTIONS'",
        "POST, /v1/sequences/a, 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'",
        "GET, /v1/sequences/a/next, 'OPTIONS, POST'",
        "HEAD, /v1/sequences/a/next, 'OPTIONS, POST'",
        "TRACE, /v1/sequences/a/next, 'OPTIONS, POST'",
        "next, /v1/sequences/a/next, 'OPTIONS, POST'",
        "PUT, /health/live, 'GET, HEAD, OPTIONS'",
    })
    void method_thatAPathDoesNotTake_is405WithAllow(String method, String path, String allowed) {
        Reply reply = calls.send(method, path, "");
        problem(reply, 405, "BAD_REQUEST");
        assertThat(reply.headers()).containsEntry("Allow", allowed);
    }

    @Test
    void options_saysWhatAPathTakes() {
        assertThat(calls.send("OPTIONS", "/v1/sequences/a/next", ""))
                .isEqualTo(Reply.noContent(Map.of("Allow", "OPTIONS, POST")));
    }

    @Test
    void health_isLiveAndReady() {
        assertThat(calls.send("GET", "/health/live", "").body()).isEqualTo("{\"status\":\"live\"}");
        assertThat(calls.send("GET", "/health/ready", "").body())
                .isEqualTo("{\"status\":\"ready\",\"warned\":0,\"warnings\":[],\"notReady\":0,\"partitions\":[]}");
    }

    static List<String> texts(Reply reply) {
        return StreamSupport.stream(ok(reply).path("items").spliterator(), false)
                .map(item -> {
                    assertThat(item.path("value").asString())
                            .isEqualTo(item.path("text").stringValue());
                    return item.path("text").stringValue();
                })
                .toList();
    }

    static List<String> names(JsonNode page) {
        return StreamSupport.stream(page.path("items").spliterator(), false)
                .map(item -> item.path("name").stringValue())
                .toList();
    }
}
