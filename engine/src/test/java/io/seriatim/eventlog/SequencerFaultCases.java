package io.seriatim.eventlog;

import static io.seriatim.eventlog.OnePartition.KIND;
import static io.seriatim.eventlog.OnePartition.LONG;
import static io.seriatim.eventlog.OnePartition.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.Environment;
import io.seriatim.ErrorCode;
import io.seriatim.TestEnvironment;
import io.seriatim.eventlog.ForwardingPartition.Call;
import io.seriatim.store.EventHeader;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.WriteMode;
import io.seriatim.store.WriterMark;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The scenarios of faults of sequencer.md, by their numbers, on any store. */
public abstract class SequencerFaultCases {

    /** For a close that waits a second twice, for the turn and for the last write, on a machine that has other work. */
    private static final Duration BOUND = Duration.ofSeconds(15);

    private static final Duration FOR_LONG_LOGS = Duration.ofMinutes(3);

    private OnePartition partition;

    /** One in which nothing was stored yet. */
    protected abstract LogWorld world();

    /** How much of a case to run here, of so much, where it writes all the time. */
    protected int writing(int all) {
        return all;
    }

    /** How much of a case to run here, of so much, where it reads a long log. */
    protected int reading(int all) {
        return all;
    }

    @BeforeEach
    void open() {
        partition = new OnePartition(world());
        partition.settings = partition.settings.withWaits(
                Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofSeconds(1), Duration.ofSeconds(1));
    }

    @AfterEach
    void close() {
        partition.close();
    }

    private void next(Sequencer sequencer, long offset, long number) {
        SequencingTransaction tx = start(sequencer);
        assertThat(tx.plogOffset()).isEqualTo(offset);
        assertThat(tx.next(1)).isEqualTo(number);
        partition.finish(tx);
    }

