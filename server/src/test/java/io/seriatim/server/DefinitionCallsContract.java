package io.seriatim.server;

import static io.seriatim.server.Calls.ok;
import static io.seriatim.server.Calls.problem;
import static io.seriatim.server.SequenceCallsContract.names;
import static io.seriatim.server.SequenceCallsContract.texts;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The calls that define, change and drop a sequence as docs/http.md has them, and the audit trail of it. */
abstract class DefinitionCallsContract extends CallsContract {

    // ---- PUT

    @Test
    void put_unknownName_createsAndShowsEveryOption() {
        Instant before = Instant.now();
        Reply reply = calls.put("orders", "{\"start\": 1000, \"cache\": 100}");

        assertThat(reply.status()).isEqualTo(201);
        JsonNode state = ok(reply);
        assertThat(List.copyOf(state.propertyNames()))
                .containsExactly(
                        "name",
                        "contract",
                        "type",
                        "start",
                        "min",
                        "max",
                        "increment",
                        "cycle",
                        "cache",
                        "warnAt",
                        "lastValue",
                        "highWaterMark",
                        "generation",
                        "remaining",
                        "daysLeft",
                        "created",
                        "modified");
        assertThat(state.path("name").asString()).isEqualTo("orders");
        assertThat(state.path("contract").asString()).isEqualTo("fast");
        assertThat(state.path("type").asString()).isEqualTo("bigint");
        assertThat(state.path("start").longValue()).isEqualTo(1000);
        assertThat(state.path("min").longValue()).isEqualTo(1);
        assertThat(state.path("max").longValue()).isEqualTo(Long.MAX_VALUE);
        assertThat(state.path("increment").longValue()).isEqualTo(1);
        assertThat(state.path("cycle").isBoolean()).isTrue();
        assertThat(state.path("cycle").booleanValue()).isFalse();
        assertThat(state.path("cache").longValue()).isEqualTo(100);
        assertThat(state.path("lastValue").isNull()).isTrue();
        assertThat(state.path("highWaterMark").isNull()).isTrue();
        assertThat(state.path("generation").longValue()).isEqualTo(1);
        assertThat(state.path("remaining").stringValue()).isEqualTo("9223372036854774808");
        assertThat(Instant.parse(state.path("created").stringValue())).isBetween(before, Instant.now());
        assertThat(state.path("modified")).isEqualTo(state.path("created"));
    }

    @Test
    void put_emptyDefinition_hasAutoCache() {
        assertThat(ok(calls.put("a", "{}")).path("cache").stringValue()).isEqualTo("auto");
    }

    @Test
    void put_sameDefinitionAgain_is200AndChangesNothing() {
        String first = calls.put("a", "{\"max\": 5}").body();
        calls.post("a/next", "");

        Reply again = calls.put("a", "{\"start\": 1, \"max\": \"5\", \"cache\": \"auto\"}");

        assertThat(again.status()).isEqualTo(200);
        assertThat(ok(again).path("created")).isEqualTo(Calls.json(first).path("created"));
        assertThat(ok(again).path("generation").longValue()).isEqualTo(1);
        assertThat(texts(calls.post("a/next", ""))).containsExactly("2");
    }

    @Test
    void put_otherDefinition_is409() {
        calls.put("a", "{}");
        problem(calls.put("a", "{\"max\": 5}"), 409, "ALREADY_EXISTS");
    }

    @Test
    void put_nameThatDiffersByCase_is409() {
        calls.put("Orders", "{}");
        problem(calls.put("orders", "{}"), 409, "NAME_CASE");
        problem(calls.get("orders"), 404, "NOT_FOUND");
    }

