package io.seriatim.server;

import static io.seriatim.server.Calls.ok;
import static io.seriatim.server.Calls.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The calls on what became of numbers as docs/http.md has them: reservations, ledgers, periods, voids. */
abstract class LedgerCallsContract extends FormatCallsContract {

    private static final String DATE = "{\"date\": \"2026-07-09\"}";

    // ---- reservations

    private void defineGapless(String more) {
        ok(calls.put("a", """
                {"contract": "gapless", "format": {"template": "INV/{year}/{seq:4}", "reset": "yearly"%s}}""".formatted(more)));
    }

    private JsonNode reserve() {
        return ok(calls.post("a/reservations", DATE));
    }

    private Reply step(JsonNode reservation, String step) {
        return calls.post("a/reservations/" + reservation.path("id").asString() + "/" + step, "");
    }

    private JsonNode gaps(String query) {
        return ok(calls.get("a/gaps?period=2026" + query));
    }

    @Test
    void reserve_confirm_cancel_moveOnce() {
        defineGapless("");
        Reply made = calls.post("a/reservations", DATE);
        assertThat(made.status()).isEqualTo(201);
        JsonNode first = ok(made);
        assertThat(first.propertyNames()).containsExactly("id", "value", "text", "period", "state", "expiresAt");
        assertThat(first.path("value").longValue()).isEqualTo(1);
        assertThat(first.path("text").asString()).isEqualTo("INV/2026/0001");
        assertThat(first.path("period").asString()).isEqualTo("2026");
        assertThat(first.path("state").asString()).isEqualTo("open");
        assertThat(first.path("expiresAt").isString()).isTrue();
        assertThat(ok(calls.get("a/reservations/" + first.path("id").asString())))
                .isEqualTo(first);

        JsonNode second = reserve();
        JsonNode confirmed = ok(step(second, "confirm"));
        assertThat(confirmed.path("text").asString()).isEqualTo("INV/2026/0002");
        assertThat(confirmed.path("state").asString()).isEqualTo("confirmed");
        assertThat(confirmed.path("expiresAt").isNull()).isTrue();
        assertThat(ok(step(first, "cancel")).path("state").asString()).isEqualTo("cancelled");

        for (String step : List.of("confirm", "cancel")) {
            JsonNode gone = problem(step(second, step), 409, "RESERVATION_GONE");
            assertThat(gone.path("state").asString()).isEqualTo("confirmed");
            assertThat(gone.path("detail").asString())
                    .as("the id as it was given, and the number")
                    .contains("id=" + second.path("id").asString(), "number=INV/2026/0002");
            assertThat(problem(step(first, step), 409, "RESERVATION_GONE")
                            .path("state")
                            .asString())
                    .isEqualTo("cancelled");
        }
        assertThat(reserve().path("text").asString())
                .as("a number that was given back comes first")
                .isEqualTo("INV/2026/0001");
        assertThat(texts(calls.post("a/next", DATE))).containsExactly("INV/2026/0003");
    }

    @Test
    void reserve_withAKey_isTheSameReservationInItsPresentState() {
        defineGapless("");
        Map<String, String> key = Map.of("idempotency-key", "order-4711");
        JsonNode first = ok(calls.send("POST", "/v1/sequences/a/reservations", key, DATE));
        assertThat(ok(calls.send("POST", "/v1/sequences/a/reservations", key, DATE)))
                .isEqualTo(first);
        step(first, "confirm");
        assertThat(ok(calls.send("POST", "/v1/sequences/a/reservations", key, DATE))
                        .path("state")
                        .asString())
                .isEqualTo("confirmed");
        problem(
                calls.send("POST", "/v1/sequences/a/reservations", key, "{\"date\": \"2025-07-09\"}"),
                422,
                "KEY_REUSED");
        problem(calls.send("POST", "/v1/sequences/a/next", key, DATE), 422, "KEY_REUSED");
        JsonNode known = ok(calls.get("a/numbers/INV%2F2026%2F0001"));
        assertThat(known.path("key").asString()).isEqualTo("order-4711");
        assertThat(known.path("caller").asString()).isEqualTo("-");
    }

