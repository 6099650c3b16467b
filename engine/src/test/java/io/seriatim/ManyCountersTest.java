package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.WriteOutcome;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** More counters than there is room for: those at rest leave the memory cleanly, and come back as if nothing had been. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ManyCountersTest {

    private static final int ROOM = 250;
    private static final int MOST = ROOM + ClockHand.slack(ROOM) + 1;
    private static final int COUNTERS = 5_000;

    private final MemoryCounterStore store = new MemoryCounterStore();

    private Sequences open(Environment environment, int room) {
        return Sequences.on(new KeptOpen(store), environment, Duration.ofSeconds(30), room, 1_000);
    }

    private static SequenceDefinition withFormat(Contract contract) {
        return SequenceDefinition.ascending().contract(contract).with("format.template", "{scope:s}-{seq}");
    }

    private static Sequence counter(Sequence sequence, int number) {
        return sequence.counter("s=" + number, "");
    }

    private long mark(Sequence sequence, int number) {
        return store.findCounter(new CounterKey(sequence.sequenceId(), "s=" + number, ""))
                .orElseThrow()
                .highWaterMark();
    }

    @ParameterizedTest
    @EnumSource(names = {"FAST", "ORDERED"})
    void next_twentyTimesTheRoom_memoryIsBoundedAndNothingIsRepeatedOrSkipped(Contract contract) {
        try (Sequences sequences = open(new TestEnvironment(), ROOM)) {
            Sequence sequence = sequences.define("n", withFormat(contract));
            long most = 0;
            for (int value = 1; value <= 3; value++) {
                for (int i = 0; i < COUNTERS; i++) {
                    assertThat(counter(sequence, i).next()).isEqualTo(value);
                    if (i % ROOM == 0) {
                        most = Math.max(most, sequences.statistics().openSequences());
                    }
                }
            }
            assertThat(most).isBetween((long) ROOM, (long) MOST);
            assertThat(sequences.statistics().skipped()).isZero();
            assertThat(sequences.statistics().issued()).isEqualTo(3 * COUNTERS);
        }
    }

    /** A million customers with one invoice each must not reserve the world: the next block was fetched at once. */
    @Test
    void next_firstOfACounter_takesABlockOfOneAndFetchesNothingAhead() {
        try (Sequences sequences = open(new TestEnvironment(), ROOM)) {
            Sequence sequence = sequences.define("n", withFormat(Contract.FAST));
            long before = sequences.statistics().storeWrites();
            for (int i = 0; i < 10 * ROOM; i++) {
                counter(sequence, i).next();
                assertThat(mark(sequence, i)).isEqualTo(1);
            }
            long left =
                    10 * ROOM - (sequences.statistics().openSequences() - 1); // with a write, to be listed no longer
            assertThat(sequences.statistics().storeWrites() - before).isLessThanOrEqualTo(10 * ROOM + left);
        }
    }

    /** One that is asked again is asked more often, as far as anyone can tell. */
    @Test
    void next_secondOfACounter_takesMoreAndFetchesAhead() {
        try (Sequences sequences = open(new TestEnvironment(), ROOM)) {
            Sequence s = counter(sequences.define("n", withFormat(Contract.FAST)), 0);
            s.next();
            s.next();
            assertThat(mark(sequences.get("n"), 0)).isEqualTo(9);
            s.next();
            s.next();
            assertThat(mark(sequences.get("n"), 0)).isGreaterThan(9);
        }
    }

    @Test
    void eviction_restOfABlock_goesBackToTheStore() {
        try (Sequences sequences = open(new TestEnvironment(), 10)) {
            Sequence sequence = sequences.define("n", withFormat(Contract.FAST).cache(100));
            assertThat(counter(sequence, 0).next()).isEqualTo(1);
            assertThat(mark(sequence, 0)).isEqualTo(100);
            for (int i = 1; i < 200; i++) {
                counter(sequence, i).next();
            }
            assertThat(mark(sequence, 0)).isEqualTo(1);
            assertThat(counter(sequence, 0).next()).isEqualTo(2);
            assertThat(sequences.statistics().skipped()).isZero();
        }
    }

    /** A handle that a caller has kept must not notice that its counter had left the memory. */
    @ParameterizedTest
    @EnumSource(names = {"FAST", "ORDERED"})
    void eviction_handleThatIsKept_goesOn(Contract contract) {
        try (Sequences sequences = open(new TestEnvironment(), 10)) {
            Sequence sequence = sequences.define("n", withFormat(contract));
            Sequence kept = counter(sequence, 0);
            for (int value = 1; value <= 5; value++) {
                assertThat(kept.next()).isEqualTo(value);
                for (int i = 1; i < 100; i++) {
                    counter(sequence, i).next();
                }
            }
        }
    }

    /** The hand came round to the busy ones first, each time, and looked at all of them for every new counter. */
    @Test
    void eviction_mostAreBusy_theBusyOnesStay() {
        try (Sequences sequences = open(new TestEnvironment(), ROOM)) {
            Sequence sequence = sequences.define("n", withFormat(Contract.FAST).cache(1_000));
            Sequence[] busy = new Sequence[ROOM * 9 / 10];
            for (int i = 0; i < busy.length; i++) {
                busy[i] = counter(sequence, i);
            }
            Random random = new Random(1);
            long writes = 0;
            for (int round = 0; round < 100; round++) {
                for (Sequence each : busy) {
                    each.next();
                }
                for (int i = 0; i < 10; i++) {
                    counter(sequence, busy.length + random.nextInt(COUNTERS)).next();
                }
                writes = round == 20 ? sequences.statistics().storeWrites() : writes;
            }
            long others = 80 * 10 * 2; // each comes with a write, and goes with one
            assertThat(sequences.statistics().storeWrites() - writes)
                    .as("writes, had no busy one left")
                    .isLessThan(others + busy.length / 2);
            assertThat(sequences.statistics().openSequences()).isLessThanOrEqualTo(MOST);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FAST", "ORDERED"})
    void eviction_counterWithAWaitingCall_staysUntilItIsAnswered(Contract contract) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        Forwarding slow = new Forwarding(new KeptOpen(store)) {
            @Override
            public WriteOutcome apply(Change change) {
                if (change.counter()
                        .filter(row -> row.key().scope().equals("s=0"))
                        .isPresent()) {
                    asked.countDown();
                    awaitUnchecked(answer);
                }
                return super.apply(change);
            }
        };
        try (SystemEnvironment environment = new SystemEnvironment();
                Sequences sequences = Sequences.on(slow, environment, Duration.ofSeconds(30), 4, 1_000)) {
            Sequence sequence = sequences.define("n", withFormat(contract));
            Supply waitedFor = counter(sequence, 0).supply();
            CompletableFuture<Long> waiting = CompletableFuture.supplyAsync(waitedFor::next);
            asked.await();
            for (int i = 1; i < 500; i++) {
                counter(sequence, i).next();
            }
            assertThat(waitedFor.isOver()).isFalse();
            answer.countDown();
            assertThat(waiting.get()).isEqualTo(1); // by this very supply, which throws once it is closed
        }
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
