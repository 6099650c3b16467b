package io.seriatim.eventlog;

import static io.seriatim.eventlog.OnePartition.KIND;
import static io.seriatim.eventlog.OnePartition.LONG;
import static io.seriatim.eventlog.OnePartition.kind;
import static io.seriatim.eventlog.OnePartition.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.ErrorCode;
import io.seriatim.TestEnvironment;
import io.seriatim.eventlog.ForwardingPartition.Call;
import io.seriatim.store.LogEvent;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The basic scenarios of sequencer.md, by their numbers, on any store; those of faults are in {@link SequencerFaultCases}.
 * Where the log already holds something, the store is opened anew behind that.
 */
public abstract class SequencerCases {

    private static final int UNKNOWN_KIND = 9;
    private static final int UNKNOWN_SEQUENCE = 99;

    private OnePartition partition;

    /** One in which nothing was stored yet. */
    protected abstract LogWorld world();

    @BeforeEach
    void open() {
        partition = new OnePartition(world());
    }

    @AfterEach
    void close() {
        partition.close();
    }

    private void expect(SequencingTransaction tx, long offset, long first, long second) {
        assertThat(tx.plogOffset()).isEqualTo(offset);
        assertThat(tx.next(1)).isEqualTo(first);
        assertThat(tx.next(2)).isEqualTo(second);
    }

    @Test
    void s1_manyNumbersThenManyTransactions_goOnFromTheLog() {
        partition.holds(1, 1, 1, 100);
        Sequencer sequencer = partition.open();
        SequencingTransaction tx = start(sequencer);
        assertThat(tx.plogOffset()).isEqualTo(2);
        for (int i = 101; i <= 200; i++) {
            assertThat(tx.next(1)).isEqualTo(i);
        }
        partition.finish(tx);
        for (int i = 1; i <= 100; i++) {
            tx = start(sequencer);
            assertThat(tx.plogOffset()).isEqualTo(2 + i);
            assertThat(tx.next(1)).isEqualTo(200 + i);
            partition.finish(tx);
        }
    }

    @Test
    void s2a_emptyLog_beginsWithOne() {
        workspacesInTurn(1, 1);
    }

    @Test
    void s2b_logWithoutNumbers_beginsBehindIt() {
        partition.holds(1, 1, new int[] {}, new long[] {});
        workspacesInTurn(2, 1);
    }

    @Test
    void s2c_logWithANumber_goesOnFromIt() {
        partition.holds(1, 1, 1, 1);
        workspacesInTurn(2, 2);
    }

    private void workspacesInTurn(long firstOffset, long firstNumber) {
        Sequencer sequencer = partition.open(kind(8));
        long offset = firstOffset;
        for (int workspace = 1; workspace <= 5; workspace++) {
            long[] expected = new long[] {1, 1, 1, 1, 1, 1, 1, 1};
            expected[0] = workspace == 1 ? firstNumber : 1;
            partition.finish(numbers(start(sequencer, workspace), offset, expected, 0));
            numbers(start(sequencer, workspace), offset + 1, expected, 1).actualize();
            partition.finish(numbers(start(sequencer, workspace), offset + 1, expected, 1));
            offset += 2;
        }
    }

    private static SequencingTransaction numbers(SequencingTransaction tx, long offset, long[] expected, int more) {
        assertThat(tx.plogOffset()).isEqualTo(offset);
        for (int i = 0; i < expected.length; i++) {
            assertThat(tx.next(i + 1)).isEqualTo(expected[i] + more);
        }
        return tx;
    }