    @Test
    void reserve_policyVoid_neverHandsTheNumberOn() {
        defineGapless(", \"policy\": \"void\", \"reservationSeconds\": 5");
        assertThat(format("a").path("policy").asString()).isEqualTo("void");
        assertThat(format("a").path("reservationSeconds").intValue()).isEqualTo(5);
        step(reserve(), "cancel");
        assertThat(reserve().path("text").asString()).isEqualTo("INV/2026/0002");
        assertThat(gaps("&all=true").at("/gaps/0")).isEqualTo(Calls.json("""
                {"first": 1, "last": 1, "firstText": "INV/2026/0001", "lastText": "INV/2026/0001",
                 "state": "voided", "reason": "cancelled"}"""));
    }

    @Test
    void patch_policyAndReservationSeconds() {
        defineGapless("");
        assertThat(format("a").path("policy").asString())
                .as("the default in force")
                .isEqualTo("relaxed");
        assertThat(format("a").path("reservationSeconds").intValue()).isEqualTo(600);
        assertThat(calls.put("a", """
                {"contract": "gapless", "format": {"template": "INV/{year}/{seq:4}", "reset": "yearly",
                 "policy": "relaxed", "reservationSeconds": 600}}""").status())
                .as("the same definition, said at length")
                .isEqualTo(200);
        ok(calls.patch("a", "{\"format\": {\"policy\": \"strict\", \"reservationSeconds\": \"30\"}}"));
        assertThat(format("a").path("policy").asString()).isEqualTo("strict");
        assertThat(format("a").path("reservationSeconds").intValue()).isEqualTo(30);
        assertThat(format("a").path("reset").asString()).isEqualTo("yearly");
        ok(calls.patch("a", "{\"format\": {\"policy\": null, \"reservationSeconds\": null}}"));
        assertThat(format("a").path("policy").asString()).isEqualTo("relaxed");
        assertThat(format("a").path("reservationSeconds").intValue()).isEqualTo(600);
        problem(calls.patch("a", "{\"format\": {\"policy\": \"lax\"}}"), "BAD_OPTION", "policy");
        problem(calls.patch("a", "{\"format\": {\"policy\": 5}}"), "BAD_REQUEST", "format.policy");
        Reply none = calls.patch("a", "{\"format\": {\"reservationSeconds\": 0}}");
        problem(none, "BAD_OPTION", "reservationSeconds");
        assertThat(problem(none, 400, "BAD_OPTION").path("detail").asString()).contains("from 1 to 2147483647");
        problem(
                calls.patch("a", "{\"format\": {\"reservationSeconds\": 1.0}}"),
                "BAD_REQUEST",
                "format.reservationSeconds");
        problem(calls.patch("a", "{\"contract\": \"ordered\"}"), "BAD_OPTION", "contract");
        problem(calls.patch("a", "{\"increment\": 2}"), "BAD_OPTION", "increment");
        problem(calls.put("b", "{\"contract\": \"gapless\"}"), "BAD_OPTION", "contract");
    }

