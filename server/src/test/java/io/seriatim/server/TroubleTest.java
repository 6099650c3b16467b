package io.seriatim.server;

import static io.seriatim.server.Calls.ok;
import static io.seriatim.server.Calls.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import io.seriatim.store.WriterMark;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What a caller hears when the store does not do its part. */
class TroubleTest {

    private static final String SECRET = "/srv/data/000012.log: Input/output error";

    private final TroubledStore store = new TroubledStore();
    private final Calls calls = new Calls(store, Duration.ofMillis(200), NewSequence.usual());

    @AfterEach
    void close() {
        store.release();
        calls.close();
    }

    @Test
    void storeThatHangs_isBusyWhenReadAndUnknownWhenWritten() {
        calls.put("a", "{}");
        store.hold();
        problem(calls.post("a/next", ""), 503, "BUSY");
        problem(calls.get("b"), 503, "BUSY");
        problem(calls.put("b", "{}"), 503, "OUTCOME_UNKNOWN");
        problem(calls.patch("a", "{\"max\": 10}"), 503, "BUSY");
    }

    @Test
    void storeThatHangs_doesNotHoldUpHealth() {
        store.hold();
        ok(calls.send("GET", "/health/ready", ""));
        ok(calls.send("GET", "/health/live", ""));
    }

    @Test
    void storeThatHangs_doesNotHoldUpWhatLiesInMemory() {
        calls.put("a", "{\"cache\": 100}");
        calls.post("a/next", "");
        store.hold();
        Call next = new Call("POST", "/v1/sequences/a/next", "", Map.of(), "");
        assertThat(calls.api().tryAnswer(next))
                .hasValueSatisfying(reply -> assertThat(reply.body()).contains("\"text\":\"2\""));
        assertThat(calls.api().tryAnswer(new Call("GET", "/v1/sequences/a", "", Map.of(), "")))
                .isEmpty();
    }

    @Test
    void storeThatFailed_is503AndNotReadyButLive() {
        calls.put("a", "{}");
        store.fail(new StoreException(Kind.FAILED, SECRET));

        JsonNode next = problem(calls.post("a/next", ""), 503, "STORE_UNAVAILABLE");

        assertThat(next.path("detail").stringValue()).doesNotContain("Input/output");
        problem(calls.get("b"), 503, "STORE_UNAVAILABLE");
        problem(calls.put("b", "{}"), 503, "STORE_UNAVAILABLE");
        problem(calls.send("GET", "/v1/sequences", ""), 503, "STORE_UNAVAILABLE");
        problem(calls.send("GET", "/health/ready", ""), 503, "STORE_UNAVAILABLE");
        ok(calls.send("GET", "/health/live", ""));
    }

    /** Ready was once the same sentence for whatever had happened, about numbers that nobody had asked for. */
    @ParameterizedTest
    @CsvSource({
        "FAILED, STORE_UNAVAILABLE, write-failed, sync",
        "TAKEN_AWAY, STORE_UNAVAILABLE, taken-away, lock file",
        "CORRUPT, STORE_CORRUPT, damaged, record",
    })
    void storeThatStopped_saysWhy(Kind kind, String code, String stopped, String word) {
        calls.put("a", "{}");
        store.fail(new StoreException(kind, SECRET));
        for (Reply reply : List.of(
                calls.send("GET", "/health/ready", ""),
                calls.get("a"),
                calls.send("GET", "/v1/sequences", ""),
                calls.post("a/next", ""))) {
            JsonNode problem = problem(reply, 503, code);
            assertThat(problem.path("stopped").stringValue()).isEqualTo(stopped);
            assertThat(problem.path("detail").stringValue())
                    .contains(word, "has stopped until")
                    .doesNotContain("handed out", "Input/output");
        }
        ok(calls.send("GET", "/health/live", ""));
    }

    /** What lay in memory, and what could be read, was once answered with 200 beside calls that got 503. */
    @Test
    void storeThatStopped_answersNoCallThatNeedsIt() {
        calls.put("a", "{\"cache\": 100}");
        calls.post("a/next", "");
        store.stop(new StoreException(Kind.FAILED, SECRET));

        problem(calls.get("a"), 503, "STORE_UNAVAILABLE");
        problem(calls.get("a/peek"), 503, "STORE_UNAVAILABLE");
        problem(calls.post("a/next", ""), 503, "STORE_UNAVAILABLE");
        problem(calls.send("GET", "/v1/sequences", ""), 503, "STORE_UNAVAILABLE");
        problem(calls.send("GET", "/health/ready", ""), 503, "STORE_UNAVAILABLE");
        ok(calls.send("GET", "/health/live", ""));
        problem(calls.get("a/nowhere"), 404, "NOT_FOUND");
        problem(calls.delete("a/peek"), 405, "BAD_REQUEST");
    }

