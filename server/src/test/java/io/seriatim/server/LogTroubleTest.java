package io.seriatim.server;

import static io.seriatim.server.Calls.json;
import static io.seriatim.server.Calls.ok;
import static io.seriatim.server.Calls.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.ErrorCode;
import io.seriatim.Sequences;
import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.application.ApplicationSettings;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.eventlog.application.Event;
import io.seriatim.eventlog.application.Projector;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.store.DerivedRows;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.RecordRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.WriteMode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** What calls on event logs answer when something is in the way, as a server does: none waits for a log to be read. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LogTroubleTest {

    private static final String EVENTS = "/v1/logs/shop/workspaces/0/events";
    private static final PartitionKey PARTITION = new PartitionKey(1, 0);

    private final TroubledLog log = new TroubledLog();
    private final SystemEnvironment environment = new SystemEnvironment();

    @SuppressWarnings("NullAway.Init")
    private Applications applications;

    @SuppressWarnings("NullAway.Init")
    private Calls calls;

    private void start(ApplicationSettings settings) {
        applications = Applications.on(log, settings, environment);
        calls = new Calls(OpenStore.of(Sequences.on(new MemoryCounterStore()), applications), NewSequence.usual());
    }

    private void startShop(ApplicationSettings settings) {
        start(settings);
        assertThat(calls.send("PUT", "/v1/logs/shop", LogCallsContract.SHOP).status())
                .isEqualTo(201);
        awaitStatus("ready");
    }

    private void awaitStatus(String status) {
        while (!LogJson.word(applications.get("shop").partition(0).state()).equals(status)) {
            Thread.onSpinWait();
        }
    }

    @AfterEach
    void stop() {
        log.release();
        calls.close();
        environment.close();
    }

    private Reply append() {
        return calls.send("POST", EVENTS, LogCallsContract.ORDER);
    }

    private JsonNode ready(int status) {
        Reply reply = calls.send("GET", "/health/ready", "");
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        return json(reply.body());
    }

    @Test
    void anyCall_onAStoreWithoutLogs_saysSo() {
        start(ApplicationSettings.usual());
        try (Calls without = new Calls(new MemoryCounterStore())) {
            for (String[] call : new String[][] {{"GET", "/v1/logs"}, {"PUT", "/v1/logs/a"}, {"GET", "/v1/logs/a"}}) {
                assertThat(problem(without.send(call[0], call[1], LogCallsContract.SHOP), 404, "NOT_FOUND")
                                .path("detail")
                                .asString())
                        .contains("keeps no event logs");
            }
        }
    }

    @Test
    void append_whileTheLogIsRead_isRecoveringAndHealthSaysHowFar() throws Exception {
        startShop(ApplicationSettings.usual());
        assertThat(append().status()).isEqualTo(201);
        log.holdReplays();
        CompletableFuture<Reply> act =
                CompletableFuture.supplyAsync(() -> calls.send("POST", "/v1/logs/shop/partitions/0/actualize", ""));
        awaitStatus("recovering");
        JsonNode problem = problem(append(), 503, "RECOVERING");
        assertThat(problem.path("partition").asLong()).isZero();
        assertThat(problem.has("percent")).isTrue();
        JsonNode why = ready(503).path("partitions").get(0);
        assertThat(why.path("log").asString()).isEqualTo("shop");
        assertThat(why.path("status").asString()).isEqualTo("recovering");
        assertThat(why.has("percent") && why.has("eventsPerSecond") && why.has("total"))
                .isTrue();
        log.release();
        assertThat(act.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
        assertThat(ready(200).path("notReady").asLong()).isZero();
        assertThat(append().status()).isEqualTo(201);
    }

    @Test
    void append_whoseWriteFails_saysThatNothingHappened() throws Exception {
        startShop(ApplicationSettings.usual());
        log.fail(new StoreException(StoreException.Kind.UNAVAILABLE, "SECRET"));
        Reply refused = append();
        problem(refused, 503, "STORE_UNAVAILABLE");
        assertThat(refused.body()).doesNotContain("SECRET");
        log.fail(null);
        awaitStatus("ready");
        assertThat(json(append().body()).path("ids").path("1").asLong()).isEqualTo(200_001);
    }

    /** The event is in the log and its answer was lost: the caller gets it from there. */
    @Test
    void append_whoseAnswerIsLost_isAnsweredFromTheLog() throws Exception {
        startShop(ApplicationSettings.usual());
        log.loseAnswers(true);
        assertThat(json(append().body()).path("plogOffset").asLong()).isEqualTo(1);
        log.loseAnswers(false);
        awaitStatus("ready");
        assertThat(json(append().body()).path("plogOffset").asLong()).isEqualTo(2);
    }

    @Test
    void append_whoseProjectorFails_isPendingWithItsIds() throws Exception {
        startShop(ApplicationSettings.usual().withProjector("shop", new Projector() {
            @Override
            public String name() {
                return "failing";
            }

            @Override
            public void apply(int partition, Event event) throws IOException {
                throw new IOException("SECRET");
            }
        }));
        Reply reply = append();
        JsonNode pending = problem(reply, 500, "REPAIR_PENDING");
        assertThat(pending.path("partition").asLong()).isZero();
        assertThat(pending.path("plogOffset").asLong()).isEqualTo(1);
        assertThat(pending.path("wlogOffset").asLong()).isEqualTo(1);
        assertThat(pending.path("ids").toString()).isEqualTo("{\"1\":200001,\"2\":200002,\"4\":200003}");
        assertThat(reply.body()).doesNotContain("SECRET");
        awaitStatus("behind");
        assertThat(ready(200).path("partitions").get(0).path("status").asString())
                .isEqualTo("behind");
    }

    @Test
    void append_overWhatIsNotOfTheLog_quarantinesAndSaysWhatDiffers() throws Exception {
        startShop(ApplicationSettings.usual());
        long epoch = applications.get("shop").partition(0).state().sequencer().epoch();
        RecordRow foreign = new RecordRow(0, 200_003, 3, 1, 1, "{}".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        log.store
                .partition(PARTITION)
                .derive(
                        epoch,
                        DerivedRows.under(WriteMode.INSERT_IF_ABSENT)
                                .withRecords(List.of(foreign), List.of(), List.of(), List.of()));
        problem(append(), 500, "REPAIR_PENDING");
        awaitStatus("quarantined");
        JsonNode problem = problem(append(), 503, "QUARANTINED");
        assertThat(problem.path("differences").get(0).path("plogOffset").asLong())
                .isEqualTo(1);
        assertThat(problem.path("differences").get(0).path("what").asString()).contains("200003");
        problem(calls.send("GET", EVENTS, ""), 503, "QUARANTINED");
        ok(calls.send("GET", "/v1/logs/shop/partitions/0/events", ""));
        assertThat(ready(200).path("partitions").get(0).path("status").asString())
                .isEqualTo("quarantined");
        JsonNode report = ok(calls.send("POST", "/v1/logs/shop/partitions/0/check", ""));
        assertThat(report.path("events").asLong()).isEqualTo(1);
        assertThat(ok(calls.send("POST", "/v1/logs/shop/partitions/0/rebuild", ""))
                        .path("status")
                        .asString())
                .isEqualTo("ready");
        assertThat(append().status()).isEqualTo(201);
    }

    /** Its stream was ended, and for as long as the rebuild took it was refused another one. */
    @Test
    void follower_duringARebuild_waits_andEndsWithThePartition() {
        startShop(ApplicationSettings.usual());
        Queue<ErrorCode> troubles = new ArrayDeque<>(List.of(ErrorCode.RECOVERING, ErrorCode.CLOSED));
        EventFeed feed = new EventFeed(
                applications.get("shop").partition(0),
                (from, limit) -> {
                    throw new EventLogException(troubles.remove(), "the test wants it so");
                },
                Event::plogOffset,
                1);
        assertThat(feed.next()).isEmpty();
        assertThatThrownBy(feed::next)
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
        troubles.add(ErrorCode.RECOVERING);
        assertThatThrownBy(feed::first).isInstanceOf(EventLogException.class); // who has just come is told
    }

    @Test
    void append_afterAnotherOwnerCame_isFenced() throws Exception {
        startShop(ApplicationSettings.usual());
        log.store.partition(PARTITION).take();
        awaitFenced();
        problem(append(), 409, "FENCED");
        assertThat(ok(calls.send("GET", "/v1/logs/shop/partitions/0", ""))
                        .path("owner")
                        .isNull())
                .isTrue();
    }

    private void awaitFenced() {
        assertThat(append().status()).isIn(409, 503);
        awaitStatus("fenced");
    }

    @Test
    void append_pastTheQueue_isBusy() throws Exception {
        startShop(ApplicationSettings.usual().withMostWaiting(1));
        log.holdAppends();
        ExecutorService callers = Executors.newFixedThreadPool(3);
        CompletableFuture<Reply> first = CompletableFuture.supplyAsync(this::append, callers);
        log.awaitHeldAppend(); // else two of them could be one group, and the third have the place in the queue
        CompletableFuture<Reply> second = CompletableFuture.supplyAsync(this::append, callers);
        CompletableFuture<Reply> third = CompletableFuture.supplyAsync(this::append, callers);
        Reply refused = (Reply) CompletableFuture.anyOf(second, third).get(20, TimeUnit.SECONDS);
        problem(refused, 503, "BUSY");
        log.release();
        List<Integer> statuses = List.of(
                first.get(20, TimeUnit.SECONDS).status(),
                second.get(20, TimeUnit.SECONDS).status(),
                third.get(20, TimeUnit.SECONDS).status());
        callers.shutdown();
        assertThat(statuses).contains(201, 503).containsOnly(201, 503);
    }

    @Test
    void anyCall_afterTheEnd_isClosed() throws Exception {
        startShop(ApplicationSettings.usual());
        applications.close();
        problem(calls.send("PUT", "/v1/logs/other", LogCallsContract.SHOP), 503, "CLOSED");
    }
}
