package io.seriatim.eventlog;

import static io.seriatim.eventlog.OnePartition.KIND;
import static io.seriatim.eventlog.OnePartition.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.seriatim.ErrorCode;
import io.seriatim.TestEnvironment;
import io.seriatim.eventlog.ForwardingPartition.Call;
import io.seriatim.store.EventHeader;
import io.seriatim.store.HeaderVisitor;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.StoreException;
import io.seriatim.store.WriterMark;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Faults that were there once, and moments at which things meet. */
class SequencerFaultTest {

    private static final byte[] BODY = new byte[0];

    private final OnePartition partition = new OnePartition();

    @AfterEach
    void close() {
        partition.close();
    }

    private void next(Sequencer sequencer, long workspace, long offset, long number) {
        SequencingTransaction tx = start(sequencer, workspace);
        assertThat(tx.plogOffset()).isEqualTo(offset);
        assertThat(tx.next(1)).isEqualTo(number);
        partition.finish(tx);
    }

    /** A write of numbers met the new epoch before the answer to renew was here, and took it for another owner's. */
    @Test
    void renew_landedButNotAnswered_aWriteMeanwhileDoesNotFenceTheOwner() {
        Sequencer sequencer = partition.open();
        partition.store.fail(Call.WRITE_NUMBERS);
        next(sequencer, 1, 1, 1);
        sequencer.flusher().urge();
        OnePartition.await(() -> partition.store.count(Call.WRITE_NUMBERS) > 0);
        partition.store.holdBehind(Call.RENEW);
        start(sequencer).actualize();
        partition.store.awaitHeld(Call.RENEW);
        assertThat(partition.rows.epoch()).isEqualTo(2);
        partition.store.heal(Call.WRITE_NUMBERS);
        int before = partition.store.count(Call.WRITE_NUMBERS);
        OnePartition.await(() -> partition.store.count(Call.WRITE_NUMBERS) > before + 1);
        assertThat(sequencer.status()).isEqualTo(SequencerStatus.RECOVERING);
        partition.store.release(Call.RENEW);
        next(sequencer, 1, 2, 2);
    }

    /** Two owners cannot be told apart by the epoch alone, so the one that does not know stops. */
    @Test
    void renew_landedWithoutAnAnswer_isFencedAndTheNextOwnerGoesOn() {
        AtomicBoolean lose = new AtomicBoolean();
        ForwardingPartition losing = new ForwardingPartition(partition.rows) {
            @Override
            LogOutcome write(Call call, Supplier<LogOutcome> work) {
                LogOutcome outcome = work.get();
                return call == Call.RENEW && lose.getAndSet(false)
                        ? new LogOutcome.Unknown(new Exception("the answer is lost"))
                        : outcome;
            }
        };
        try (Sequencer first = Sequencer.on(losing, List.of(KIND), partition.settings, partition.environment)) {
            next(first, 1, 1, 1);
            lose.set(true);
            start(first).actualize();
            OnePartition.await(() -> first.status() == SequencerStatus.FENCED);
        }
        next(partition.open(), 1, 2, 2);
    }

    /** Nobody told the flusher of it if the open transaction was then discarded or sealed. */
    @Test
    void sealedFlush_whileAnotherIsOpen_isStoredWithinTheInterval() {
        TestEnvironment environment = new TestEnvironment();
        Sequencer sequencer = partition.open(environment);
        SequencingTransaction tx = start(sequencer);
        assertThat(tx.next(1)).isEqualTo(1);
        partition.append(tx);
        SealedTransaction sealed = tx.seal();
        SequencingTransaction open = start(sequencer, 2);
        assertThat(open.next(1)).isEqualTo(1);
        assertThat(sealed.flush().size()).isEqualTo(1);
        assertThat(open.next(1)).isEqualTo(2);
        open.discard();
        environment.pass(partition.settings.maxFlushingInterval());
        assertThat(partition.covered()).isEqualTo(2);
        assertThat(partition.stored(1, 1)).isEqualTo(1);
        assertThat(partition.stored(2, 1)).isZero();
    }

    /** Once nothing woke it before a start was refused. */
    @Test
    void flush_ofHalfOfWhatMayBeUnflushed_isStoredAtOnce() {
        partition.settings = partition.settings.withMaxUnflushed(4, 100).withFlush(100, Duration.ofHours(1));
        Sequencer sequencer = partition.open(new TestEnvironment());
        SequencingTransaction tx = start(sequencer);
        assertThat(tx.next(1)).isEqualTo(1);
        assertThat(tx.next(2)).isEqualTo(1);
        partition.finish(tx);
        assertThat(partition.covered()).isEqualTo(2);
    }