    @Test
    void reserve_underAnotherContractOrWithoutFormat_isRefused() {
        calls.put("a", YEARLY);
        problem(calls.post("a/reservations", ""), "BAD_OPTION", "contract");
        calls.put("plain", "{}");
        problem(calls.post("plain/reservations", ""), 400, "BAD_REQUEST");
        problem(calls.get("plain/gaps"), 400, "BAD_REQUEST");
        problem(calls.get("plain/ledger"), 400, "BAD_REQUEST");
        problem(calls.get("plain/periods"), 400, "BAD_REQUEST");
        problem(calls.get("plain/numbers/1"), 400, "BAD_REQUEST");
        problem(calls.post("missing/reservations", ""), 404, "NOT_FOUND");
        problem(calls.get("missing/ledger"), 404, "NOT_FOUND");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"count\": 1}|count",
                "{\"at\": 5}|at",
                "{\"date\": \"2026\"}|date",
                "{\"scope\": 5}|scope",
                "{\"period\": \"2026\"}|period",
                "{\"date\": \"2026-07-09\", \"at\": \"2026-07-09T10:11:12Z\"}|date",
            })
    void reserve_badField_isNamed(String body, String field) {
        defineGapless("");
        problem(calls.post("a/reservations", body), "BAD_REQUEST", field);
        problem(calls.post("a/reservations?define=true", ""), "BAD_REQUEST", "define");
        problem(
                calls.send("POST", "/v1/sequences/a/reservations", Map.of("idempotency-key", "a b"), ""),
                "BAD_REQUEST",
                "Idempotency-Key");
        assertThat(reserve().path("value").longValue()).isEqualTo(1);
    }

    /** An id comes from outside and names a counter; one that no store can hold is no failure of the server. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "1",
                "1.4fd1a20c99b1e7d3.12",
                "1.4fd1a20c99b1e7d3.12~2026~",
                "1.4fd1a20c99b1e7d3.12~2026~AA",
                "1.4fd1a20c99b1e7d3.12~2026~c3RvcmU",
                "1.4fd1a20c99b1e7d3.12~20%0A26~",
                "1.4fd1a20c99b1e7d3.12~20%0026~",
                "1.4fd1a20c99b1e7d3.12~2026~%2F%2F",
                "99999999999999999999.4fd1a20c99b1e7d3.12~2026~",
                "%00",
                "%0D%0Aa",
                "%F0%9F%98%80",
            })
    void reservation_unknownId_is404(String id) {
        defineGapless("");
        reserve();
        problem(calls.get("a/reservations/" + id), 404, "NOT_FOUND");
        problem(calls.post("a/reservations/" + id + "/confirm", ""), 404, "NOT_FOUND");
        problem(calls.post("a/reservations/" + id + "/cancel", "{}"), 404, "NOT_FOUND");
        problem(calls.post("a/reservations/" + id + "/cancel", "{\"reason\": \"x\"}"), "BAD_REQUEST", "reason");
        problem(calls.get("a/reservations/" + id + "?x=1"), "BAD_REQUEST", "x");
        problem(calls.get("a/reservations/" + "a".repeat(5_000)), 404, "NOT_FOUND");
    }

    @Test
    void drop_withOpenReservations_isRefused() {
        defineGapless("");
        JsonNode held = reserve();
        problem(calls.delete("a"), 409, "RESERVATIONS_OPEN");
        step(held, "confirm");
        assertThat(calls.delete("a").status()).isEqualTo(204);
    }

    @Test
    void restart_ofAGaplessCounter_voidsWhatIsPassedOver() {
        defineGapless("");
        calls.post("a/next", DATE);
        ok(calls.post("a/restart", "{\"value\": 5, \"period\": \"2026\", \"reason\": \"the old system had them\"}"));
        assertThat(texts(calls.post("a/next", DATE))).containsExactly("INV/2026/0006");
        assertThat(gaps("").path("gaps")).isEmpty();
        assertThat(gaps("&all=true").path("gaps")).isEqualTo(Calls.json("""
                [{"first": 2, "last": 5, "firstText": "INV/2026/0002", "lastText": "INV/2026/0005",
                 "state": "voided", "reason": "the old system had them"}]"""));
        problem(calls.post("a/restart", """
                {"value": 1, "period": "2026", "allowReuse": true, "reason": "x"}"""), 409, "BEHIND");
    }

    // ---- what became of numbers

    @Test
    void number_saysWhatBecameOfIt() {
        defineGapless("");
        ok(calls.post("a/next", "{\"count\": 2, \"date\": \"2026-07-09\"}"));
        JsonNode known = ok(calls.get("a/numbers/INV%2F2026%2F0001"));
        assertThat(known.propertyNames())
                .containsExactly(
                        "value",
                        "text",
                        "period",
                        "scope",
                        "state",
                        "at",
                        "who",
                        "why",
                        "caller",
                        "key",
                        "neighbours",
                        "entries");
        assertThat(known.path("state").asString()).isEqualTo("confirmed");
        assertThat(known.path("scope")).isEqualTo(Calls.json("{}"));
        assertThat(known.path("neighbours"))
                .isEqualTo(Calls.json("{\"before\": null, \"behind\": {\"value\": 2, \"text\": \"INV/2026/0002\"}}"));
        assertThat(known.path("entries")).hasSize(1);

        JsonNode voided = ok(calls.post("a/numbers/INV%2F2026%2F0001/void", "{\"reason\": \"wrong address\"}"));
        assertThat(voided.path("state").asString()).isEqualTo("voided");
        assertThat(voided.path("why").asString()).isEqualTo("wrong address");
        assertThat(voided.path("who").asString()).isEqualTo("-");
        assertThat(voided.path("entries")).hasSize(2);
        assertThat(ok(calls.get("a/numbers/INV%2F2026%2F0001"))).isEqualTo(voided);
        problem(calls.post("a/numbers/INV%2F2026%2F0001/void", "{\"reason\": \"again\"}"), 409, "ALREADY_VOID");
        JsonNode last = ok(calls.get("a/audit")).path("items").get(1);
        assertThat(last.path("action").asString()).isEqualTo("void");
        assertThat(last.path("why").asString()).isEqualTo("wrong address");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INV",
                "INV%2F2026%2F0003",
                "INV%252F2026%252F0001",
                "INV%2F2025%2F0001",
                "%00",
                "%0A",
                "%20",
                "1"
            })
    void number_thatWasNeverHandedOut_is404(String text) {
        defineGapless("");
        ok(calls.post("a/next", DATE));
        problem(calls.get("a/numbers/" + text), 404, "NUMBER_UNKNOWN");
        problem(calls.post("a/numbers/" + text + "/void", "{\"reason\": \"x\"}"), 404, "NUMBER_UNKNOWN");
        problem(calls.get("a/numbers/" + "1".repeat(5_000)), 404, "NUMBER_UNKNOWN");
    }

    @Test
    void voidAndClose_needAReason() {
        defineGapless("");
        ok(calls.post("a/next", DATE));
        for (String path : List.of("a/numbers/INV%2F2026%2F0001/void", "a/periods/2026/close")) {
            for (String body : List.of("", "{}", "{\"reason\": \"\"}", "{\"reason\": \" \"}")) {
                assertThat(problem(calls.post(path, body), 400, "REASON_REQUIRED")
                                .path("option")
                                .asString())
                        .isEqualTo("reason");
            }
            problem(calls.post(path, "{\"reason\": 5}"), "BAD_REQUEST", "reason");
            problem(calls.post(path, "{\"reason\": null}"), "BAD_REQUEST", "reason");
            problem(calls.post(path, "{\"reason\": \"" + "x".repeat(1_001) + "\"}"), "BAD_REQUEST", "reason");
            problem(calls.post(path, "{\"reason\": \"a\\nb\"}"), "BAD_REQUEST", "reason");
            problem(calls.post(path, "{\"reason\": \"x\", \"why\": \"y\"}"), "BAD_REQUEST", "why");
            problem(calls.post(path + "?reason=x", "{}"), "BAD_REQUEST", "reason");
        }
        assertThat(ok(calls.get("a/numbers/INV%2F2026%2F0001")).path("state").asString())
                .isEqualTo("confirmed");
        assertThat(texts(calls.post("a/next", DATE))).containsExactly("INV/2026/0002");
    }

    @Test
    void voidNumber_thatIsReserved_isRefused() {
        defineGapless("");
        reserve();
        problem(calls.post("a/numbers/INV%2F2026%2F0001/void", "{\"reason\": \"x\"}"), 409, "RESERVATIONS_OPEN");
    }

    @Test
    void gaps_areWhatNothingExplains_andShowTheHead() {
        defineGapless("");
        assertThat(gaps("")).isEqualTo(Calls.json("{\"gaps\": [], \"more\": false, \"head\": null, \"count\": 0}"));
        reserve();
        step(reserve(), "cancel");
        JsonNode report = gaps("&all=true");
        assertThat(report.path("gaps")).isEqualTo(Calls.json("""
                [{"first": 1, "last": 1, "firstText": "INV/2026/0001", "lastText": "INV/2026/0001",
                 "state": "reserved", "reason": null},
                 {"first": 2, "last": 2, "firstText": "INV/2026/0002", "lastText": "INV/2026/0002",
                 "state": "released", "reason": "cancelled"}]"""));
        assertThat(report.path("count").longValue()).isEqualTo(3);
        String head = report.path("head").asString();
        assertThat(head).matches("[0-9a-f]{64}");
        assertThat(gaps("").path("gaps")).isEmpty();

        ok(calls.post("a/next", DATE));
        assertThat(ok(calls.get("a/verify?period=2026")).path("hasKeptHead").isNull())
                .as("nothing was compared")
                .isTrue();
        JsonNode sound = ok(calls.get("a/verify?period=2026&head=" + head));
        assertThat(sound.path("sound").booleanValue()).isTrue();
        assertThat(sound.path("broken").isNull()).isTrue();
        assertThat(sound.path("hasKeptHead").booleanValue()).isTrue();
        assertThat(sound.path("count").longValue()).isEqualTo(4);
        assertThat(sound.path("head")).isEqualTo(gaps("").path("head"));
        JsonNode other = ok(calls.get("a/verify?period=2026&head=" + "0".repeat(64)));
        assertThat(other.path("sound").booleanValue()).isFalse();
        assertThat(other.path("hasKeptHead").booleanValue()).isFalse();
    }

    @Test
    void ledger_comesInPagesAndInThreeForms() {
        ok(calls.put("a", """
                {"contract": "gapless", "format": {"template": "@{scope:store}-{seq}",
                 "scopes": [{"name": "store", "max": 3}]}}"""));
        String scope = "{\"scope\": {\"store\": \"N\"}}";
        Map<String, String> key = Map.of("idempotency-key", "=1+1");
        JsonNode held = ok(calls.send("POST", "/v1/sequences/a/reservations", key, scope));
        step(held, "confirm");
        ok(calls.post("a/numbers/%40N-1/void", "{\"reason\": \"-1, \\\"no\\\"\"}"));

        JsonNode page = ok(calls.get("a/ledger?scope.store=N&limit=2"));
        assertThat(page.path("next").longValue()).isEqualTo(2);
        assertThat(page.path("items")).hasSize(2);
        JsonNode first = page.path("items").get(0);
        assertThat(first.propertyNames())
                .containsExactly(
                        "index",
                        "at",
                        "state",
                        "generation",
                        "first",
                        "last",
                        "count",
                        "firstText",
                        "lastText",
                        "who",
                        "why",
                        "caller",
                        "key",
                        "reservation",
                        "node",
                        "hash");
        assertThat(first.path("state").asString()).isEqualTo("reserved");
        assertThat(first.path("firstText").asString()).isEqualTo("@N-1");
        assertThat(first.path("reservation")).isEqualTo(held.path("id"));
        JsonNode rest = ok(calls.get("a/ledger?scope.store=N&after=2&limit=2"));
        assertThat(rest.path("next").isNull()).isTrue();
        assertThat(rest.path("items").get(0).path("state").asString()).isEqualTo("voided");
        assertThat(ok(calls.get("a/ledger?scope.store=S")).path("items")).isEmpty();

        String target = "/v1/sequences/a/ledger?scope.store=N";
        Reply text = calls.send("GET", target, Map.of("accept", "text/plain"), "");
        assertThat(text.contentType()).startsWith("text/plain");
        assertThat(text.body().lines()).hasSize(3);
        assertThat(text.body().lines().toList().get(2).split("\t"))
                .hasSize(9)
                .endsWith("1", "1", "@N-1", "@N-1", "-", "-1, \"no\"");

        Reply csv = calls.send("GET", target, Map.of("accept", "text/csv, text/plain;q=0.9"), "");
        assertThat(csv.contentType()).startsWith("text/csv");
        List<String> lines = List.of(csv.body().split("\r\n"));
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).startsWith("index,at,state,generation,first,last,count,firstText,lastText,who,why");
        assertThat(lines.get(1)).startsWith("1,").contains(",reserved,1,1,1,1,'@N-1,'@N-1,,,'-,'=1+1,");
        assertThat(lines.get(3)).contains(",voided,1,1,1,1,'@N-1,'@N-1,'-,\"'-1, \"\"no\"\"\",,,,,");
    }

    @ParameterizedTest
    @CsvSource({
        "gaps, BAD_REQUEST, period",
        "gaps?period=, DATE_OUT_OF_RANGE, period",
        "gaps?period=2026-07, DATE_OUT_OF_RANGE, period",
        "gaps?period=2026&all=1, BAD_REQUEST, all",
        "gaps?period=2026&scope=N, BAD_REQUEST, scope",
        "gaps?period=2026&period=2026, BAD_REQUEST, period",
        "gaps?period=2026&limit=5, BAD_REQUEST, limit",
        "ledger, BAD_REQUEST, period",
        "ledger?period=2026&limit=0, OUT_OF_RANGE, limit",
        "ledger?period=2026&limit=1001, OUT_OF_RANGE, limit",
        "ledger?period=2026&limit=1e3, BAD_REQUEST, limit",
        "ledger?period=2026&after=-1, OUT_OF_RANGE, after",
        "ledger?period=2026&after=99999999999999999999, OUT_OF_RANGE, after",
        "verify, BAD_REQUEST, period",
        "verify?period=2026&head=, BAD_REQUEST, head",
        "verify?period=2026&head=abc, BAD_REQUEST, head",
        "verify?period=2026&all=true, BAD_REQUEST, all",
        "periods?limit=0, OUT_OF_RANGE, limit",
        "periods?limit=1001, OUT_OF_RANGE, limit",
        "periods?after=2026, BAD_REQUEST, after",
        "periods?period=2026, BAD_REQUEST, period",
    })
    void reports_badParameter_isNamed(String target, String code, String option) {
        defineGapless("");
        problem(calls.get("a/" + target), code, option);
    }

    @Test
    void reports_badScope_isRefused() {
        calls.put("a", BY_STORE);
        problem(calls.get("a/gaps?period=2026-07-09"), "BAD_REQUEST", "scope");
        problem(calls.get("a/gaps?period=2026-07-09&scope.shop=N"), 400, "SCOPE_UNKNOWN");
        problem(calls.get("a/gaps?period=2026-07-09&scope.store=N-"), 400, "SCOPE_VALUE_INVALID");
        problem(calls.post("a/periods/2026-07-09/close", "{\"reason\": \"x\"}"), "BAD_REQUEST", "scope");
        problem(calls.post("a/periods/2026/close", """
                {"reason": "x", "scope": {"store": "N"}}"""), "DATE_OUT_OF_RANGE", "period");
        problem(calls.post("a/periods/2026-07-09/close", """
                {"reason": "x", "scope": {"store": 5}}"""), "BAD_REQUEST", "scope.store");
    }

    /** The ledger is there under every contract; a text that the period does not decide is not made up. */
    @Test
    void ledger_underOtherContracts() {
        calls.put("a", """
                {"format": {"template": "{date:yyyyMMdd}-{seq}", "reset": "monthly"}}""");
        nextAt("a", "2026-07-09T10:11:12Z");
        JsonNode entry = ok(calls.get("a/ledger?period=2026-07")).path("items").get(0);
        assertThat(entry.path("state").asString()).isEqualTo("issued");
        assertThat(entry.path("firstText").isNull()).isTrue();
        assertThat(ok(calls.post("a/numbers/20260709-1/void", "{\"reason\": \"lost\"}"))
                        .path("state")
                        .asString())
                .isEqualTo("voided");
        calls.put("f", "{\"contract\": \"fast\", \"cache\": 10, \"format\": {\"template\": \"F{seq}\"}}");
        calls.post("f/next", "");
        JsonNode block = ok(calls.get("f/ledger")).path("items").get(0);
        assertThat(block.path("count").longValue()).isEqualTo(10);
        assertThat(block.path("lastText").asString()).isEqualTo("F10");
        assertThat(block.path("node").asString()).isEqualTo(calls.node());
    }

    // ---- periods

    /** What became of the numbers of a period must be known after the reset has changed; they were refused as no period. */
    @Test
    void reports_periodsOfAnEarlierReset_canStillBeRead() {
        defineGapless("");
        ok(calls.post("a/next", DATE));
        ok(calls.patch("a", "{\"format\": {\"template\": \"M/{year}/{month}/{seq:4}\", \"reset\": \"monthly\"}}"));
        ok(calls.post("a/next", DATE));
        assertThat(gaps("&all=true").path("count").intValue()).isEqualTo(1);
        JsonNode entry = ok(calls.get("a/ledger?period=2026")).path("items").get(0);
        assertThat(entry.path("firstText").asString()).isEqualTo("INV/2026/0001");
        assertThat(ok(calls.get("a/verify?period=2026")).path("sound").booleanValue())
                .isTrue();
        assertThat(ok(calls.get("a/ledger?period=2026-07"))
                        .path("items")
                        .get(0)
                        .path("firstText")
                        .asString())
                .isEqualTo("M/2026/07/0001");
        assertThat(ok(calls.get("a/periods")).path("items").findValuesAsString("highWaterText"))
                .containsExactlyInAnyOrder("INV/2026/0001", "M/2026/07/0001");
        problem(calls.get("a/gaps?period=2026-W28"), "DATE_OUT_OF_RANGE", "period");
        problem(calls.post("a/restart", "{\"value\": 5, \"period\": \"2026\"}"), "DATE_OUT_OF_RANGE", "period");
        assertThat(ok(calls.post("a/periods/2026/close", "{\"reason\": \"year end\"}"))
                        .path("closed")
                        .booleanValue())
                .isTrue();
        problem(calls.get("a/numbers/M%2F2026%2F07%2F0002"), 404, "NUMBER_UNKNOWN");
    }

    /** A counter that never starts again has no key of a period, and the path had no place for none. */
    @Test
    void close_counterThatNeverStartsAgain_isOfNoPeriod() {
        ok(calls.put("a", "{\"format\": {\"template\": \"A{seq}\"}}"));
        ok(calls.post("a/next", ""));
        assertThat(ok(calls.get("a/gaps?period=-")).path("count").intValue()).isEqualTo(1);
        JsonNode closed = ok(calls.post("a/periods/-/close", "{\"reason\": \"the shop is closed\"}"));
        assertThat(closed.path("closed").booleanValue()).isTrue();
        assertThat(closed.path("period").isNull()).isTrue();
        problem(calls.post("a/next", ""), 409, "PERIOD_CLOSED");
        calls.put("b", YEARLY);
        problem(calls.post("b/periods/-/close", "{\"reason\": \"x\"}"), "DATE_OUT_OF_RANGE", "period");
    }

    /** Those that come again were not counted: 0 were left, and the next call got a number. */
    @Test
    void remaining_countsReleasedNumbers() {
        ok(calls.put("a", "{\"contract\": \"gapless\", \"max\": 2, \"format\": {\"template\": \"A{seq}\"}}"));
        JsonNode first = ok(calls.post("a/reservations", ""));
        ok(calls.post("a/reservations", ""));
        assertThat(ok(calls.get("a")).path("remaining").asString()).isEqualTo("0");
        step(first, "cancel");
        assertThat(ok(calls.get("a")).path("remaining").asString()).isEqualTo("1");
        assertThat(ok(calls.get("a/periods"))
                        .path("items")
                        .get(0)
                        .path("remaining")
                        .asString())
                .isEqualTo("1");
        assertThat(texts(calls.post("a/next", ""))).containsExactly("A1");
        assertThat(ok(calls.get("a")).path("remaining").asString()).isEqualTo("0");
    }

    /** A void said who it was by, and the other steps did not. */
    @Test
    void ledger_saysWhoHasConfirmedAndCancelled() {
        defineGapless("");
        JsonNode first = reserve();
        JsonNode second = reserve();
        for (String step : List.of("confirm", "cancel")) {
            String id = (step.equals("confirm") ? first : second).path("id").asString();
            ok(calls.send(new Call(
                    "POST",
                    "/v1/sequences/a/reservations/" + id + "/" + step,
                    "",
                    Map.of(),
                    "",
                    new Caller("till-" + step, Set.of(Access.Role.OPERATOR), List.of()))));
        }
        JsonNode entries = ok(calls.get("a/ledger?period=2026")).path("items");
        assertThat(entries.get(2).path("state").asString()).isEqualTo("confirmed");
        assertThat(entries.get(2).path("who").asString()).isEqualTo("till-confirm");
        assertThat(entries.get(3).path("state").asString()).isEqualTo("released");
        assertThat(entries.get(3).path("who").asString()).isEqualTo("till-cancel");
        assertThat(entries.get(3).path("why").asString()).isEqualTo("cancelled");
        assertThat(ok(calls.get("a/numbers/INV%2F2026%2F0001")).path("who").asString())
                .isEqualTo("till-confirm");
    }

    /** The new text of an old value was found, as if it had been handed out. */
    @Test
    void number_ofATemplateThatCameLater_is404() {
        defineGapless("");
        ok(calls.post("a/next", DATE));
        ok(calls.patch("a", "{\"format\": {\"template\": \"R/{year}/{seq:4}\"}}"));
        ok(calls.post("a/next", DATE));
        problem(calls.get("a/numbers/R%2F2026%2F0001"), 404, "NUMBER_UNKNOWN");
        problem(calls.get("a/numbers/INV%2F2026%2F0002"), 404, "NUMBER_UNKNOWN");
        assertThat(ok(calls.get("a/numbers/INV%2F2026%2F0001")).path("value").intValue())
                .isEqualTo(1);
        assertThat(ok(calls.get("a/numbers/R%2F2026%2F0002")).path("value").intValue())
                .isEqualTo(2);
    }

    // ---- numbers from before

    @Test
    void import_onceMoreAndMore_entersWhatIsNewAndSaysSo() {
        calls.put("a", YEARLY);
        String runs = "{\"period\": \"2025\", \"runs\": [{\"first\": 1, \"last\": 3}, {\"first\": 5}]%s}";
        String imported = "{\"imported\": %d, \"already\": %d}";
        assertThat(ok(calls.post("a/import", runs.formatted(", \"dryRun\": true"))))
                .isEqualTo(Calls.json(imported.formatted(4, 0)));
        assertThat(ok(calls.get("a/ledger?period=2025")).path("items")).isEmpty();
        assertThat(ok(calls.post("a/import", runs.formatted("")))).isEqualTo(Calls.json(imported.formatted(4, 0)));
        assertThat(ok(calls.post("a/import", runs.formatted("")))).isEqualTo(Calls.json(imported.formatted(0, 4)));
        String more = """
                {"period": "2025", "runs": [{"first": 2, "last": 3}, {"first": 5, "last": 9}]%s}""";
        for (String dry : List.of(", \"dryRun\": true", "")) {
            assertThat(ok(calls.post("a/import", more.formatted(dry)))).isEqualTo(Calls.json(imported.formatted(4, 3)));
        }
        assertThat(texts(calls.post("a/next", "{\"date\": \"2025-07-09\"}"))).containsExactly("INV-2025-0010");
        for (String dry : List.of(", \"dryRun\": true", "")) {
            String late = "{\"period\": \"2025\", \"runs\": [{\"first\": 4}, {\"first\": 10}]%s}".formatted(dry);
            assertThat(problem(calls.post("a/import", late), 409, "BEHIND")
                            .path("detail")
                            .asString())
                    .contains("import all old numbers of a counter at once");
        }
        problem(calls.post("a/import", runs.formatted(", \"dryRun\": 1")), "BAD_REQUEST", "dryRun");
    }

    @Test
    void periods_areListedInPages() {
        calls.put("a", BY_STORE);
        assertThat(ok(calls.get("a/periods")).path("items")).isEmpty();
        for (String store : List.of("N", "S", "B2")) {
            nextOf(store);
        }
        calls.post("a/next", "{\"date\": \"2026-07-10\", \"scope\": {\"store\": \"N\"}}");
        List<JsonNode> all = new ArrayList<>();
        String after = "";
        do {
            JsonNode page = ok(calls.get("a/periods?limit=1" + after));
            assertThat(page.path("items")).hasSize(1);
            page.path("items").forEach(all::add);
            JsonNode next = page.path("next");
            after = next.isNull() ? "" : "&after=" + Utf8.percentEncode(next.asString());
        } while (!after.isEmpty());
        assertThat(all).hasSize(4).doesNotHaveDuplicates();
        assertThat(ok(calls.get("a/periods")).path("items")).containsExactlyElementsOf(all);
        assertThat(all).contains(Calls.json("""
                {"period": "2026-07-09", "scope": {"store": "N"}, "highWaterMark": 1,
                 "highWaterText": "N-20260709-001", "remaining": "9223372036854775806", "open": 0, "released": 0,
                 "closed": false, "entries": 1}"""));
    }

    @Test
    void close_endsAPeriodForGood() {
        defineGapless("");
        JsonNode first = reserve();
        JsonNode second = reserve();
        problem(calls.post("a/periods/2026/close", "{\"reason\": \"year end\"}"), 409, "RESERVATIONS_OPEN");
        step(first, "cancel");
        step(second, "confirm");
        JsonNode counter = ok(calls.get("a/periods")).path("items").get(0);
        assertThat(counter.path("released").intValue()).isEqualTo(1);
        assertThat(counter.path("closed").booleanValue()).isFalse();

        JsonNode closed = ok(calls.post("a/periods/2026/close", "{\"reason\": \"year end\"}"));
        assertThat(closed.path("period").asString()).isEqualTo("2026");
        assertThat(closed.path("closed").booleanValue()).isTrue();
        assertThat(closed.path("released").intValue()).isEqualTo(0);
        assertThat(ok(calls.get("a/periods")).path("items").get(0)).isEqualTo(closed);
        assertThat(gaps("&all=true").at("/gaps/0/state").asString()).isEqualTo("voided");
        assertThat(gaps("&all=true").at("/gaps/0/reason").asString()).isEqualTo("year end");

        problem(calls.post("a/next", DATE), 409, "PERIOD_CLOSED");
        problem(calls.post("a/reservations", DATE), 409, "PERIOD_CLOSED");
        problem(calls.post("a/periods/2026/close", "{\"reason\": \"again\"}"), 409, "PERIOD_CLOSED");
        assertThat(texts(calls.post("a/next", "{\"date\": \"2027-01-02\"}"))).containsExactly("INV/2027/0001");
        assertThat(ok(calls.get("a/audit")).path("items").get(1).path("action").asString())
                .isEqualTo("close");
    }
}
