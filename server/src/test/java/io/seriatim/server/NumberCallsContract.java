package io.seriatim.server;

import static io.seriatim.server.Calls.ok;
import static io.seriatim.server.Calls.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The calls on sequences with a format as docs/http.md has them: formats, and the numbers they print. */
abstract class NumberCallsContract extends FormatCallsContract {

    /** Control characters in a scope were BAD_REQUEST, so that they could not be told from a broken call. */
    @ParameterizedTest
    @ValueSource(strings = {"\\n", "\\u0000", "\\ud800", "{0}"})
    void next_characterThatAScopeDoesNotHave_isSaidByTheScope(String characters) {
        ok(calls.put("a", BY_STORE));
        String scope = "\"scope\": {\"store\": \"N" + characters + "\"}";
        problem(calls.post("a/next", "{" + scope + "}"), 400, "SCOPE_VALUE_INVALID");
        problem(
                calls.post("a/restart", "{\"value\": 5, \"period\": \"2026-07-09\", " + scope + "}"),
                400,
                "SCOPE_VALUE_INVALID");
        problem(calls.get("a/peek?scope.store=N%00"), 400, "SCOPE_VALUE_INVALID");
    }

    // ---- showing

    @Test
    void get_withAnOccasion_showsThatCounter() {
        ok(calls.put("a", BY_STORE.replaceFirst("\\{", "{\"max\": 9, \"warnAt\": 8, ")));
        assertThat(nextOf("N")).containsExactly("N-20260709-001");
        assertThat(nextOf("N")).containsExactly("N-20260709-002");
        JsonNode counter = ok(calls.get("a?date=2026-07-09&scope.store=n"));
        assertThat(counter.path("lastValue").longValue()).isEqualTo(2);
        assertThat(counter.path("remaining").asString()).isEqualTo("7");
        assertThat(counter.path("warnAt").longValue()).isEqualTo(8);
        assertThat(ok(calls.get("a?date=2026-07-10&scope.store=n"))
                        .path("lastValue")
                        .isNull())
                .isTrue();
        problem(calls.get("a?date=2026-07-09"), 400, "SCOPE_MISSING");
    }

    // ---- defining

    @Test
    void put_aFormat_isShownWithEveryOption() {
        Reply reply = calls.put("a", BY_STORE);

        assertThat(reply.status()).isEqualTo(201);
        JsonNode state = ok(reply);
        assertThat(state.path("contract").asString()).isEqualTo("ordered");
        assertThat(state.path("start").longValue()).isEqualTo(1);
        assertThat(state.path("min").longValue()).isEqualTo(0);
        assertThat(state.path("format")).isEqualTo(Calls.json("""
                {"template": "{scope:store}-{date:yyyyMMdd}-{seq:3}", "reset": "daily", "zone": "UTC",
                 "fiscalStart": null,
                 "scopes": [{"name": "store", "max": 6, "fixed": false, "alphabet": "[A-Za-z0-9]", "case": "upper"}],
                 "maxLength": 255, "charset": null, "allowRepeats": false, "monotonicPeriod": false, "policy": null,
                 "reservationSeconds": null}"""));
        assertThat(ok(calls.get("a"))).isEqualTo(state);
        assertThat(ok(calls.send("GET", "/v1/sequences", "")).path("items").get(0))
                .isEqualTo(state);
    }