    @Test
    void s3_tooManyNumbersNotStored_startIsRefusedUntilTheyAre() {
        partition.settings = partition.settings.withMaxUnflushed(5, 100);
        Sequencer sequencer = partition.open(kind(6));
        partition.store.hold(Call.WRITE_NUMBERS);
        SequencingTransaction tx = numbers(start(sequencer), 1, new long[] {1, 1, 1, 1, 1, 1}, 0);
        partition.finish(tx);
        assertThat(sequencer.start(1, 1)).isEqualTo(Refusal.BACKLOG);
        partition.store.awaitHeld(Call.WRITE_NUMBERS);
        assertThat(sequencer.start(1, 1)).isEqualTo(Refusal.BACKLOG);
        partition.store.release(Call.WRITE_NUMBERS);
        assertThat(start(sequencer).plogOffset()).isEqualTo(2);
    }

    @Test
    void s4_startAfterClose_isRefused() {
        Sequencer sequencer = partition.open();
        sequencer.close();
        assertThat(sequencer.start(1, 1)).isEqualTo(Refusal.CLOSED);
        assertThat(sequencer.start(1, 1, LONG)).isEqualTo(Refusal.CLOSED);
        assertThat(sequencer.status()).isEqualTo(SequencerStatus.CLOSED);
    }

    @Test
    void s5_startTwice_failsAndTheTransactionGoesOn() {
        Sequencer sequencer = partition.open();
        SequencingTransaction tx = start(sequencer);
        assertThatIllegalStateException().isThrownBy(() -> sequencer.start(1, 1));
        expect(tx, 1, 1, 1);
    }

    @Test
    void s6_whileTheLogIsRead_startIsRefused() {
        Sequencer sequencer = partition.open();
        SequencingTransaction tx = start(sequencer);
        assertThat(tx.plogOffset()).isEqualTo(1);
        partition.store.hold(Call.REPLAY);
        tx.actualize();
        partition.store.awaitHeld(Call.REPLAY);
        assertThat(sequencer.start(1, 1)).isEqualTo(Refusal.ACTUALIZING);
        assertThat(sequencer.status()).isEqualTo(SequencerStatus.RECOVERING);
        partition.store.release(Call.REPLAY);
        assertThat(start(sequencer).plogOffset()).isEqualTo(1);
    }

    @Test
    void s7_unknownKind_fails() {
        Sequencer sequencer = partition.open();
        assertThatIllegalArgumentException().isThrownBy(() -> sequencer.start(UNKNOWN_KIND, 1));
        expect(start(sequencer), 1, 1, 1);
    }

    @Test
    void s8_flushWithNumbers_theNextGoOn() {
        partition.holds(1, 1, 1, 100);
        partition.settings = partition.settings.withMaxUnflushed(5, 100);
        Sequencer sequencer = partition.open();
        SequencingTransaction tx = start(sequencer);
        assertThat(tx.plogOffset()).isEqualTo(2);
        for (int i = 101; i <= 103; i++) {
            assertThat(tx.next(1)).isEqualTo(i);
        }
        partition.finish(tx);
        tx = start(sequencer);
        assertThat(tx.plogOffset()).isEqualTo(3);
        assertThat(tx.next(1)).isEqualTo(104);
    }

    @Test
    void s9_flushWithoutNumbers_takesItsOffset() {
        partition.holds(1, 1, 1, 100);
        Sequencer sequencer = partition.open();
        SequencingTransaction tx = start(sequencer);
        assertThat(tx.plogOffset()).isEqualTo(2);
        partition.finish(tx);
        assertThat(start(sequencer).plogOffset()).isEqualTo(3);
    }

    @Test
    void s10_closeTwice_isNoError() {
        Sequencer sequencer = partition.open();
        partition.finish(start(sequencer));
        sequencer.close();
        sequencer.close();
        partition.restart();
        assertThat(partition.covered()).isEqualTo(2);
    }

    @Test
    void s11_twoSequences_goOnEachFromItsOwn() {
        partition.holds(1, 1, new int[] {1, 2}, new long[] {100, 200});
        Sequencer sequencer = partition.open();
        SequencingTransaction tx = start(sequencer);
        expect(tx, 2, 101, 201);
        partition.finish(tx);
        tx = start(sequencer);
        expect(tx, 3, 102, 202);
        partition.finish(tx);
    }