    @Test
    void start_refusedForABacklog_makesTheFlusherWriteLongBeforeTheInterval() {
        partition.settings = partition.settings.withMaxUnflushed(8, 1).withFlush(100, Duration.ofHours(1));
        Sequencer sequencer = partition.open();
        for (int i = 1; i <= 500; i++) {
            next(sequencer, 1, i, i);
        }
    }

    /** What was met before the store failed was forgotten, and with it that warm numbers are not to be believed. */
    @Test
    void foreignEvent_readFailsBehindIt_warmNumbersAreForgotten() {
        AtomicBoolean fail = new AtomicBoolean();
        ForwardingPartition failing = new ForwardingPartition(partition.rows) {
            @Override
            public int replay(long fromOffset, int limit, HeaderVisitor visitor) {
                int shown = super.replay(fromOffset, limit, visitor);
                if (shown > 0 && fail.getAndSet(false)) {
                    throw new StoreException(StoreException.Kind.UNAVAILABLE, "behind the last event");
                }
                return shown;
            }
        };
        try (Sequencer sequencer = Sequencer.on(failing, List.of(KIND), partition.settings, partition.environment)) {
            next(sequencer, 1, 1, 1);
            raiseStored(1, 50);
            SequencingTransaction tx = start(sequencer, 2);
            EventHeader header = new EventHeader(2, 1, new WriterMark(9, 1), "", new int[] {1}, new long[] {7});
            partition.log(new LogEvent(2, 99, header, BODY));
            fail.set(true);
            tx.actualize();
            next(sequencer, 1, 3, 51);
            next(sequencer, 2, 4, 8);
        }
    }

    private void raiseStored(long workspace, long number) {
        PendingRows rows = new PendingRows(new WorkspaceKind[] {KIND}, 3);
        rows.begin(0);
        int unused = rows.put(0, workspace, 0, 0b010, new long[] {0, number, 0}, 0);
        assertThat(partition.rows.writeNumbers(partition.rows.epoch(), rows, partition.covered()))
                .isInstanceOf(LogOutcome.Applied.class);
    }

    // ---- close