    @Test
    void put_theSameFormatAgain_is200_andAnotherIs409() {
        calls.put("a", YEARLY);
        String defaultsNamed = """
                {"contract": null, "format": {"template": "INV-{year}-{seq:4}", "reset": "yearly", "zone": null,
                 "scopes": [], "charset": null, "allowRepeats": false, "maxLength": "255"}}""";
        assertThat(calls.put("a", defaultsNamed).status()).isEqualTo(200);
        problem(calls.put("a", BY_STORE), 409, "ALREADY_EXISTS");
        problem(calls.put("a", "{}"), 409, "ALREADY_EXISTS");
        calls.put("plain", "{}");
        problem(calls.put("plain", YEARLY), 409, "ALREADY_EXISTS");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "INV-{seq|UNCLOSED_FIELD|4",
                "INV-}{seq}|UNEXPECTED_CLOSE|4",
                "{}{seq}|EMPTY_FIELD|0",
                "{seq}-{nope}|UNKNOWN_FIELD|6",
                "\\ud83d\\ude00{nope}{seq}|UNKNOWN_FIELD|1",
                "{seq:99}|BAD_SPEC|0",
                "{date:MMM}{seq}|BAD_DATE_PATTERN|0",
                "a\\nb{seq}|CONTROL_CHAR|1",
                "a\\ud800b{seq}|CONTROL_CHAR|1",
            })
    void put_badTemplate_saysWhere(String template, String code, long position) {
        JsonNode problem = problem(calls.put("a", "{\"format\": {\"template\": \"" + template + "\"}}"), 400, code);
        assertThat(problem.path("option").asString()).isEqualTo("template");
        assertThat(problem.path("position").longValue()).isEqualTo(position);
        problem(calls.get("a"), 404, "NOT_FOUND");
    }

    @Test
    void put_whatCouldRepeat_showsTheNumber() {
        JsonNode period = problem(
                calls.put("a", "{\"format\": {\"template\": \"PO{seq:5}\", \"reset\": \"daily\"}}"),
                400,
                "PERIOD_NOT_RENDERED");
        assertThat(period.path("number").asString()).isEqualTo("PO00001");
        problem(calls.put("a", """
                {"format": {"template": "{seq}", "scopes": [{"name": "store", "max": 2}]}}"""), 400, "SCOPE_NOT_RENDERED");
        problem(calls.put("a", "{\"format\": {\"template\": \"{seq}{day}{seq}\"}}"), 400, "DUPLICATE_COUNTER");
        ok(calls.put("a", """
                {"format": {"template": "PO{seq:5}", "reset": "daily", "allowRepeats": true}}"""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"format\": {}|BAD_REQUEST|format.template",
                "\"format\": {\"template\": null}|BAD_REQUEST|format.template",
                "\"format\": {\"template\": 5}|BAD_REQUEST|format.template",
                "\"format\": \"{seq}\"|BAD_REQUEST|format",
                "\"format\": [{\"template\": \"{seq}\"}]|BAD_REQUEST|format",
                "\"format\": {\"template\": \"{seq}\", \"resets\": \"daily\"}|BAD_REQUEST|format.resets",
                "\"format\": {\"template\": \"{seq}\", \"template\": \"{seq}\"}|BAD_REQUEST|format.template",
                "\"format\": {\"template\": \"{seq}\", \"reset\": true}|BAD_REQUEST|format.reset",
                "\"format\": {\"template\": \"{seq}\", \"zone\": {\"a\": 1}}|BAD_REQUEST|format.zone",
                "\"format\": {\"template\": \"{seq}\", \"maxLength\": 1e2}|BAD_REQUEST|format.maxLength",
                "\"format\": {\"template\": \"{seq}\", \"maxLength\": -0}|BAD_REQUEST|format.maxLength",
                "\"format\": {\"template\": \"{seq}\", \"maxLength\": 99999999999}|OUT_OF_RANGE|format.maxLength",
                "\"format\": {\"template\": \"{seq}\", \"allowRepeats\": \"true\"}|BAD_REQUEST|format.allowRepeats",
                "\"format\": {\"template\": \"{seq}\", \"charset\": \"\\u0007\"}|BAD_REQUEST|format.charset",
                "\"format\": {\"template\": \"{seq}\", \"scopes\": {}}|BAD_REQUEST|format.scopes",
                "\"format\": {\"template\": \"{seq}\", \"scopes\": [7]}|BAD_REQUEST|format.scopes[0]",
                "\"format\": {\"template\": \"{seq}\", \"scopes\": [[]]}|BAD_REQUEST|format.scopes[0]",
                "\"format\": {\"template\": \"{seq}\", \"scopes\": [{\"max\": 1}]}|BAD_REQUEST|format.scopes[0].name",
                "\"format\": {\"template\": \"{seq}\", \"scopes\": [{\"name\": \"a\"}]}|BAD_REQUEST|format.scopes[0].max",
                "\"format\": {\"template\": \"{seq}\", \"scopes\": [{\"name\": \"a\", \"max\": 1, \"max\": 1}]}|BAD_REQUEST|format.scopes[0].max",
                "\"format\": {\"template\": \"{seq}\", \"scopes\": [{\"name\": \"a\", \"max\": 1},{\"name\": \"a\", \"max\": 2}]}|BAD_REQUEST|format.scopes[1].name",
                "\"format\": {\"template\": \"{seq}\", \"scopes\": [{\"name\": \"a\", \"max\": 1, \"x\": 1}]}|BAD_REQUEST|format.scopes[0].x",
                "\"format\": {\"template\": \"{seq}\", \"scopes\": [{\"name\": \"a\", \"max\": 1, \"case\": \"lower\"}]}|BAD_OPTION|format.scopes[0].case",
                "\"format\": {\"template\": \"{seq}\", \"zone\": \"Nowhere\"}|BAD_ZONE|zone",
                "\"format\": {\"template\": \"{seq}\", \"reset\": \"hourly\"}|BAD_RESET|reset",
                "\"format\": {\"template\": \"{seq}\", \"policy\": \"strict\"}|BAD_OPTION|policy",
                "\"format\": {\"template\": \"{seq}\", \"maxLength\": 3}|TOO_LONG|template",
                "\"cycle\": true, \"format\": {\"template\": \"{seq}\"}|BAD_OPTION|cycle",
                "\"min\": -1, \"format\": {\"template\": \"{seq}\"}|BAD_OPTION|min",
            })
    void put_badField_isNamedByTheWayToIt(String fields, String code, String option) {
        problem(calls.put("a", "{" + fields + "}"), code, option);
        problem(calls.get("a"), 404, "NOT_FOUND");
    }

    // ---- numbers

    @Test
    void next_everyYear_startsAgain() {
        calls.put("a", YEARLY);
        Reply reply = calls.post("a/next", "{\"count\": 2, \"at\": \"2026-12-31T23:59:59.999Z\"}");
        assertThat(ok(reply)).isEqualTo(Calls.json("""
                {"sequence": "a", "generation": 1, "items": [
                 {"value": 1, "text": "INV-2026-0001", "period": "2026"},
                 {"value": 2, "text": "INV-2026-0002", "period": "2026"}]}"""));
        assertThat(nextAt("a", "2027-01-01T00:00:00Z")).containsExactly("INV-2027-0001");
        assertThat(nextAt("a", "2027-01-01T00:59:59+01:00")).containsExactly("INV-2026-0003");
    }

    @Test
    void next_withoutAReset_hasNoPeriod() {
        calls.put("a", "{\"format\": {\"template\": \"A{seq:5}\"}}");
        assertThat(ok(calls.post("a/next", "")).path("items").get(0))
                .isEqualTo(Calls.json("{\"value\": 1, \"text\": \"A00001\", \"period\": null}"));
        assertThat(ok(calls.get("a/peek")))
                .isEqualTo(Calls.json("{\"value\": 2, \"text\": \"A00002\", \"period\": null}"));
        assertThat(ok(calls.get("a")).path("lastValue").longValue()).isEqualTo(1);
    }

    @Test
    void next_asPlainText_isOneNumberALine() {
        calls.put("a", YEARLY);
        Map<String, String> accept = Map.of("accept", "text/plain");
        String date = "{\"count\": 2, \"date\": \"2026-07-09\"}";
        assertThat(calls.send("POST", "/v1/sequences/a/next", accept, date).body())
                .isEqualTo("INV-2026-0001\nINV-2026-0002\n");
        assertThat(calls.send("GET", "/v1/sequences/a/peek?date=2026-01-01", accept, "")
                        .body())
                .isEqualTo("INV-2026-0003\n");
    }

    @Test
    void next_contractFast_isPrintedToo() {
        calls.put("a", "{\"contract\": \"fast\", \"cache\": 100, \"format\": {\"template\": \"A{seq:5}\"}}");
        assertThat(texts(calls.post("a/next", "{\"count\": 3}"))).containsExactly("A00001", "A00002", "A00003");
        assertThat(texts(calls.post("a/next", ""))).containsExactly("A00004");
    }

    /** The day of the zone decides, also where it has 23 hours or 25. */
    @Test
    void next_daysOfAZone_areThoseOfItsClocks() {
        calls.put("a", """
                {"format": {"template": "{date:yyyyMMdd}-{seq}", "reset": "daily", "zone": "Europe/Berlin"}}""");
        assertThat(nextAt("a", "2026-03-28T22:59:59Z")).containsExactly("20260328-1");
        assertThat(nextAt("a", "2026-03-28T23:00:00Z")).containsExactly("20260329-1");
        assertThat(nextAt("a", "2026-03-29T21:59:59Z")).containsExactly("20260329-2");
        assertThat(nextAt("a", "2026-03-29T22:00:00Z")).containsExactly("20260330-1");
        assertThat(nextAt("a", "2026-10-24T22:00:00Z")).containsExactly("20261025-1");
        assertThat(nextAt("a", "2026-10-25T22:59:59Z")).containsExactly("20261025-2");
        assertThat(nextAt("a", "2026-10-25T23:00:00Z")).containsExactly("20261026-1");
    }

    @Test
    void next_scopes_haveCountersOfTheirOwn() {
        calls.put("a", BY_STORE);
        assertThat(nextOf("north")).containsExactly("NORTH-20260709-001");
        assertThat(nextOf("south")).containsExactly("SOUTH-20260709-001");
        assertThat(nextOf("North")).containsExactly("NORTH-20260709-002");
        assertThat(ok(calls.get("a/peek?date=2026-07-09&scope.store=north"))
                        .path("text")
                        .asString())
                .isEqualTo("NORTH-20260709-003");
        assertThat(nextOf("north")).containsExactly("NORTH-20260709-003");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|SCOPE_MISSING",
                "{\"scope\": {}}|SCOPE_MISSING",
                "{\"scope\": {\"shop\": \"N\", \"store\": \"N\"}}|SCOPE_UNKNOWN",
                "{\"scope\": {\"store\": \"NORTHERN\"}}|SCOPE_VALUE_INVALID",
                "{\"scope\": {\"store\": \"\"}}|SCOPE_VALUE_INVALID",
                "{\"scope\": {\"store\": \"N-\"}}|SCOPE_VALUE_INVALID",
                "{\"scope\": {\"store\": \"N\"}, \"date\": \"0000-01-01\"}|DATE_OUT_OF_RANGE",
            })
    void next_whatTheFormatCannotPrint_isRefused(String body, String code) {
        calls.put("a", BY_STORE);
        problem(calls.post("a/next", body), 400, code);
        assertThat(nextOf("N")).containsExactly("N-20260709-001");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"at\": \"2026-07-09\"}|at",
                "{\"at\": \"2026-07-09T10:11:12\"}|at",
                "{\"at\": \"2026-02-30T10:11:12Z\"}|at",
                "{\"at\": \"2026-07-09T24:00:00Z\"}|at",
                "{\"at\": \"+12026-07-09T10:11:12Z\"}|at",
                "{\"at\": null}|at",
                "{\"at\": 1783591872}|at",
                "{\"date\": \"2026-7-9\"}|date",
                "{\"date\": \"2026-02-29\"}|date",
                "{\"date\": \"2026-07-09\", \"at\": \"2026-07-09T10:11:12Z\"}|date",
                "{\"scope\": null}|scope",
                "{\"scope\": \"store=N\"}|scope",
                "{\"scope\": {\"store\": 7}}|scope.store",
                "{\"scope\": {\"store\": \"N\", \"store\": \"N\"}}|scope.store",
                "{\"period\": \"2026-07-09\"}|period",
            })
    void next_badField_isNamedByTheWayToIt(String body, String field) {
        calls.put("a", BY_STORE);
        problem(calls.post("a/next", body), "BAD_REQUEST", field);
        assertThat(nextOf("N")).containsExactly("N-20260709-001");
    }

    @Test
    void peek_badParameter_isNamed() {
        calls.put("a", BY_STORE);
        problem(calls.get("a/peek?at=now"), "BAD_REQUEST", "at");
        problem(calls.get("a/peek?date=2026-07-09&at=2026-07-09T10:11:12Z"), "BAD_REQUEST", "date");
        problem(calls.get("a/peek?scope=N"), "BAD_REQUEST", "scope");
        problem(calls.get("a/peek?scope.store=N&scope.store=N"), "BAD_REQUEST", "scope.store");
        problem(calls.get("a/peek"), 400, "SCOPE_MISSING");
    }

    @Test
    void dateWithoutATime_cannotPrintATime() {
        calls.put("a", "{\"format\": {\"template\": \"{date:yyyyMMddHHmmss}-{seq}\"}}");
        problem(calls.post("a/next", "{\"date\": \"2026-07-09\"}"), 400, "DATE_NO_TIME");
        assertThat(nextAt("a", "2026-07-09T10:11:12Z")).containsExactly("20260709101112-1");
    }

    @Test
    void next_atAnExactWidth_isExhausted() {
        JsonNode state = ok(calls.put("a", "{\"start\": 98, \"format\": {\"template\": \"A{seq:2!}\"}}"));
        assertThat(state.path("max").longValue()).isEqualTo(99);
        assertThat(texts(calls.post("a/next", "{\"count\": 2}"))).containsExactly("A98", "A99");
        JsonNode problem = problem(calls.post("a/next", ""), 409, "EXHAUSTED");
        assertThat(problem.path("limit").asString()).isEqualTo("max");
        assertThat(problem.path("limitValue").longValue()).isEqualTo(99);
    }

    @Test
    void blocks_areOfValues() {
        calls.put("a", YEARLY);
        problem(calls.post("a/blocks", "{\"count\": 5}"), 400, "BAD_REQUEST");
        assertThat(nextAt("a", "2026-07-09T10:11:12Z")).containsExactly("INV-2026-0001");
    }

    // ---- keys

    @Test
    void next_withAKey_isAnsweredOnceOverMidnight() {
        calls.put("a", "{\"format\": {\"template\": \"{date:yyyyMMdd}-{seq}\", \"reset\": \"daily\"}}");
        Map<String, String> key = Map.of("idempotency-key", "order-4711");
        String evening = "{\"count\": 2, \"at\": \"2026-07-09T23:59:59Z\"}";
        String morning = "{\"count\": 2, \"at\": \"2026-07-10T00:00:01Z\"}";

        Reply first = calls.send("POST", "/v1/sequences/a/next", key, evening);
        assertThat(texts(first)).containsExactly("20260709-1", "20260709-2");
        assertThat(calls.send("POST", "/v1/sequences/a/next", key, morning).body())
                .isEqualTo(first.body());
        assertThat(nextAt("a", "2026-07-10T00:00:02Z")).containsExactly("20260710-1");
        problem(
                calls.send("POST", "/v1/sequences/a/next", key, "{\"count\": 2, \"date\": \"2026-07-09\"}"),
                422,
                "KEY_REUSED");
    }

    @Test
    void next_withAKey_isPrintedAsAtFirstAfterAChange() {
        calls.put("a", YEARLY);
        Map<String, String> key = Map.of("idempotency-key", "order-4711");
        String date = "{\"date\": \"2026-07-09\"}";
        assertThat(texts(calls.send("POST", "/v1/sequences/a/next", key, date))).containsExactly("INV-2026-0001");

        ok(calls.patch("a", "{\"format\": {\"template\": \"INV/{year}/{seq:6}\"}}"));

        assertThat(texts(calls.send("POST", "/v1/sequences/a/next", key, date))).containsExactly("INV-2026-0001");
        assertThat(texts(calls.post("a/next", date))).containsExactly("INV/2026/000002");
    }

    @Test
    void next_withAKeyOfAnotherScope_isRefused() {
        calls.put("a", BY_STORE);
        Map<String, String> key = Map.of("idempotency-key", "order-4711");
        String north = "{\"date\": \"2026-07-09\", \"scope\": {\"store\": \"N\"}}";
        assertThat(texts(calls.send("POST", "/v1/sequences/a/next", key, north)))
                .containsExactly("N-20260709-001");
        problem(calls.send("POST", "/v1/sequences/a/next", key, north.replace("N\"", "S\"")), 422, "KEY_REUSED");
        assertThat(nextOf("S")).containsExactly("S-20260709-001");
    }

    // ---- changes

    @Test
    void patch_aTemplate_keepsTheCounterAndTheOtherOptions() {
        calls.put("a", BY_STORE);
        nextOf("N");
        JsonNode changed = ok(calls.patch("a", """
                {"format": {"template": "{scope:store}/{date:yyyyMMdd}/{seq:4}", "maxLength": 50}}"""));

        assertThat(changed.path("generation").longValue()).isEqualTo(2);
        assertThat(changed.at("/format/maxLength").longValue()).isEqualTo(50);
        assertThat(changed.at("/format/reset").asString()).isEqualTo("daily");
        assertThat(changed.at("/format/scopes/0/case").asString()).isEqualTo("upper");
        assertThat(nextOf("N")).containsExactly("N/20260709/0002");
        assertThat(ok(calls.patch("a", "{\"format\": {\"maxLength\": null}}"))
                        .at("/format/maxLength")
                        .longValue())
                .isEqualTo(255);
        assertThat(nextOf("N")).containsExactly("N/20260709/0003");
    }

    @Test
    void patch_scopes_areReplacedWhole() {
        calls.put("a", BY_STORE);
        ok(calls.patch("a", """
                {"format": {"template": "{scope:shop}:{date:yyyyMMdd}:{seq}",
                 "scopes": [{"name": "shop", "max": 3, "fixed": true}]}}"""));
        assertThat(format("a").path("scopes")).isEqualTo(Calls.json("""
                [{"name": "shop", "max": 3, "fixed": true, "alphabet": "[A-Za-z0-9]", "case": "exact"}]"""));
        problem(calls.post("a/next", "{\"scope\": {\"store\": \"N\"}}"), 400, "SCOPE_UNKNOWN");
    }

    @Test
    void patch_afterWhichANumberCouldComeAgain_isRefusedWithTheNumber() {
        calls.put("a", YEARLY);
        nextAt("a", "2026-07-09T10:11:12Z");
        JsonNode problem = problem(
                calls.patch("a", "{\"format\": {\"template\": \"INV-2026-{seq:4}\", \"reset\": \"never\"}}"),
                409,
                "WOULD_REPEAT");
        assertThat(problem.path("number").asString()).startsWith("INV-2026-");
        assertThat(problem.path("option").asString()).isEqualTo("template");
        assertThat(format("a").path("template").asString()).isEqualTo("INV-{year}-{seq:4}");
        assertThat(ok(calls.get("a")).path("generation").longValue()).isEqualTo(1);
    }

    @Test
    void patch_badFormat_changesNothing() {
        calls.put("a", YEARLY);
        JsonNode problem = problem(
                calls.patch("a", "{\"max\": 50, \"format\": {\"template\": \"{seq}{\"}}"), 400, "UNCLOSED_FIELD");
        assertThat(problem.path("position").longValue()).isEqualTo(5);
        problem(calls.patch("a", "{\"format\": {\"template\": null}}"), "BAD_REQUEST", "format.template");
        problem(calls.patch("a", "{\"format\": {\"x\": null}}"), "BAD_REQUEST", "format.x");
        problem(calls.patch("a", "{\"format\": null}"), "BAD_OPTION", "format");
        problem(calls.patch("a", "{\"restart\": 5}"), "BAD_REQUEST", "restart");
        assertThat(ok(calls.patch("a", "{}")).path("generation").longValue()).isEqualTo(1);
        calls.put("plain", "{}");
        problem(calls.patch("plain", YEARLY), "BAD_OPTION", "format");
        assertThat(ok(calls.patch("plain", "{\"format\": null}")).has("format")).isFalse();
    }

    @Test
    void patch_max_endsTheNumbers() {
        calls.put("a", YEARLY);
        assertThat(ok(calls.patch("a", "{\"max\": 1}")).at("/format/reset").asString())
                .isEqualTo("yearly");
        assertThat(nextAt("a", "2026-07-09T10:11:12Z")).containsExactly("INV-2026-0001");
        problem(calls.post("a/next", "{\"at\": \"2026-07-09T10:11:12Z\"}"), 409, "EXHAUSTED");
        assertThat(nextAt("a", "2027-07-09T10:11:12Z")).containsExactly("INV-2027-0001");
    }

    // ---- restart

    @Test
    void restart_isOfOnePeriodAndScope() {
        calls.put("a", BY_STORE);
        nextOf("N");
        nextOf("S");
        JsonNode state = ok(calls.post("a/restart", """
                {"value": 50, "fresh": true, "period": "2026-07-09", "scope": {"store": "n"}}"""));
        assertThat(state.path("name").asString()).isEqualTo("a");
        assertThat(state.at("/format/reset").asString()).isEqualTo("daily");
        assertThat(nextOf("N")).containsExactly("N-20260709-050");
        assertThat(nextOf("S")).containsExactly("S-20260709-002");
        String back = "{\"value\": 1, \"period\": \"2026-07-09\", \"scope\": {\"store\": \"N\"}";
        problem(calls.post("a/restart", back + "}"), 409, "BEHIND");
        ok(calls.post("a/restart", back + ", \"allowReuse\": true, \"reason\": \"none was printed\"}"));
        assertThat(nextOf("N")).containsExactly("N-20260709-002");
    }

    /** The change waited for ever for a definition that it would only have read by writing. */
    @Test
    void patch_afterARestartOfACounter_isSignedAndGoesThrough() {
        calls.put("a", BY_STORE);
        nextOf("N");
        ok(calls.post("a/restart", """
                {"value": 50, "fresh": true, "period": "2026-07-09", "scope": {"store": "n"}}"""));
        ok(calls.patch(
                "a",
                "{\"format\": {\"template\": \"X-{scope:store}-{date:yyyyMMdd}-{seq:3}\"}, "
                        + "\"reason\": \"a new letter\"}"));
        assertThat(nextOf("N")).containsExactly("X-N-20260709-050");
        JsonNode last = ok(calls.get("a/audit")).path("items").get(2);
        assertThat(last.path("action").asString()).isEqualTo("alter");
        assertThat(last.path("why").asString()).isEqualTo("a new letter");
    }

    @Test
    void restart_withoutAReset_needsNoPeriod() {
        calls.put("a", "{\"format\": {\"template\": \"{year:2}-{seq:3}\"}}");
        ok(calls.post("a/restart", "{\"value\": 7}"));
        assertThat(nextAt("a", "2026-07-09T10:11:12Z")).containsExactly("26-008");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"value\": 5, \"scope\": {\"store\": \"N\"}}|BAD_REQUEST|period",
                "{\"value\": 5, \"period\": \"2026-07-09\"}|BAD_REQUEST|scope",
                "{\"value\": 5, \"period\": \"2026-07\", \"scope\": {\"store\": \"N\"}}|DATE_OUT_OF_RANGE|period",
                "{\"value\": 5, \"period\": \"2026-02-30\", \"scope\": {\"store\": \"N\"}}|DATE_OUT_OF_RANGE|period",
                "{\"value\": 5, \"period\": \"\", \"scope\": {\"store\": \"N\"}}|DATE_OUT_OF_RANGE|period",
                "{\"value\": 5, \"period\": null, \"scope\": {\"store\": \"N\"}}|BAD_REQUEST|period",
                "{\"value\": -5, \"period\": \"2026-07-09\", \"scope\": {\"store\": \"N\"}}|OUT_OF_RANGE|value",
            })
    void restart_badField_isNamed(String body, String code, String field) {
        calls.put("a", BY_STORE);
        problem(calls.post("a/restart", body), code, field);
        assertThat(nextOf("N")).containsExactly("N-20260709-001");
    }

    // ---- the rest

    @Test
    void defineTrue_definesTheFormatOfTheDefault() {
        try (Calls calls = new Calls(emptyStore(), Duration.ofSeconds(5), SequenceJson.definition(YEARLY))) {
            String date = "{\"date\": \"2026-07-09\"}";
            assertThat(texts(calls.post("a/next?define=true", date))).containsExactly("INV-2026-0001");
            assertThat(texts(calls.post("a/next?define=true", date))).containsExactly("INV-2026-0002");
        }
        problem(calls.post("a/next?define=true", "{\"date\": \"2026-07-09\"}"), "BAD_REQUEST", "date");
        problem(calls.get("a"), 404, "NOT_FOUND");
    }

    @Test
    void drop_endsEveryCounter() {
        calls.put("a", YEARLY);
        nextAt("a", "2026-07-09T10:11:12Z");
        assertThat(calls.delete("a").status()).isEqualTo(204);
        problem(calls.post("a/next", ""), 404, "NOT_FOUND");
        calls.put("a", YEARLY);
        assertThat(nextAt("a", "2026-07-09T10:11:12Z")).containsExactly("INV-2026-0001");
    }
}