    private void failsWithoutATransaction(Consumer<SequencingTransaction> call) {
        Sequencer sequencer = partition.open();
        partition.finish(start(sequencer));
        SequencingTransaction tx = sequencer.transaction();
        assertThatIllegalStateException().as("after flush").isThrownBy(() -> call.accept(tx));

        start(sequencer).actualize();
        assertThatIllegalStateException().as("after actualize").isThrownBy(() -> call.accept(tx));

        start(sequencer).discard();
        assertThatIllegalStateException().as("without start").isThrownBy(() -> call.accept(tx));

        assertThat(start(sequencer).plogOffset()).isEqualTo(2);
        sequencer.close();
        assertThatIllegalStateException().as("after close").isThrownBy(() -> call.accept(tx));
    }

    @Test
    void s12_flushWithoutATransaction_fails() {
        failsWithoutATransaction(SequencingTransaction::flush);
    }

    @Test
    void s13_nextWithoutATransaction_fails() {
        failsWithoutATransaction(tx -> tx.next(1));
    }

    @Test
    void s14_actualizeWithoutATransaction_fails() {
        failsWithoutATransaction(SequencingTransaction::actualize);
    }

    @Test
    void s15_withinTheInterval_numbersAndOffsetAreStored() {
        partition.holds(1, 1, 1, 100);
        Sequencer sequencer = partition.open();
        SequencingTransaction tx = start(sequencer);
        assertThat(tx.next(1)).isEqualTo(101);
        partition.finish(tx);
        OnePartition.await(() -> partition.covered() == 3);
        assertThat(partition.stored(1, 1)).isEqualTo(101);
    }

    @Test
    void s16_twoInOneTransaction_followOneAnother() {
        partition.holds(1, 1, 1, 100);
        SequencingTransaction tx = start(partition.open());
        assertThat(tx.next(1)).isEqualTo(101);
        assertThat(tx.next(1)).isEqualTo(102);
    }

    @Test
    void s17_oneOfTheLog_isFollowedByTheNext() {
        partition.holds(1, 1, 1, 50);
        assertThat(start(partition.open()).next(1)).isEqualTo(51);
    }

    @Test
    void s18_twoSequencesInTurn_doNotMeet() {
        partition.holds(1, 1, new int[] {1, 2}, new long[] {100, 200});
        SequencingTransaction tx = start(partition.open());
        expect(tx, 2, 101, 201);
        assertThat(tx.next(1)).isEqualTo(102);
    }

    @Test
    void s19_afterFlush_goesOn() {
        partition.holds(1, 1, 1, 300);
        Sequencer sequencer = partition.open();
        SequencingTransaction tx = start(sequencer);
        assertThat(tx.next(1)).isEqualTo(301);
        partition.finish(tx);
        assertThat(start(sequencer).next(1)).isEqualTo(302);
    }

    @Test
    void s20_twoWorkspacesInMemoryForOne_numbersHaveNoGap() {
        inTurnWithRoomForOne();
    }