    @Test
    void causes_areOneLineAndSayNothingTwice() {
        var disk = new IOException("No space left\non device");
        var store = new StoreException(Kind.FAILED, "a write failed: No space left\non device", disk);
        assertThat(Causes.of(new IllegalStateException("stopped", store)))
                .isEqualTo("stopped: a write failed: No space left on device");
        assertThat(Causes.of(new ClosedChannelException())).isEqualTo("ClosedChannelException");
    }

    @Test
    void storeThatIsDamaged_isCorrupt() {
        calls.put("a", "{}");
        store.fail(new StoreException(Kind.CORRUPT, SECRET));
        assertThat(problem(calls.post("a/next", ""), 503, "STORE_CORRUPT")
                        .path("detail")
                        .stringValue())
                .doesNotContain("Input/output");
        problem(calls.send("GET", "/health/ready", ""), 503, "STORE_CORRUPT");
    }

    /** It was told as if the whole store had stopped. */
    @Test
    void rowsThatAreNotUnderstood_stopTheirSequenceAlone() {
        calls.put("good", "{}");
        calls.put("bad", "{\"cache\": 10}");
        damageCounter("bad");
        Calls fresh = new Calls(store, Duration.ofSeconds(5), NewSequence.usual());
        for (Reply reply : List.of(
                fresh.post("bad/next", ""),
                fresh.post("bad/blocks", "{\"count\": 5}"),
                fresh.get("bad"),
                fresh.get("bad/peek"),
                fresh.patch("bad", "{\"max\": 10}"),
                fresh.post("bad/restart", "{\"value\": 10}"),
                fresh.delete("bad"),
                calls.post("bad/next", ""))) {
            JsonNode problem = problem(reply, 503, "STORE_CORRUPT");
            assertThat(problem.path("sequence").stringValue()).isEqualTo("bad");
            assertThat(problem.path("detail").stringValue()).contains("not understood", "other sequences go on");
            assertThat(problem.has("stopped")).isFalse();
        }
        assertThat(problem(fresh.send("GET", "/v1/sequences", ""), 503, "STORE_CORRUPT")
                        .path("detail")
                        .stringValue())
                .contains("sequence bad");
        for (Calls each : List.of(calls, fresh)) {
            ok(each.send("GET", "/health/ready", ""));
            ok(each.post("good/next", ""));
            ok(each.get("good"));
        }
    }

    @Test
    void keptAnswerThatIsNotUnderstood_stopsItsKeyAlone() {
        calls.put("a", "{}");
        long id = store.findDefinition("a").orElseThrow().sequenceId();
        store.apply(Change.of(new IdempotencyRow(
                new IdempotencyKey(id, Caller.ANYONE.name(), "k"), "nonsense", Instant.MAX, new WriterMark(1, 1))));
        Reply reply = calls.send("POST", "/v1/sequences/a/next", Map.of(Call.IDEMPOTENCY_KEY, "k"), "");
        JsonNode problem = problem(reply, 503, "STORE_CORRUPT");
        assertThat(problem.path("sequence").stringValue()).isEqualTo("a");
        assertThat(problem.path("detail").stringValue()).contains("key k");
        ok(calls.send("POST", "/v1/sequences/a/next", Map.of(Call.IDEMPOTENCY_KEY, "other"), ""));
        ok(calls.send("GET", "/health/ready", ""));
    }

    private void damageCounter(String name) {
        CounterKey key = CounterKey.of(store.findDefinition(name).orElseThrow().sequenceId());
        CounterRow row = store.findCounter(key).orElseThrow();
        store.apply(Change.of(new CounterRow(
                key,
                row.generation(),
                row.round(),
                row.highWaterMark(),
                row.fresh(),
                row.revision() + 1,
                new WriterMark(1, 1),
                "nobody writes this so",
                "")));
    }

    @Test
    void storeThatIsAwayForNow_staysReady() {
        calls.put("a", "{}");
        store.fail(new StoreException(Kind.UNAVAILABLE, SECRET));
        JsonNode problem = problem(calls.post("a/next", ""), 503, "STORE_UNAVAILABLE");
        assertThat(problem.has("stopped")).isFalse();
        assertThat(problem.path("detail").stringValue()).contains("for now").doesNotContain("Input/output");
        ok(calls.send("GET", "/health/ready", ""));
    }

    @Test
    void changeWhoseOutcomeIsUnknown_saysSo() {
        calls.put("a", "{}");
        store.loseAnswers();
        problem(calls.patch("a", "{\"max\": 10}"), 503, "OUTCOME_UNKNOWN");
        problem(calls.put("b", "{}"), 503, "OUTCOME_UNKNOWN");
    }

    @Test
    void anythingUnexpected_isInternalAndTellsNothing() {
        store.surprise(new IllegalArgumentException(SECRET));
        assertThat(problem(calls.get("a"), 500, "INTERNAL").path("detail").stringValue())
                .doesNotContain("Input/output");
    }
}