    @Test
    void put_integersAsTextOrNull_areTheSame() {
        JsonNode state = ok(calls.put("a", """
                {"start": "-5", "min": "-9223372036854775808", "max": 9223372036854775807, "increment": null}"""));
        assertThat(state.path("start").longValue()).isEqualTo(-5);
        assertThat(state.path("min").longValue()).isEqualTo(Long.MIN_VALUE);
        assertThat(state.path("increment").longValue()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"start\": 1.0}|start",
                "{\"start\": 1e3}|start",
                "{\"start\": \"+1\"}|start",
                "{\"start\": \" 1\"}|start",
                "{\"start\": \"1 \"}|start",
                "{\"start\": \"\"}|start",
                "{\"start\": \"-\"}|start",
                "{\"start\": \"0x10\"}|start",
                "{\"start\": \"\u0661\u0662\"}|start",
                "{\"start\": \"1.0\"}|start",
                "{\"start\": \"01\"}|start",
                "{\"start\": \"00\"}|start",
                "{\"start\": \"-01\"}|start",
                "{\"start\": \"-0\"}|start",
                "{\"start\": -0}|start",
                "{\"cache\": \"0100\"}|cache",
                "{\"start\": true}|start",
                "{\"start\": [1]}|start",
                "{\"start\": {\"a\": 1}}|start",
                "{\"cycle\": \"true\"}|cycle",
                "{\"cycle\": 1}|cycle",
                "{\"type\": 1}|type",
                "{\"contract\": false}|contract",
                "{\"cache\": \"AUTO\"}|cache",
                "{\"cache\": true}|cache",
                "{\"startt\": 1}|startt",
                "{\"name\": \"a\"}|name",
                "{\"start\": 1, \"start\": 1}|start",
                "{\"start\": 1, \"\\u0073tart\": 1}|start",
            })
    void put_wrongField_isBadRequestThatNamesIt(String body, String field) {
        problem(calls.put("a", body), "BAD_REQUEST", field);
        problem(calls.get("a"), 404, "NOT_FOUND");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "1",
                "\"a\"",
                "[]",
                "[{}]",
                "{",
                "{\"start\"",
                "{\"start\": 1",
                "{\"start\": 1,}",
                "{\"start\": +1}",
                "{\"start\": 01}",
                "{\"start\": NaN}",
                "{start: 1}",
                "{'start': 1}",
                "{} {}",
                "{}x",
                "{} // why",
                "\ufeff{}",
                "{\"start\": \u0661}",
                "{\"a\": \"\u0000\"}",
            })
    void put_bodyThatIsNotOneJsonObject_isBadRequest(String body) {
        problem(calls.put("a", body), 400, "BAD_REQUEST");
    }

    @Test
    void put_nestedDeeply_isBadRequest() {
        problem(calls.put("a", "{\"start\": " + "[".repeat(30_000)), 400, "BAD_REQUEST");
        problem(calls.put("a", "{\"start\": " + "{\"a\": ".repeat(10_000)), 400, "BAD_REQUEST");
        problem(calls.put("a", "[".repeat(60_000)), 400, "BAD_REQUEST");
    }

    @Test
    void put_fieldWithALongName_isBadRequestWithAShortAnswer() {
        Reply reply = calls.put("a", "{\"" + "x".repeat(60_000) + "\": 1}");
        problem(reply, 400, "BAD_REQUEST");
        assertThat(reply.body().length()).isLessThan(500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775808", "-9223372036854775809", "\"9223372036854775808\""})
    void put_integerBeyond64Bits_isOutOfRange(String number) {
        problem(calls.put("a", "{\"max\": " + number + "}"), "OUT_OF_RANGE", "max");
    }

    @Test
    void put_integerOf100_000Digits_isOutOfRangeWithAShortAnswer() {
        for (String number :
                List.of("9".repeat(100_000), "-" + "9".repeat(100_000), "\"" + "9".repeat(100_000) + "\"")) {
            Reply reply = calls.put("a", "{\"max\": " + number + "}");
            problem(reply, "OUT_OF_RANGE", "max");
            assertThat(reply.body().length()).isLessThan(500);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"increment\": 0}|increment",
                "{\"min\": 10, \"start\": 5}|start",
                "{\"min\": 2, \"max\": 1}|min",
                "{\"cache\": 0}|cache",
                "{\"type\": \"smallint\", \"max\": 32768}|max",
                "{\"type\": \"tinyint\"}|type",
                "{\"contract\": \"quick\"}|contract",
                "{\"warnAt\": 0}|warnAt",
                "{\"warnAt\": 5, \"cycle\": true}|warnAt",
            })
    void put_badOption_isNamed(String body, String option) {
        problem(calls.put("a", body), "BAD_OPTION", option);
        problem(calls.get("a"), 404, "NOT_FOUND");
    }

    // ---- names

    @ParameterizedTest
    @ValueSource(
            strings = {
                "..",
                ".",
                "%2e%2e",
                "-a",
                "_a",
                "a%2Fb",
                "%2F",
                "a%00b",
                "%00",
                "a%0d%0ab",
                "a%20b",
                "a+b",
                "%C3%A4",
                "%F0%9F%98%80",
                "a;b=c",
                "a:b",
                "a%25",
                "",
            })
    void name_thatBreaksTheRule_isBadName(String name) {
        problem(calls.put(name, "{}"), "BAD_NAME", "name");
        problem(calls.get(name), "BAD_NAME", "name");
        problem(calls.post(name + "/next", ""), "BAD_NAME", "name");
        problem(calls.post(name + "/next?define=true", ""), "BAD_NAME", "name");
        problem(calls.delete(name), "BAD_NAME", "name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%1", "%zz", "a%", "%ff", "%C3", "%c0%af", "%ed%a0%80", "%-1"})
    void name_thatIsNotPercentEncodedUtf8_isBadRequest(String name) {
        problem(calls.get(name), 400, "BAD_REQUEST");
    }

    @Test
    void name_of128Characters_isTaken_andOf129IsNot() {
        assertThat(calls.put("a".repeat(128), "{}").status()).isEqualTo(201);
        problem(calls.put("a".repeat(129), "{}"), "BAD_NAME", "name");
    }

    @Test
    void name_isDecodedOnce() {
        assertThat(calls.put("%61.B_c-9", "{}").status()).isEqualTo(201);
        assertThat(ok(calls.get("a.B_c-9")).path("name").stringValue()).isEqualTo("a.B_c-9");
        problem(calls.get("%2561"), "BAD_NAME", "name");
    }

    // ---- PATCH

    @Test
    void patch_changesOnlyWhatIsNamed() {
        calls.put("a", "{\"start\": 5, \"max\": 10, \"cache\": 20}");
        calls.post("a/next", "");

        JsonNode state = ok(calls.patch("a", "{\"max\": 100, \"cache\": null}"));

        assertThat(state.path("max").longValue()).isEqualTo(100);
        assertThat(state.path("cache").stringValue()).isEqualTo("auto");
        assertThat(state.path("start").longValue()).isEqualTo(5);
        assertThat(state.path("generation").longValue()).isEqualTo(2);
        assertThat(texts(calls.post("a/next", ""))).containsExactly("6");
    }

    @Test
    void patch_allOrNothing() {
        calls.put("a", "{\"max\": 10}");
        problem(calls.patch("a", "{\"max\": 20, \"increment\": 0}"), "BAD_OPTION", "increment");
        problem(calls.patch("a", "{\"max\": 20, \"restart\": 21}"), "BAD_OPTION", "restart");
        problem(calls.patch("a", "{\"max\": 20, \"format\": {}}"), "BAD_OPTION", "format");
        assertThat(ok(calls.get("a")).path("max").longValue()).isEqualTo(10);
        assertThat(ok(calls.get("a")).path("generation").longValue()).isEqualTo(1);
    }

    @Test
    void warnAt_isShownWithWhatIsLeftAndChanged() {
        JsonNode plain = ok(calls.put("plain", "{}"));
        assertThat(plain.path("warnAt").isNull()).isTrue();
        assertThat(plain.path("daysLeft").isNull()).isTrue();
        assertThat(ok(calls.put("a", "{\"max\": 10, \"warnAt\": \"3\"}")).path("warnAt"))
                .isEqualTo(Calls.json("3"));
        ok(calls.post("a/next", "{\"count\": 10}"));
        JsonNode exhausted = ok(calls.get("a"));
        assertThat(exhausted.path("remaining").asString()).isEqualTo("0");
        assertThat(exhausted.path("daysLeft").asDouble()).isEqualTo(0.0);
        assertThat(exhausted.path("daysLeft").isNumber()).isTrue();
        problem(calls.patch("a", "{\"cycle\": true}"), "BAD_OPTION", "warnAt");
        assertThat(ok(calls.patch("a", "{\"warnAt\": null}")).path("warnAt").isNull())
                .isTrue();
        problem(calls.get("a?at=2026-07-09T10:11:12Z"), "BAD_REQUEST", "at");
        problem(calls.get("a?scope.x=1"), "BAD_REQUEST", "scope");
    }

    /** Few values left are no failure: whoever took the server out of service would make it one. */
    @Test
    void ready_fewValuesLeft_is200AndSaysOfWhich() {
        ok(calls.put("a", "{\"max\": 10, \"warnAt\": 3}"));
        ok(calls.put("b", "{\"max\": 10}"));
        ok(calls.post("a/next", "{\"count\": 8}"));
        ok(calls.post("b/next", "{\"count\": 8}"));
        Reply ready = calls.send("GET", "/health/ready", "");
        assertThat(ok(ready)).isEqualTo(Calls.json("""
                {"status": "ready", "warned": 1, "warnings": [
                 {"sequence": "a", "period": null, "scope": null, "remaining": "2", "warnAt": 3, "daysLeft": null}],
                 "notReady": 0, "partitions": []}"""));
    }

    /** Names are for those who have leave to see them; where tokens are asked for, health asks nobody. */
    @Test
    void ready_callerWhoMaySeeNothing_isToldHowMany() {
        ok(calls.put("a", "{\"max\": 10, \"warnAt\": 10}"));
        Reply ready = calls.send(new Call("GET", "/health/ready", "", Map.of(), "", Caller.UNKNOWN));
        assertThat(ready.body()).isEqualTo("{\"status\":\"ready\",\"warned\":1,\"notReady\":0}");
    }

    @Test
    void optionsWithoutAValue_areTheirDefaults() {
        ok(calls.put("a", "{\"max\": 10, \"format\": null, \"warnAt\": null}"));
        JsonNode state = ok(calls.patch("a", "{\"max\": 20, \"format\": null}"));
        assertThat(state.path("max").longValue()).isEqualTo(20);
        problem(calls.post("a/next", "{\"scope\": null}"), "BAD_REQUEST", "scope");
    }

    @Test
    void patch_nothing_changesNothing() {
        calls.put("a", "{}");
        assertThat(ok(calls.patch("a", "{}")).path("generation").longValue()).isEqualTo(1);
    }

    @Test
    void patch_restart_thatValueComesNext_nullIsTheStart() {
        calls.put("a", "{\"start\": 7}");
        calls.post("a/next", "");
        ok(calls.patch("a", "{\"restart\": 50, \"increment\": 10}"));
        assertThat(texts(calls.post("a/next", "{\"count\": 2}"))).containsExactly("50", "60");

        problem(calls.patch("a", "{\"restart\": null}"), 409, "BEHIND");
        problem(calls.patch("a", "{\"restart\": null, \"allowReuse\": true}"), "REASON_REQUIRED", "reason");
        problem(
                calls.patch("a", "{\"restart\": null, \"allowReuse\": true, \"reason\": \" \"}"),
                "REASON_REQUIRED",
                "reason");
        problem(calls.patch("a", "{\"restart\": null, \"allowReuse\": false, \"reason\": \"x\"}"), 409, "BEHIND");
        ok(calls.patch("a", "{\"restart\": null, \"allowReuse\": true, \"reason\": \"test data\"}"));
        assertThat(texts(calls.post("a/next", ""))).containsExactly("7");
    }

    @Test
    void patch_badBody_isBadRequest() {
        calls.put("a", "{}");
        problem(calls.patch("a", ""), 400, "BAD_REQUEST");
        problem(calls.patch("a", "{\"restart\": \"x\"}"), "BAD_REQUEST", "restart");
        problem(calls.patch("a", "{\"restart\": \"05\"}"), "BAD_REQUEST", "restart");
        problem(calls.patch("a", "{\"restart\": 9223372036854775808}"), "OUT_OF_RANGE", "restart");
        problem(calls.patch("a", "{\"restart\": 5, \"allowReuse\": 1}"), "BAD_REQUEST", "allowReuse");
        problem(calls.patch("a", "{\"restart\": 5, \"reason\": 1}"), "BAD_REQUEST", "reason");
        problem(calls.patch("a", "{\"value\": 5}"), "BAD_REQUEST", "value");
        problem(calls.patch("b", "{\"max\": 5}"), 404, "NOT_FOUND");
    }

    // ---- audit

    @Test
    void audit_tellsOfEveryChangeAlsoAfterADrop() {
        calls.send("PUT", "/v1/sequences/a?reason=we+begin", "{\"max\": 500}");
        calls.put("a", "{\"max\": 500}");
        calls.post("a/next", "{\"count\": 9}");
        ok(calls.patch("a", "{\"max\": 5000, \"reason\": \"more room\"}"));
        ok(calls.patch("a", "{\"reason\": \"nothing is changed\"}"));
        ok(calls.post("a/restart", "{\"value\": 3, \"allowReuse\": true, \"reason\": \"not used\"}"));
        ok(calls.post("a/restart", "{\"value\": 7}"));
        ok(calls.post("a/gone", "{\"node\": \"4fd1a20c99b1e7d3\", \"reason\": \"it was not listed\"}"));
        assertThat(calls.send("DELETE", "/v1/sequences/a?reason=%C3%A4nderung", "")
                        .status())
                .isEqualTo(204);

        JsonNode trail = ok(calls.get("a/audit"));

        assertThat(trail.path("next").isNull()).isTrue();
        assertThat(of(trail, "index")).containsExactly("1", "2", "3", "4", "5");
        assertThat(of(trail, "action")).containsExactly("define", "alter", "restart", "restart", "drop");
        assertThat(of(trail, "who")).containsOnly("-");
        assertThat(of(trail, "why")).containsExactly("we begin", "more room", "not used", "null", "änderung");
        assertThat(of(trail, "generation")).containsExactly("1", "2", "3", "4", "5");
        assertThat(of(trail, "was"))
                .startsWith("{}", "{\"max\":\"500\"}", "{\"lastValue\":\"9\"}", "{\"lastValue\":\"3\"}");
        assertThat(of(trail, "now"))
                .containsSubsequence("{\"max\":\"5000\"}", "{\"lastValue\":\"3\"}", "{\"lastValue\":\"7\"}", "{}");
        assertThat(trail.path("items").get(0).path("now").path("name").stringValue())
                .isEqualTo("a");
        assertThat(Instant.parse(trail.path("items").get(4).path("at").stringValue()))
                .isAfter(Instant.now().minusSeconds(60));

        calls.put("a", "{}");
        assertThat(of(ok(calls.get("a/audit?after=4&limit=2")), "action")).containsExactly("drop", "define");
    }

    private static List<String> of(JsonNode trail, String field) {
        return StreamSupport.stream(trail.path("items").spliterator(), false)
                .map(item -> item.path(field).isString()
                        ? item.path(field).stringValue()
                        : item.path(field).toString())
                .toList();
    }

    @Test
    void audit_pages_leadToTheLast() {
        calls.put("a", "{}");
        for (int i = 0; i < 4; i++) {
            ok(calls.patch("a", "{\"max\": " + (100 + i) + "}"));
        }
        JsonNode page = ok(calls.get("a/audit?limit=2"));
        assertThat(of(page, "index")).containsExactly("1", "2");
        page = ok(calls.get("a/audit?limit=3&after=" + page.path("next").longValue()));
        assertThat(of(page, "index")).containsExactly("3", "4", "5");
        assertThat(page.path("next").isNull()).isTrue();
        assertThat(of(ok(calls.get("a/audit?after=5")), "index")).isEmpty();
    }

    @Test
    void audit_ofNothing_is404_andBadParametersAreNamed() {
        problem(calls.get("a/audit"), 404, "NOT_FOUND");
        problem(calls.get("a%2Fb/audit"), 400, "BAD_NAME");
        calls.put("a", "{}");
        problem(calls.get("a/audit?after=-1"), "OUT_OF_RANGE", "after");
        problem(calls.get("a/audit?after=x"), "BAD_REQUEST", "after");
        problem(calls.get("a/audit?limit=0"), "OUT_OF_RANGE", "limit");
        problem(calls.get("a/audit?limit=1001"), "OUT_OF_RANGE", "limit");
        problem(calls.get("a/audit?prefix=a"), "BAD_REQUEST", "prefix");
        problem(calls.post("a/audit", ""), 405, "BAD_REQUEST");
    }

    @Test
    void reason_thatCannotBeKept_isRefusedAndChangesNothing() {
        String state = calls.put("a", "{}").body();
        for (String reason : List.of("", " ", "a\\nb", "\\u0000", "\\u007f", "x".repeat(1_001))) {
            String field = "\"reason\": \"" + reason + "\"}";
            problem(calls.patch("a", "{\"max\": 5, " + field), "BAD_REQUEST", "reason");
            problem(calls.patch("a", "{\"restart\": 5, " + field), "BAD_REQUEST", "reason");
            problem(calls.post("a/restart", "{\"value\": 5, " + field), "BAD_REQUEST", "reason");
        }
        for (String reason : List.of("a\\tb", "x".repeat(1_001))) {
            String field = "\"reason\": \"" + reason + "\"}";
            problem(calls.post("a/restart", "{\"value\": 5, \"allowReuse\": true, " + field), "BAD_REQUEST", "reason");
            problem(calls.post("a/gone", "{\"node\": \"x\", " + field), "BAD_REQUEST", "reason");
        }
        for (String reason : List.of("", "+", "%0A", "%00", "x".repeat(1_001))) {
            problem(calls.send("DELETE", "/v1/sequences/a?reason=" + reason, ""), "BAD_REQUEST", "reason");
            problem(calls.send("PUT", "/v1/sequences/b?reason=" + reason, "{}"), "BAD_REQUEST", "reason");
        }
        assertThat(calls.get("a").body()).isEqualTo(state);
        problem(calls.get("b/audit"), 404, "NOT_FOUND");
        ok(calls.patch("a", "{\"max\": 5, \"reason\": \"" + "\ud83d\ude00".repeat(1_000) + "\"}"));
    }

    /** A PATCH without a restart took whatever stood in the fields that are there for one. */
    @ParameterizedTest
    @ValueSource(strings = {"{%s}", "{\"max\": 20, %s}", "{\"restart\": 5, %s}"})
    void patch_fieldsOfARestart_areReadWhetherThereIsOneOrNot(String body) {
        calls.put("a", "{\"max\": 10}");
        for (String wrong : List.of("1", "\"true\"", "null", "[]")) {
            problem(calls.patch("a", body.formatted("\"allowReuse\": " + wrong)), "BAD_REQUEST", "allowReuse");
        }
        for (String wrong : WRONG_TEXTS) {
            problem(calls.patch("a", body.formatted("\"reason\": " + wrong)), "BAD_REQUEST", "reason");
        }
        problem(calls.patch("a", body.formatted("\"allowReuse\": true")), "REASON_REQUIRED", "reason");
        assertThat(ok(calls.get("a")).path("generation").longValue()).isEqualTo(1);
    }

    /** JSON values that are no text which could be kept and shown. */
    private static final List<String> WRONG_TEXTS = List.of(
            "1",
            "true",
            "null",
            "{}",
            "\"\\ud800\"",
            "\"x\\udc00y\"",
            "\"\\udc00\\ud800\"",
            "\"a\\u0000b\"",
            "\"two\\nlines\"",
            "\"a\\u001b[2J\"",
            "\"\\u0085\"",
            "\"" + "x".repeat(1_001) + "\"");

    @Test
    void textInABody_isOneLineOfUnicodeOfAtMost1000Characters() {
        calls.put("a", "{}");
        for (String wrong : WRONG_TEXTS) {
            problem(calls.post("a/restart", "{\"value\": 5, \"reason\": " + wrong + "}"), "BAD_REQUEST", "reason");
            problem(calls.post("a/gone", "{\"node\": \"n\", \"reason\": " + wrong + "}"), "BAD_REQUEST", "reason");
            problem(calls.post("a/gone", "{\"reason\": \"r\", \"node\": " + wrong + "}"), "BAD_REQUEST", "node");
            if (!wrong.equals("null")) {
                problem(calls.put("b", "{\"type\": " + wrong + "}"), "BAD_REQUEST", "type");
                problem(calls.patch("a", "{\"contract\": " + wrong + "}"), "BAD_REQUEST", "contract");
            }
        }
        for (String good : List.of("x".repeat(1_000), "\\ud83d\\ude00".repeat(1_000), "\u00e4\u0661 \u2028")) {
            ok(calls.post("a/gone", "{\"node\": \"n\", \"reason\": \"" + good + "\"}"));
            ok(calls.patch("a", "{\"reason\": \"" + good + "\"}"));
        }
        assertThat(ok(calls.get("a")).path("generation").longValue()).isEqualTo(1);
    }

    // ---- restart

    @Test
    void restart_countsAsJustIssued_freshComesNext() {
        calls.put("a", "{}");
        ok(calls.post("a/restart", "{\"value\": 10}"));
        assertThat(texts(calls.post("a/next", ""))).containsExactly("11");
        ok(calls.post("a/restart", "{\"value\": \"20\", \"fresh\": true}"));
        assertThat(texts(calls.post("a/next", ""))).containsExactly("20");
        assertThat(ok(calls.get("a")).path("generation").longValue()).isEqualTo(3);
    }

    @Test
    void restart_backwards_needsLeaveAndReason() {
        calls.put("a", "{}");
        calls.post("a/next", "{\"count\": 9}");
        problem(calls.post("a/restart", "{\"value\": 3}"), 409, "BEHIND");
        problem(calls.post("a/restart", "{\"value\": 3, \"allowReuse\": true}"), "REASON_REQUIRED", "reason");
        ok(calls.post("a/restart", "{\"value\": 3, \"allowReuse\": true, \"reason\": \"numbers were not used\"}"));
        assertThat(texts(calls.post("a/next", ""))).containsExactly("4");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"value\": 0}|OUT_OF_RANGE|value",
                "{\"value\": 101}|OUT_OF_RANGE|value",
                "{\"value\": 9223372036854775808}|OUT_OF_RANGE|value",
                "{}|BAD_REQUEST|value",
                "{\"value\": null}|BAD_REQUEST|value",
                "{\"value\": \"05\"}|BAD_REQUEST|value",
                "{\"value\": \"-0\"}|BAD_REQUEST|value",
                "{\"value\": 5, \"fresh\": \"true\"}|BAD_REQUEST|fresh",
                "{\"value\": 5, \"fresh\": null}|BAD_REQUEST|fresh",
                "{\"value\": 5, \"period\": \"2026\"}|BAD_REQUEST|period",
                "{\"value\": 5, \"scope\": {}}|BAD_REQUEST|scope",
                "{\"value\": 5, \"restart\": 5}|BAD_REQUEST|restart",
            })
    void restart_badField_isNamed(String body, String code, String field) {
        calls.put("a", "{\"max\": 100}");
        problem(calls.post("a/restart", body), code, field);
        assertThat(texts(calls.post("a/next", ""))).containsExactly("1");
    }

    @Test
    void restart_unknownName_is404() {
        problem(calls.post("a/restart", "{\"value\": 5}"), 404, "NOT_FOUND");
    }

    // ---- DELETE

    @Test
    void delete_thenEveryCallIs404_andTheNameStartsAnew() {
        calls.put("a", "{}");
        calls.post("a/next", "{\"count\": 5}");

        Reply reply = calls.delete("a");

        assertThat(reply).isEqualTo(Reply.noContent(Map.of()).on(new Route("DELETE", "/v1/sequences/{name}")));
        problem(calls.delete("a"), 404, "NOT_FOUND");
        problem(calls.get("a"), 404, "NOT_FOUND");
        problem(calls.post("a/next", ""), 404, "NOT_FOUND");
        problem(calls.post("a/blocks", "{\"count\": 1}"), 404, "NOT_FOUND");
        assertThat(names(ok(calls.send("GET", "/v1/sequences", "")))).isEmpty();
        assertThat(calls.put("a", "{}").status()).isEqualTo(201);
        assertThat(texts(calls.post("a/next", ""))).containsExactly("1");
        assertThat(ok(calls.get("a")).path("generation").longValue()).isGreaterThan(1);
    }
}