    private static CompletableFuture<Void> inThread(Runnable task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        task.run();
                        done.complete(null);
                    } catch (Throwable thrown) {
                        done.completeExceptionally(thrown);
                    }
                })
                .start();
        return done;
    }

    private static void closesInTime(Sequencer sequencer) throws Exception {
        inThread(sequencer::close).get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
        assertThat(sequencer.start(1, 1)).isInstanceOf(Refusal.class);
    }

    private static ErrorCode codeOf(CompletableFuture<Void> done) throws InterruptedException, TimeoutException {
        try {
            done.get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
            throw new AssertionError("it has succeeded");
        } catch (ExecutionException e) {
            return ((EventLogException) Objects.requireNonNull(e.getCause())).code();
        }
    }

    // ---- S26

    @Test
    void s26_randomLives_areThoseOfASimpleMap() {
        for (int seed = 0; seed < writing(200); seed++) {
            partition.another();
            RandomLife.ofOneThread(seed, partition.rows).live(200);
        }
    }

    @Test
    void s26_randomLivesOnThreads_areThoseOfASimpleMap() {
        for (int seed = 0; seed < Math.max(3, writing(30)); seed++) {
            partition.another();
            RandomLife.onThreads(seed, partition.rows, partition.environment).live(200);
        }
    }

    // ---- S27

    @Test
    void s27_closeWhileAWriteFails_endsInTime() throws Exception {
        Sequencer sequencer = partition.open();
        partition.store.fail(Call.WRITE_NUMBERS);
        next(sequencer, 1, 1);
        closesInTime(sequencer);
        assertThat(sequencer.status()).isEqualTo(SequencerStatus.CLOSED);
    }

    @Test
    void s27_closeWhileAWriteHangs_endsInTime() throws Exception {
        Sequencer sequencer = partition.open();
        partition.store.hold(Call.WRITE_NUMBERS);
        next(sequencer, 1, 1);
        partition.store.awaitHeld(Call.WRITE_NUMBERS);
        closesInTime(sequencer);
    }

    @Test
    void s27_closeWhileTheCheckpointIsRead_endsInTime() throws Exception {
        partition.store.hold(Call.CHECKPOINT);
        Sequencer sequencer = partition.open();
        partition.store.awaitHeld(Call.CHECKPOINT);
        closesInTime(sequencer);
        partition.store.release(Call.CHECKPOINT);
        assertThat(sequencer.start(1, 1)).isEqualTo(Refusal.CLOSED);
    }

    @Test
    void s27_closeWhileTheCheckpointCannotBeRead_endsInTime() throws Exception {
        partition.store.fail(Call.CHECKPOINT);
        Sequencer sequencer = partition.open();
        OnePartition.await(() -> partition.store.count(Call.CHECKPOINT) > 1);
        closesInTime(sequencer);
    }

    @Test
    void s27_closeWhileTheLogIsRead_endsInTime() throws Exception {
        partition.store.hold(Call.REPLAY);
        Sequencer sequencer = partition.open();
        partition.store.awaitHeld(Call.REPLAY);
        closesInTime(sequencer);
        partition.store.release(Call.REPLAY);
        assertThat(sequencer.start(1, 1)).isEqualTo(Refusal.CLOSED);
    }

    @Test
    void s27_closeWhileNextReads_nextIsClosed() throws Exception {
        Sequencer sequencer = partition.open();
        OnePartition.await(() -> sequencer.status() == SequencerStatus.READY);
        partition.store.fail(Call.READ_NUMBERS);
        CompletableFuture<Void> next = inThread(() -> {
            try (SequencingTransaction tx = start(sequencer)) {
                tx.next(1);
            }
        });
        OnePartition.await(() -> partition.store.count(Call.READ_NUMBERS) > 1);
        closesInTime(sequencer);
        assertThat(codeOf(next)).isEqualTo(ErrorCode.CLOSED);
    }

    @Test
    void s27_nextCannotRead_isUnavailableInTimeAndTheTransactionGoesOn() throws Exception {
        Sequencer sequencer = partition.open();
        SequencingTransaction tx = start(sequencer);
        partition.store.fail(Call.READ_NUMBERS);
        assertThat(codeOf(inThread(() -> tx.next(1)))).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        partition.store.heal(Call.READ_NUMBERS);
        assertThat(tx.next(1)).isEqualTo(1);
    }

    @Test
    void s27_epochLostWhileAWriteFails_isFencedWhenItComesThrough() throws Exception {
        Sequencer sequencer = partition.open();
        partition.store.fail(Call.WRITE_NUMBERS);
        next(sequencer, 1, 1);
        OnePartition.await(() -> partition.store.count(Call.WRITE_NUMBERS) > 1);
        long unused = partition.rows.take();
        partition.store.heal(Call.WRITE_NUMBERS);
        OnePartition.await(() -> sequencer.status() == SequencerStatus.FENCED);
        assertThat(sequencer.start(1, 1, LONG)).isEqualTo(Refusal.FENCED);
        assertThat(partition.covered()).isEqualTo(1);
        closesInTime(sequencer);
    }

    @Test
    void s27_epochLostWhileTheCheckpointIsRead_nothingIsWritten() throws Exception {
        partition.holds(1, 1, 1, 100);
        partition.store.hold(Call.CHECKPOINT);
        epochLostWhileHeldAt(Call.CHECKPOINT);
    }

    @Test
    void s27_epochLostWhileTheLogIsRead_nothingIsWritten() throws Exception {
        partition.holds(1, 1, 1, 100);
        partition.store.holdBehind(Call.REPLAY);
        epochLostWhileHeldAt(Call.REPLAY);
    }

    private void epochLostWhileHeldAt(Call call) throws Exception {
        Sequencer sequencer = partition.open();
        partition.store.awaitHeld(call);
        long unused = partition.rows.take();
        partition.store.release(call);
        OnePartition.await(() -> sequencer.status() == SequencerStatus.FENCED);
        assertThat(partition.covered()).isEqualTo(1);
        closesInTime(sequencer);
    }

    /** The next owner had stored its numbers when this one looked, which called the partition corrupt. */
    @Test
    void s27_epochLostAndNumbersStoredWhileTheCheckpointIsRead_isFencedAndNotCorrupt() throws Exception {
        partition.holds(1, 1, 1, 100);
        isFencedWhenPassedOverAt(Call.CHECKPOINT, KIND);
    }

    /** The same of events that only the next owner knows how to read. */
    @Test
    void s27_epochLostToAnOwnerOfMoreKindsWhileTheLogIsRead_isFencedAndNotCorrupt() throws Exception {
        partition.holds(1, 1, 1, 100);
        isFencedWhenPassedOverAt(Call.REPLAY, WorkspaceKind.of(2).with(1, 1));
    }

    private void isFencedWhenPassedOverAt(Call call, WorkspaceKind kindOfTheNext) throws Exception {
        Sequencer sequencer = partition.open();
        start(sequencer).discard();
        partition.store.hold(call);
        start(sequencer).actualize();
        partition.store.awaitHeld(call);
        List<WorkspaceKind> kinds = kindOfTheNext.id() == KIND.id() ? List.of(KIND) : List.of(KIND, kindOfTheNext);
        Sequencer next = Sequencer.on(partition.rows, kinds, partition.settings, partition.environment);
        SequencingTransaction tx = next.start(kindOfTheNext.id(), 2, LONG).orThrow();
        long unused = tx.next(1);
        partition.finish(tx);
        next.close();
        assertThat(partition.covered()).isEqualTo(3);
        partition.store.release(call);
        OnePartition.await(() -> sequencer.status() != SequencerStatus.RECOVERING);
        assertThat(sequencer.status()).isEqualTo(SequencerStatus.FENCED);
        closesInTime(sequencer);
    }

    @Test
    void s27_epochLostWhileNextReads_nextIsFenced() throws Exception {
        Sequencer sequencer = partition.open();
        partition.store.hold(Call.WRITE_NUMBERS);
        next(sequencer, 1, 1);
        partition.store.awaitHeld(Call.WRITE_NUMBERS);
        partition.store.fail(Call.READ_NUMBERS);
        CompletableFuture<Void> next = inThread(() -> start(sequencer, 2).next(1));
        OnePartition.await(() -> partition.store.count(Call.READ_NUMBERS) > 2);
        long unused = partition.rows.take();
        partition.store.release(Call.WRITE_NUMBERS);
        assertThat(codeOf(next)).isEqualTo(ErrorCode.FENCED);
        closesInTime(sequencer);
    }

    // ---- long logs

    /** The table of workspaces was too small for what a replay had left and what came after it. */
    @Test
    void longReplay_writesFailForGood_endsInABacklogAndNotBefore() throws Exception {
        partition.settings = partition.settings.withMaxUnflushed(512, 100_000).withLruCacheSize(1);
        partition.holds(513, offset -> offset);
        partition.store.fail(Call.WRITE_NUMBERS);
        Sequencer sequencer = partition.open();
        SequencingTransaction first = start(sequencer, 1);
        first.discard();
        Start started = first;
        for (int workspace = 1_000; started != Refusal.BACKLOG; workspace++) {
            started = sequencer.start(1, workspace);
            if (started instanceof SequencingTransaction tx) {
                tx.next(1);
                partition.finish(tx);
            }
            assertThat(workspace).isLessThan(2_000);
        }
        partition.store.heal(Call.WRITE_NUMBERS);
        closesInTime(sequencer);
    }

    /** The log was read a second time, by a thread that had given the turn back. */
    @Test
    void noThreadForTheFlusherAfterAReplay_isTriedAgainAndTheTurnIsWhole() throws Exception {
        partition.settings = partition.settings.withFlush(1, Duration.ofSeconds(1));
        partition.holds(3, offset -> offset);
        AtomicInteger executed = new AtomicInteger();
        Environment scarce = new Scarce(partition.environment, () -> executed.incrementAndGet() == 2);
        Sequencer sequencer = Sequencer.on(partition.store, List.of(KIND), partition.settings, scarce);
        OnePartition.await(() -> executed.get() > 2 && partition.covered() == 4);
        SequencingTransaction tx = start(sequencer, 1);
        assertThat(tx.plogOffset()).isEqualTo(4);
        OnePartition.await(() -> sequencer.status() == SequencerStatus.IN_TRANSACTION);
        tx.discard();
        closesInTime(sequencer);
    }

    /** Has no thread at some calls. */
    private record Scarce(Environment real, BooleanSupplier isOut) implements Environment {

        @Override
        public Instant now() {
            return real.now();
        }

        @Override
        public long nanoTime() {
            return real.nanoTime();
        }

        @Override
        public long random() {
            return real.random();
        }

        @Override
        public Executor executor() {
            return task -> {
                if (isOut.getAsBoolean()) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                real.executor().execute(task);
            };
        }

        @Override
        public void after(Duration delay, Runnable task) {
            real.after(delay, task);
        }
    }

    /** Ten thousand workspaces took longer to be stored than their log to be read, and the first transaction waited. */
    @Test
    void longReplay_numbersNotStoredYet_keepsNoTransactionWaiting() throws Exception {
        partition.settings = partition.settings.withMaxUnflushed(8, 100_000);
        partition.holds(100, offset -> offset);
        partition.store.fail(Call.WRITE_NUMBERS);
        Sequencer sequencer = partition.open();
        SequencingTransaction tx = start(sequencer, 7);
        assertThat(tx.plogOffset()).isEqualTo(101);
        assertThat(tx.next(1)).isEqualTo(8);
        tx.discard();
        partition.store.heal(Call.WRITE_NUMBERS);
        closesInTime(sequencer);
    }

    @Test
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void s82_longReplayWithLittleRoom_storesNoOffsetBeforeItsNumbers() {
        partition.settings = partition.settings.withMaxUnflushed(10, 100_000).withLruCacheSize(10);
        int count = writing(300_000);
        LongUnaryOperator workspaces = offset -> offset % 50;
        partition.holds(count, workspaces);
        WatchedPartition watched = new WatchedPartition(partition.rows, workspaces);
        AtomicBoolean stop = new AtomicBoolean();
        try (Sequencer sequencer = Sequencer.on(watched, List.of(KIND), partition.settings, partition.environment)) {
            CompletableFuture<Void> urging = inThread(() -> {
                while (!stop.get()) {
                    sequencer.flusher().urge();
                    Thread.onSpinWait();
                }
            });
            SequencingTransaction tx = sequencer.start(1, 1, FOR_LONG_LOGS).orThrow();
            stop.set(true);
            urging.join();
            assertThat(tx.plogOffset()).isEqualTo(count + 1);
            tx.discard();
        }
        assertThat(watched.wasBehind()).isFalse();
        assertThat(watched.writes()).isGreaterThan(1_000);
        partition.restart();
        assertThat(partition.covered()).isEqualTo(count + 1);
        for (int workspace = 0; workspace < 50; workspace++) {
            assertThat(partition.stored(workspace, 1)).isEqualTo(workspace == 0 ? count : count - 50 + workspace);
        }
    }

    @Test
    void s89_aMillionEventsOnOneKey_storesProgressOnTheWay() {
        int count = reading(1_000_000);
        partition.holds(count, offset -> 1);
        WatchedPartition watched = new WatchedPartition(partition.rows, offset -> 1);
        try (Sequencer sequencer = Sequencer.on(watched, List.of(KIND), partition.settings, partition.environment)) {
            sequencer.start(1, 1, FOR_LONG_LOGS).orThrow().discard();
            assertThat(watched.writes()).isGreaterThan(1);
            assertThat(sequencer.state().replay().percent()).isEqualTo(100);
        }
        assertThat(watched.wasBehind()).isFalse();
        partition.restart();
        assertThat(partition.covered()).isEqualTo(count + 1);
        assertThat(partition.stored(1, 1)).isEqualTo(count);
    }

    // ---- close

    @Test
    void s83_closeWhileWritesFail_endsInTimeAndSaysWhatIsPending() throws Exception {
        Sequencer sequencer = partition.open();
        OnePartition.await(() -> sequencer.status() == SequencerStatus.READY);
        partition.store.fail(Call.WRITE_NUMBERS);
        next(sequencer, 1, 1);
        closesInTime(sequencer);
        assertThat(sequencer.state().unflushedEvents()).isEqualTo(1);
        assertThat(sequencer.state().unflushedValues()).isEqualTo(1);
        partition.restart();
        assertThat(partition.covered()).isEqualTo(1);
        next(partition.open(), 2, 2);
    }

    @Test
    void s84_closeWhileActualizeHangs_endsInTimeAndSaysWhatIsPending() throws Exception {
        Sequencer sequencer = partition.open();
        partition.store.fail(Call.WRITE_NUMBERS);
        next(sequencer, 1, 1);
        partition.store.hold(Call.CHECKPOINT);
        start(sequencer).actualize();
        partition.store.awaitHeld(Call.CHECKPOINT);
        closesInTime(sequencer);
        assertThat(sequencer.state().unflushedEvents()).isEqualTo(1);
    }

    // ---- what became of an event

    @Test
    void s90_appendFailedButLanded_theNextFollow() {
        Sequencer sequencer = partition.open();
        SequencingTransaction tx = start(sequencer);
        assertThat(tx.next(1)).isEqualTo(1);
        partition.append(tx);
        tx.actualize();
        next(sequencer, 2, 2);
    }

    @Test
    void s90_appendFailed_theSameComeAgain() {
        Sequencer sequencer = partition.open();
        SequencingTransaction tx = start(sequencer);
        assertThat(tx.next(1)).isEqualTo(1);
        tx.actualize();
        next(sequencer, 1, 1);
    }

    @Test
    void s91_flushWhileAWriteIsInFlight_isWrittenAfterIt() {
        partition.settings = partition.settings.withFlush(1, Duration.ofMillis(1));
        partition.holds(1, 1, 1, 4);
        Sequencer sequencer = partition.open();
        OnePartition.await(() -> partition.covered() == 2);
        partition.store.hold(Call.WRITE_NUMBERS);
        next(sequencer, 2, 5);
        partition.store.awaitHeld(Call.WRITE_NUMBERS);
        next(sequencer, 3, 6);
        partition.store.passOne(Call.WRITE_NUMBERS);
        OnePartition.await(() -> partition.covered() == 3);
        assertThat(partition.stored(1, 1)).isEqualTo(5);
        assertThat(sequencer.state().unflushedEvents()).isGreaterThanOrEqualTo(1);
        partition.store.release(Call.WRITE_NUMBERS);
        OnePartition.await(() -> partition.covered() == 4);
        assertThat(partition.stored(1, 1)).isEqualTo(6);
    }

    @Test
    void s92_writesFailAWhile_storeEqualsTheLastTransaction() {
        partition.settings = partition.settings.withFlush(1, Duration.ofMillis(1));
        Sequencer sequencer = partition.open();
        partition.store.fail(Call.WRITE_NUMBERS);
        next(sequencer, 1, 1);
        OnePartition.await(() -> partition.store.count(Call.WRITE_NUMBERS) >= 3);
        next(sequencer, 2, 2);
        next(sequencer, 3, 3);
        partition.store.heal(Call.WRITE_NUMBERS);
        OnePartition.await(() -> partition.covered() == 4);
        assertThat(partition.stored(1, 1)).isEqualTo(3);
        OnePartition.await(() -> sequencer.state().unflushedEvents() == 0);
    }

    /** The first owner writes over what is there, as at trust level 2: only the epoch keeps it from that. */
    @Test
    void s95_twoOwners_theFirstIsFencedAndChangesNothing() {
        partition.settings = partition.settings.withFlush(1, Duration.ofMillis(1));
        partition.holds(8, offset -> 1);
        Sequencer a = partition.open();
        next(a, 9, 9);
        OnePartition.await(() -> partition.covered() == 10);
        SequencingTransaction paused = start(a);
        assertThat(paused.next(1)).isEqualTo(10);
        LogEvent late = paused.event(new byte[] {1});

        PartitionStore beside = partition.beside();
        try (Sequencer b = Sequencer.on(beside, List.of(KIND), partition.settings, partition.environment)) {
            for (int i = 10; i <= 12; i++) {
                next(b, i, i);
            }
            OnePartition.await(() -> partition.covered() == 13);
            LogEvent tenth = beside.events(10, 1).get(0);

            assertThat(partition.rows.append(late.epoch(), WriteMode.PUT, List.of(late)))
                    .isInstanceOf(LogOutcome.Fenced.class);
            paused.flush();
            OnePartition.await(() -> a.status() == SequencerStatus.FENCED);
            assertThat(partition.stored(1, 1)).isEqualTo(12);
            assertThat(partition.covered()).isEqualTo(13);
            assertThat(beside.events(10, 1)).containsExactly(tenth);
            assertThat(a.start(1, 1)).isEqualTo(Refusal.FENCED);
            next(b, 13, 13);
        }
    }

    // ---- crashes

    @Test
    void s98_killedAtAnyMoment_offsetsHaveNoHoleAndNoNumberComesTwice() {
        Random random = new Random(98);
        partition.settings = partition.settings.withFlush(3, Duration.ofMillis(1));
        long acknowledged = 0;
        for (int life = 0; life < 100; life++) {
            partition.crash();
            TestEnvironment environment = new TestEnvironment(life); // ends with the process
            Sequencer sequencer = Sequencer.on(partition.rows, List.of(KIND), partition.settings, environment);
            for (int i = random.nextInt(8); i > 0; i--) {
                SequencingTransaction tx = sequencer.start(1, random.nextInt(3)).orThrow();
                assertThat(tx.plogOffset()).isEqualTo(acknowledged + 1);
                long unused = tx.next(1);
                partition.finish(tx);
                acknowledged++;
            }
            if (random.nextBoolean()) {
                SequencingTransaction tx = sequencer.start(1, 1).orThrow();
                long unused = tx.next(1);
                if (random.nextBoolean()) {
                    partition.append(tx);
                    acknowledged++; // it would be, if the process lived
                }
            }
        }
        partition.crash();
        List<LogEvent> events = partition.rows.events(1, Integer.MAX_VALUE);
        assertThat(events).hasSize((int) acknowledged);
        Set<List<Long>> numbers = new HashSet<>();
        for (int i = 0; i < events.size(); i++) {
            assertThat(events.get(i).offset()).isEqualTo(i + 1);
            EventHeader header = events.get(i).header();
            assertThat(numbers.add(List.of(header.workspace(), header.values()[0])))
                    .isTrue();
        }
    }

    private static List<LogEvent> sealThree(Sequencer sequencer) {
        List<LogEvent> group = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            SequencingTransaction tx = start(sequencer);
            assertThat(tx.plogOffset()).isEqualTo(i);
            assertThat(tx.next(1)).isEqualTo(i);
            group.add(tx.event(new byte[0]));
            assertThat(tx.seal().plogOffset()).isEqualTo(i);
        }
        return group;
    }

    @Test
    void s99_groupOfThreeFails_theSameComeAgain() {
        Sequencer sequencer = partition.open();
        assertThat(sealThree(sequencer)).hasSize(3);
        sequencer.actualize();
        assertThat(sealThree(sequencer)).hasSize(3);
        assertThat(partition.rows.lastOffset()).isEmpty();
    }

    @Test
    void s99_groupOfThreeIsUnknownAndLanded_theNextFollow() {
        Sequencer sequencer = partition.open();
        partition.append(sealThree(sequencer));
        sequencer.actualize();
        next(sequencer, 4, 4);
    }

    @Test
    void s100_foreignEventInTheLog_isBelievedAfterActualize() {
        foreignEvent(1);
    }

    @Test
    void s100_foreignEventOfAnotherOwner_isBelievedAfterActualize() {
        foreignEvent(99);
    }

    private void foreignEvent(long epoch) {
        Sequencer sequencer = partition.open();
        for (int i = 1; i <= 10; i++) {
            next(sequencer, i, i);
        }
        SequencingTransaction tx = start(sequencer);
        EventHeader header = new EventHeader(1, 1, new WriterMark(99, 1), "", new int[] {1}, new long[] {11});
        partition.log(new LogEvent(11, epoch, header, new byte[0]));
        tx.actualize();
        next(sequencer, 12, 12);
    }

    @Test
    void s102_checkpointBehindTheLogsEnd_isCorruptUntilItIsReset() {
        partition.holds(480, offset -> 1);
        PendingRows none = new PendingRows(new WorkspaceKind[] {KIND}, 1);
        assertThat(partition.rows.writeNumbers(partition.rows.epoch(), none, 500))
                .isInstanceOf(LogOutcome.Applied.class);
        partition.restart();
        Sequencer sequencer = partition.open();
        Duration forEver = Duration.ofSeconds(Long.MAX_VALUE); // a final reason is not waited out
        assertThat(sequencer.start(1, 1, forEver)).isEqualTo(Refusal.CORRUPT);
        assertThat(sequencer.status()).isEqualTo(SequencerStatus.CORRUPT);
        assertThat(sequencer.state().lastFailure().orElseThrow())
                .contains("499")
                .contains("480");
        sequencer.close();
        assertThatThrownBy(() -> sequencer.start(1, 1).orThrow()).isInstanceOf(EventLogException.class);

        assertThat(partition.rows.resetCheckpoint(partition.rows.epoch())).isInstanceOf(LogOutcome.Applied.class);
        partition.restart();
        next(partition.open(), 481, 481);
    }
}