    @Test
    void close_byAnotherThread_leavesTheOpenTransactionToItsOwn() throws Exception {
        partition.settings = partition.settings.withWaits(
                Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofSeconds(1), Duration.ofSeconds(20));
        Sequencer sequencer = partition.open();
        SequencingTransaction tx = start(sequencer);
        assertThat(tx.next(1)).isEqualTo(1);
        CompletableFuture<Void> closed = new CompletableFuture<>();
        Thread closing = new Thread(() -> {
            sequencer.close();
            closed.complete(null);
        });
        closing.start();
        OnePartition.await(() -> sequencer.status() == SequencerStatus.CLOSED);
        assertThatExceptionOfType(EventLogException.class)
                .isThrownBy(() -> tx.next(1))
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.CLOSED));
        assertThatExceptionOfType(EventLogException.class)
                .isThrownBy(() -> tx.raise(1, 5, 10))
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.CLOSED));
        partition.finish(tx);
        closed.join();
        assertThat(partition.covered()).isEqualTo(2);
        assertThat(partition.stored(1, 1)).isEqualTo(1);
    }

    @Test
    void close_byTheThreadOfTheOpenTransaction_dropsItAndStoresTheRest() {
        Sequencer sequencer = partition.open();
        next(sequencer, 1, 1, 1);
        try (SequencingTransaction tx = start(sequencer)) {
            assertThat(tx.next(1)).isEqualTo(2);
            sequencer.close();
        }
        assertThat(partition.covered()).isEqualTo(2);
        assertThat(partition.stored(1, 1)).isEqualTo(1);
    }

    /** It gave up at once, with a store that works. */
    @Test
    void close_byAnInterruptedThread_storesWhatIsPending() {
        Sequencer sequencer = partition.open();
        next(sequencer, 1, 1, 1);
        partition.store.hold(Call.WRITE_NUMBERS);
        sequencer.flusher().urge();
        partition.store.awaitHeld(Call.WRITE_NUMBERS);
        next(sequencer, 1, 2, 2);
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread closing = new Thread(() -> {
            Thread.currentThread().interrupt();
            sequencer.close();
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        closing.start();
        OnePartition.await(() -> closing.getState() == Thread.State.TIMED_WAITING);
        partition.store.release(Call.WRITE_NUMBERS);
        OnePartition.await(() -> !closing.isAlive());
        assertThat(interrupted).isTrue();
        assertThat(partition.covered()).isEqualTo(3);
    }

    /** It waited by a clock that stood still. */
    @Test
    void close_whileTheClockStandsAndWritesFail_ends() {
        partition.store.fail(Call.WRITE_NUMBERS);
        Sequencer sequencer = partition.open(new TestEnvironment());
        next(sequencer, 1, 1, 1);
        sequencer.close();
        assertThat(sequencer.state().unflushedEvents()).isEqualTo(1);
    }

    @Test
    void flusher_afterTheEnd_comesToRest() {
        for (boolean fenced : new boolean[] {false, true}) {
            try (OnePartition one = new OnePartition()) {
                TestEnvironment environment = new TestEnvironment();
                one.store.fail(Call.WRITE_NUMBERS);
                Sequencer sequencer = one.open(environment);
                SequencingTransaction tx = start(sequencer);
                assertThat(tx.next(1)).isEqualTo(1);
                one.finish(tx);
                environment.pass(Duration.ofSeconds(1));
                if (fenced) {
                    sequencer.end(Refusal.FENCED);
                } else {
                    sequencer.close();
                }
                environment.pass(Duration.ofSeconds(1));
                int writes = one.store.count(Call.WRITE_NUMBERS);
                environment.pass(Duration.ofHours(1));
                assertThat(one.store.count(Call.WRITE_NUMBERS)).isEqualTo(writes);
            }
        }
    }

    @Test
    void start_byAnInterruptedThread_returnsTheReasonAtOnce() {
        partition.store.hold(Call.REPLAY);
        Sequencer sequencer = partition.open();
        Thread.currentThread().interrupt();
        assertThat(sequencer.start(1, 1, Duration.ofDays(1))).isEqualTo(Refusal.ACTUALIZING);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void next_byAnInterruptedThread_readsOnceMoreAndIsUnavailable() {
        Sequencer sequencer = partition.open();
        SequencingTransaction tx = start(sequencer);
        partition.store.fail(Call.READ_NUMBERS);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(EventLogException.class).isThrownBy(() -> tx.next(1));
        assertThat(Thread.interrupted()).isTrue();
        partition.store.heal(Call.READ_NUMBERS);
        assertThat(tx.next(1)).isEqualTo(1);
        tx.discard();
    }

    // ---- what stays in memory

    /** An abandoned write that came through late made entries stay that need not. */
    @Test
    void stored_saidLateOfAnAbandonedWrite_doesNotGoBack() {
        Numbers numbers = new Numbers(
                new WorkspaceKind[] {KIND}, SequencerSettings.usual().withLruCacheSize(1), partition.rows);
        draw(numbers, 1);
        PendingRows abandoned = numbers.handOver(numbers.emptyRows());
        draw(numbers, 2);
        numbers.beginReplay(1);
        numbers.stored(abandoned);
        draw(numbers, 3);
        draw(numbers, 4);
        assertThat(numbers.cachedWorkspaces()).isEqualTo(2); // those of the last two rows, which are not stored
    }

    private static void draw(Numbers numbers, long workspace) {
        numbers.begin(0, workspace);
        numbers.load();
        assertThat(numbers.next(1)).isEqualTo(1);
        assertThat(numbers.flushOpen().size()).isEqualTo(1);
    }

    @Test
    void manyWorkspaces_storeFails_asManyStayAsMayBeUnflushed() {
        int most = 50;
        partition.settings = partition.settings.withLruCacheSize(1).withMaxUnflushed(most, 1_000);
        Sequencer sequencer = partition.open();
        partition.store.fail(Call.WRITE_NUMBERS);
        int workspace = 0;
        while (sequencer.start(1, workspace) instanceof SequencingTransaction || workspace == 0) {
            if (sequencer.status() == SequencerStatus.IN_TRANSACTION) {
                SequencingTransaction tx = sequencer.transaction();
                assertThat(tx.next(1)).isEqualTo(1);
                assertThat(tx.next(2)).isEqualTo(1);
                partition.finish(tx);
                workspace++;
            }
        }
        assertThat(sequencer.state().unflushedValues()).isBetween(most, most + 2);
        partition.store.heal(Call.WRITE_NUMBERS);
        int offset = workspace + 1;
        for (int i = 0; i < workspace; i++) {
            next(sequencer, i, offset + i, 2);
        }
    }
}