    @Test
    void s21_undeclaredSequence_isTypedAndTheTransactionGoesOn() {
        SequencingTransaction tx = start(partition.open());
        assertThatThrownBy(() -> tx.next(UNKNOWN_SEQUENCE))
                .isInstanceOfSatisfying(
                        EventLogException.class,
                        thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.BAD_REQUEST));
        expect(tx, 1, 1, 1);
    }

    @Test
    void s22_writesFail_asManyAsAllowedAreAcceptedAndAllComeLater() {
        partition.holds(1, 1, 1, 100);
        partition.settings = partition.settings.withMaxUnflushed(5, 100).withFlush(100, Duration.ofMillis(10));
        Sequencer sequencer = partition.open(kind(6));
        OnePartition.await(() -> partition.covered() == 2);
        partition.store.fail(Call.WRITE_NUMBERS);
        for (int i = 1; i <= 6; i++) {
            SequencingTransaction tx = start(sequencer);
            assertThat(tx.plogOffset()).isEqualTo(1 + i);
            assertThat(tx.next(i)).isEqualTo(i == 1 ? 101 : 1);
            partition.finish(tx);
        }
        assertThat(sequencer.start(1, 1, Duration.ofMillis(500))).isEqualTo(Refusal.BACKLOG);
        partition.store.heal(Call.WRITE_NUMBERS);
        numbers(start(sequencer), 8, new long[] {101, 1, 1, 1, 1, 1}, 1);
    }

    @Test
    void s23_actualizeAfterAFlush_givesTheSameAgain() {
        Sequencer sequencer = partition.open();
        SequencingTransaction tx = start(sequencer);
        expect(tx, 1, 1, 1);
        partition.finish(tx);
        tx = start(sequencer);
        expect(tx, 2, 2, 2);
        tx.actualize();
        expect(start(sequencer), 2, 2, 2);
    }

    @Test
    void s24_actualizeOfTheFirst_givesTheSameAgain() {
        Sequencer sequencer = partition.open();
        SequencingTransaction tx = start(sequencer);
        expect(tx, 1, 1, 1);
        tx.actualize();
        tx = start(sequencer);
        expect(tx, 1, 1, 1);
        assertThat(tx.next(1)).isEqualTo(2);
    }

    @Test
    void s25_actualizeOverALog_givesTheSameAgain() {
        partition.holds(1, 1, new int[] {1, 2}, new long[] {100, 200});
        Sequencer sequencer = partition.open();
        SequencingTransaction tx = start(sequencer);
        assertThat(tx.next(1)).isEqualTo(101);
        tx.actualize();
        expect(start(sequencer), 2, 101, 201);
    }

    @Test
    void s28_impossibleSettings_areRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SequencerSettings.usual().withLruCacheSize(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkspaceKind.of(1).with(1, 0));
    }

    @Test
    void s29_longRecovery_bringsTheLastNumbersOfEachLength() {
        partition.settings = partition.settings.withMaxUnflushed(5, 100);
        for (int n = 0; n <= 50; n++) {
            partition.another();
            if (n > 0) {
                partition.log(IntStream.rangeClosed(1, n)
                        .mapToObj(k -> partition.event(k, 1, new int[] {1, 2}, new long[] {2L * k - 1, 2L * k}))
                        .toArray(LogEvent[]::new));
            }
            partition.restart();
            Sequencer sequencer = partition.open();
            long first = n == 0 ? 1 : 2L * n;
            long second = n == 0 ? 1 : 2L * n + 1;
            SequencingTransaction tx = start(sequencer);
            expect(tx, n + 1, first, second);
            partition.finish(tx);
            tx = start(sequencer);
            expect(tx, n + 2, first + 1, second + 1);
            tx.actualize();
            expect(start(sequencer), n + 2, first + 1, second + 1);
        }
    }

    @Test
    void s30_manyActualizes_loseAndRepeatNothing() {
        partition.holds(1, 1, 1, 100);
        partition.settings = partition.settings.withMaxUnflushed(10, 100).withLruCacheSize(100);
        Sequencer sequencer = partition.open();
        Random random = new Random(30);
        int flushes = 0;
        for (int i = 0; i < 100; i++) {
            SequencingTransaction tx = start(sequencer);
            assertThat(tx.plogOffset()).isEqualTo(2 + flushes);
            assertThat(tx.next(1)).isEqualTo(101 + flushes);
            if (random.nextBoolean()) {
                partition.finish(tx);
                flushes++;
            } else {
                tx.actualize();
            }
        }
        assertThat(flushes).isBetween(1, 99);
        assertThat(start(sequencer).next(1)).isEqualTo(100 + flushes + 1);
    }

    @Test
    void s31_oneFlush_isStoredWhenTheIntervalHasPassedAndNotBefore() {
        TestEnvironment environment = new TestEnvironment();
        Sequencer sequencer = partition.open(environment);
        SequencingTransaction tx = start(sequencer);
        expect(tx, 1, 1, 1);
        partition.finish(tx);
        environment.pass(partition.settings.maxFlushingInterval().minusNanos(1));
        assertThat(partition.covered()).isEqualTo(1);
        assertThat(sequencer.state().unflushedEvents()).isEqualTo(1);
        environment.pass(Duration.ofNanos(1));
        assertThat(partition.covered()).isEqualTo(2);
        assertThat(partition.stored(1, 1)).isEqualTo(1);
        assertThat(sequencer.state().unflushedEvents()).isZero();
    }

    @Test
    void s32_asManyAsFlushCount_areStoredAtOnceAndFewerAreNot() {
        partition.settings = partition.settings.withFlush(100, Duration.ofHours(1));
        Sequencer sequencer = partition.open(new TestEnvironment());
        for (int i = 1; i < 100; i++) {
            partition.finish(start(sequencer));
        }
        assertThat(partition.covered()).isEqualTo(1);
        partition.finish(start(sequencer));
        assertThat(partition.covered()).isEqualTo(101);
    }

    @Test
    void s33_close_storesWhatIsPending() {
        partition.settings = partition.settings.withFlush(100, Duration.ofHours(1));
        Sequencer sequencer = partition.open();
        SequencingTransaction tx = start(sequencer);
        expect(tx, 1, 1, 1);
        partition.finish(tx);
        sequencer.close();
        assertThat(sequencer.state().unflushedEvents()).isZero();
        partition.restart();
        assertThat(partition.covered()).isEqualTo(2);
        assertThat(partition.stored(1, 1)).isEqualTo(1);
    }

    @Test
    void s81_storedBelowTheInitial_initialIsAFloor() {
        partition.holds(1, 1, 1, 65_536);
        WorkspaceKind kind = WorkspaceKind.of(1).with(1, 200_001);
        assertThat(start(partition.open(kind)).next(1)).isEqualTo(200_001);
    }

    @Test
    void s86_freshStore_holdsTheFirstNumberAndTheOffsetBehindIt() {
        Sequencer sequencer = partition.open();
        SequencingTransaction tx = start(sequencer);
        expect(tx, 1, 1, 1);
        partition.finish(tx);
        OnePartition.await(() -> partition.covered() == 2);
        assertThat(partition.stored(1, 1)).isEqualTo(1);
    }

    @Test
    void s93_cacheOfOne_hasNoGap() {
        inTurnWithRoomForOne();
    }

    private void inTurnWithRoomForOne() {
        partition.settings = partition.settings.withLruCacheSize(1).withFlush(1, Duration.ofMillis(1));
        Sequencer sequencer = partition.open(KIND);
        for (int i = 0; i < 100; i++) {
            SequencingTransaction tx = start(sequencer, 1 + i % 2);
            expect(tx, 1 + i, 1 + i / 2, 1 + i / 2);
            partition.finish(tx);
        }
        OnePartition.await(() -> partition.covered() == 101);
        assertThat(partition.stored(2, 1)).isEqualTo(50);
    }

    @Test
    void s103_numberFromOutsideFarAhead_isRefusedAndTheWorkspaceGoesOn() {
        SequencingTransaction tx = start(partition.open());
        assertThat(tx.next(1)).isEqualTo(1);
        assertThatThrownBy(() -> tx.raise(1, Long.MAX_VALUE, 1_000_000))
                .isInstanceOfSatisfying(
                        EventLogException.class,
                        thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.OUT_OF_RANGE));
        assertThat(tx.next(1)).isEqualTo(2);
        tx.raise(1, 10, 100);
        tx.raise(1, 5, 100);
        assertThat(tx.next(1)).isEqualTo(11);
    }
}
