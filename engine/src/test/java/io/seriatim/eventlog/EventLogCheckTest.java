package io.seriatim.eventlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.Environment;
import io.seriatim.ErrorCode;
import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.LogReport.Code;
import io.seriatim.eventlog.LogReport.Finding;
import io.seriatim.store.DerivedRows;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.WriteMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a check of a log finds, and how a rebuild mends what can be mended. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EventLogCheckTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final WrittenLog log = new WrittenLog();
    private final SystemEnvironment system = new SystemEnvironment();

    @AfterEach
    void closeEnvironment() {
        system.close();
    }

    /** Time that a test moves, and nothing else. */
    private static final class SetTime implements Environment {
        private long nanos;

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public long random() {
            return 1;
        }

        @Override
        public Executor executor() {
            return Runnable::run;
        }

        @Override
        public void after(Duration delay, Runnable task) {
            throw new IllegalStateException("nothing here runs later");
        }
    }

    private LogReport check() {
        return LogCheck.of(log.partition, system).comparing(WrittenLog.bodies()).run();
    }

    private static List<Code> codes(LogReport report) {
        return report.findings().stream().map(Finding::code).toList();
    }

    // ---- check

    @Test
    void check_logOfASequencer_isSound() {
        try (Sequencer sequencer =
                Sequencer.on(log.partition, List.of(WrittenLog.KIND), SequencerSettings.usual(), system)) {
            for (int i = 1; i <= 300; i++) {
                SequencingTransaction tx = sequencer.start(1, 1, LONG).orThrow();
                long number = tx.next(1);
                assertThat(log.partition.append(
                                tx.epoch(),
                                WriteMode.INSERT_IF_ABSENT,
                                List.of(tx.event(Long.toString(number).getBytes(UTF_8)))))
                        .isEqualTo(LogOutcome.Applied.APPLIED);
                tx.flush();
            }
        }

        LogReport report = check();

        assertThat(report.findings()).isEmpty();
        assertThat(report.isSound()).isTrue();
        assertThat(report.events()).isEqualTo(300);
        assertThat(report.nextOffset()).isEqualTo(301);
        assertThat(report.tail()).isZero();
        assertThat(report.bodyBytes()).isEqualTo(9 + 2 * 90 + 3 * 201);
        assertThat(report.epoch()).isEqualTo(2);
    }

    @Test
    void check_partitionThatNobodyTook_isSoundAndEmpty() {
        LogReport report =
                LogCheck.of(log.store.partition(new PartitionKey(2, 5)), system).run();

        assertThat(report.isSound()).isTrue();
        assertThat(report.events()).isZero();
        assertThat(report.nextOffset()).isEqualTo(1);
        assertThat(report.checkpoint()).isEmpty();
    }

    @Test
    void check_holes_areToldWithWhatIsMissing() {
        log.append(2, 40);
        log.append(43, 43);

        LogReport report = check();

        assertThat(report.findings())
                .containsExactly(
                        new Finding(Code.HOLE, 1, "there is no event from offset 1 to 1"),
                        new Finding(Code.HOLE, 41, "there is no event from offset 41 to 42"));
        assertThat(report.events()).isEqualTo(40);
    }

    @Test
    void check_storeThatShowsAnEventTwice_isToldAndEnds() {
        log.append(1, 3);

        LogReport report =
                LogCheck.of(new RepeatingPartition(log.partition), system).run();

        assertThat(codes(report)).contains(Code.TWICE);
        assertThat(report.nextOffset()).isEqualTo(4);
    }

    @Test
    void check_epochThatGoesDownOrIsOfNoOwner_isTold() {
        log.append(1, 1);
        log.takeAgain();
        log.append(2, 2);
        log.put(3, 1, 3, "3");
        log.put(4, 3, 4, "4");

        assertThat(check().findings())
                .containsExactly(
                        new Finding(Code.EPOCH, 3, "epoch 1 stands behind epoch 2"),
                        new Finding(Code.EPOCH, 4, "the event is of epoch 3, and the partition at 2"));
    }

    @Test
    void check_whileThePartitionIsTaken_takesEventsOfTheNewOwnerForSound() {
        log.append(1, 300);
        AtomicBoolean taken = new AtomicBoolean();

        LogReport report = LogCheck.of(log.partition, system)
                .telling(progress -> {
                    if (progress.events() > 0 && taken.compareAndSet(false, true)) {
                        log.takeAgain();
                        log.append(301, 302);
                    }
                })
                .run();

        assertThat(report.findings()).isEmpty();
        assertThat(report.events()).isEqualTo(302);
        assertThat(report.epoch()).isEqualTo(2);
    }

    @Test
    void check_bodyThatUsesOtherNumbers_isTold() {
        log.append(1, 1, "1");
        log.append(2, 2, "3");
        log.append(3, 3, "three");

        assertThat(check().findings())
                .containsExactly(
                        new Finding(Code.BODY, 2, "the body uses {1=3}, the header says {1=2}"),
                        new Finding(Code.BODY, 3, "the body is not understood: For input string: \"three\""));
        assertThat(LogCheck.of(log.partition, system).run().isSound()).isTrue();
    }

    @Test
    void check_numberStoredBelowAnEventBeforeTheCheckpoint_isTold() {
        log.append(1, 5);
        log.store(4, 6);

        assertThat(check().findings())
                .containsExactly(
                        new Finding(Code.NUMBER, 5, "sequence 1 of workspace 1 is stored as 4, and the event has 5"));
    }

    @Test
    void check_numberStoredBelowAnEventBehindTheCheckpoint_isSound() {
        log.append(1, 5);
        log.store(4, 5);

        LogReport report = check();

        assertThat(report.isSound()).isTrue();
        assertThat(report.tail()).isEqualTo(1);
    }

    @Test
    void check_numberThatIsNotStoredAtAll_isTold() {
        log.append(1, 3);
        log.store(0, 3);

        assertThat(check().findings())
                .containsExactly(
                        new Finding(Code.NUMBER, 1, "sequence 1 of workspace 1 is stored as 0, and the event has 1"),
                        new Finding(Code.NUMBER, 2, "sequence 1 of workspace 1 is stored as 0, and the event has 2"));
    }

    @Test
    void check_eventOfAnotherKindThanItsWorkspace_isTold() {
        log.append(1, 1);
        log.put(2, log.epoch(), 2, 2, "2");
        log.store(2, 3);

        assertThat(check().findings())
                .containsExactly(new Finding(Code.KIND, 2, "workspace 1 is bound to kind 1, and the event is of 2"));
    }

    @Test
    void check_moreThanIsKept_isCounted() {
        log.append(1, 250);
        log.store(1, 251);

        LogReport report = check();

        assertThat(report.findings()).hasSize(100);
        assertThat(report.moreFindings()).isEqualTo(149);
    }

    @Test
    void check_appliedBeyondTheEnd_isTold() {
        log.append(1, 3);
        assertThat(log.partition.derive(
                        log.epoch(), DerivedRows.under(WriteMode.PUT).withAppliedOffset(5)))
                .isEqualTo(LogOutcome.Applied.APPLIED);

        assertThat(codes(check())).containsExactly(Code.APPLIED);
    }

    @Test
    void check_progress_hasPercentRateAndTimeLeft() {
        log.append(1, 1_000);
        SetTime time = new SetTime();
        List<ReplayProgress> told = new ArrayList<>();

        LogReport report = LogCheck.of(log.partition, time)
                .telling(progress -> {
                    told.add(progress);
                    time.nanos += 1_000_000; // each page takes a millisecond
                })
                .run();

        assertThat(told.get(0)).isEqualTo(new ReplayProgress(0, 1_000, Duration.ZERO, false));
        assertThat(told.get(0).left()).isEmpty();
        ReplayProgress second = told.get(1); // pages of 256 events
        assertThat(second.events()).isEqualTo(256);
        assertThat(second.percent()).isEqualTo(25);
        assertThat(second.eventsPerSecond()).isEqualTo(256_000);
        assertThat(second.left()).contains(Duration.ofNanos(2_906_250));
        ReplayProgress later = told.get(3);
        assertThat(later.events()).isEqualTo(768);
        assertThat(later.percent()).isEqualTo(76);
        assertThat(later.eventsPerSecond()).isEqualTo(256_000);
        ReplayProgress last = told.get(told.size() - 1);
        assertThat(last.percent()).isEqualTo(100);
        assertThat(last.left()).contains(Duration.ZERO);
        assertThat(report.elapsed()).isEqualTo(Duration.ofMillis(told.size()));
    }

    // ---- rebuild

    /** A folder was put back from two copies: the numbers of the later one, the log of the earlier one. */
    @Test
    void s102_checkpointBeyondTheLog_isCorruptUntilRebuild() {
        log.append(1, 480);
        log.store(499, 500);

        assertThat(codes(check())).containsExactly(Code.CHECKPOINT);
        try (Sequencer sequencer = open()) {
            assertThat(sequencer.start(1, 1, Duration.ofMillis(50))).isEqualTo(Refusal.CORRUPT);
            assertThat(sequencer.state().lastFailure().orElseThrow()).contains("offset 499", "last one is at 480");
        }
        try (Sequencer again = open()) {
            assertThat(again.start(1, 1, Duration.ofMillis(50))).isEqualTo(Refusal.CORRUPT);
        }

        List<ReplayProgress> told = new ArrayList<>();
        ReplayProgress done = Rebuild.run(log.partition, system, told::add);

        assertThat(done.events()).isEqualTo(480);
        assertThat(done.total()).isEqualTo(480);
        assertThat(done.done()).isTrue();
        assertThat(told).last().isEqualTo(done);
        assertThat(check().isSound()).isTrue();
        assertThat(log.partition.checkpoint().orElseThrow().nextOffset()).isEqualTo(481);
        try (Sequencer sequencer = open()) {
            SequencingTransaction tx = sequencer.start(1, 1, LONG).orThrow();
            assertThat(tx.plogOffset()).isEqualTo(481);
            assertThat(tx.next(1)).isEqualTo(500); // stored numbers are never lowered
            tx.discard();
        }
    }

    @Test
    void rebuild_loweredNumber_isRaisedToTheLog() {
        log.append(1, 20);
        log.store(7, 21);
        assertThat(check().isSound()).isFalse();

        assertThat(Rebuild.run(log.partition, system, progress -> {}).events()).isEqualTo(20);

        assertThat(check().findings()).isEmpty();
        try (Sequencer sequencer = open()) {
            SequencingTransaction tx = sequencer.start(1, 1, LONG).orThrow();
            assertThat(tx.next(1)).isEqualTo(21);
            tx.discard();
        }
    }

    @Test
    void rebuild_logWithAHole_saysWhereAndStaysCorrupt() {
        log.append(1, 3);
        log.append(5, 6);

        assertThatThrownBy(() -> Rebuild.run(log.partition, system, progress -> {}))
                .isInstanceOfSatisfying(
                        EventLogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_CORRUPT))
                .hasMessage("the log has no event at offset 4, and one at 5");
        assertThat(codes(check())).contains(Code.HOLE);
    }

    @Test
    void rebuild_emptyLog_readsNothing() {
        assertThat(Rebuild.run(log.partition, system, progress -> {}).events()).isZero();
        assertThat(check().isSound()).isTrue();
    }

    @Test
    void reset_ofAPartition_fencesItsOwner() {
        log.append(1, 3);
        try (Sequencer sequencer = open()) {
            SequencingTransaction tx = sequencer.start(1, 1, LONG).orThrow();
            long epoch = Rebuild.reset(log.partition);

            assertThat(epoch).isEqualTo(tx.epoch() + 1);
            assertThat(log.partition.append(
                            tx.epoch(), WriteMode.INSERT_IF_ABSENT, List.of(tx.event(new byte[] {'4'}))))
                    .isEqualTo(new LogOutcome.Fenced(epoch));
            tx.discard();
        }
        assertThat(log.partition.checkpoint().orElseThrow().nextOffset()).isEqualTo(1);
    }

    private Sequencer open() {
        return Sequencer.on(log.partition, List.of(WrittenLog.KIND), SequencerSettings.usual(), system);
    }
}
