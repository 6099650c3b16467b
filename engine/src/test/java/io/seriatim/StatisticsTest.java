package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.store.Change;
import io.seriatim.store.CounterStore;
import io.seriatim.store.StoreException;
import io.seriatim.store.WriteOutcome;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What is told of the sequences of a process. */
final class StatisticsTest {

    private final MemoryCounterStore store = new MemoryCounterStore();
    private final Sequences sequences = open(store, 100);

    private static Sequences open(CounterStore store, int maxOpen) {
        return Sequences.on(store, new TestEnvironment(), Duration.ofSeconds(1), maxOpen, 1_000);
    }

    @Test
    void issued_everyWayOfTakingValues_countsEachOnce() {
        Sequence fast = sequences.define("fast", SequenceDefinition.ascending().cache(10));
        fast.next();
        fast.next(3);
        fast.draw(25);
        fast.tryDraw(1);
        Sequence ordered =
                sequences.define("ordered", SequenceDefinition.ascending().contract(Contract.ORDERED));
        ordered.next();
        ordered.draw(4);

        Statistics statistics = sequences.statistics();

        long inMemoryTaken = fast.state().lastValue().orElseThrow() - statistics.skipped();
        assertThat(statistics.issued()).isEqualTo(inMemoryTaken + 5);
        assertThat(statistics.openSequences()).isEqualTo(2);
    }

    @Test
    void issued_sequencesThatWereClosedOrDropped_stillCount() {
        Sequences one = open(store, 1);
        for (int i = 0; i < 5; i++) {
            one.define("s" + i, SequenceDefinition.ascending().cache(10)).next(2);
        }
        one.get("s4").drop();
        one.define("s4", SequenceDefinition.ascending()).next();
        assertThat(one.statistics().issued()).isEqualTo(11);
        assertThat(one.statistics().openSequences()).isLessThan(5);
    }

    /** The rest of a call that came too late was counted as handed out and as skipped. */
    @Test
    void skipped_restOfALease_isNotIssued() {
        Sequence s = sequences.define("s", SequenceDefinition.ascending().cache(10));
        SequenceLease lease = s.lease(4);
        lease.next();
        s.next();
        lease.close();
        assertThat(sequences.statistics().skipped()).isEqualTo(3);
        assertThat(sequences.statistics().issued()).isEqualTo(2);
    }

    @Test
    void skipped_restTooShortForACall_isNotIssued() {
        Sequence s = sequences.define(
                "s", SequenceDefinition.ascending().max(5).cycle(true).cache(5));
        s.next(3);
        s.next(4);
        assertThat(sequences.statistics().skipped()).isEqualTo(2);
        assertThat(sequences.statistics().issued()).isEqualTo(7);
    }

    @Test
    void storeCalls_areCountedByWhatCameOfThem() {
        AtomicBoolean broken = new AtomicBoolean();
        Sequences troubled = open(
                new Forwarding(store) {
                    @Override
                    public WriteOutcome apply(Change change) {
                        if (broken.get()) {
                            throw new StoreException(StoreException.Kind.UNAVAILABLE, "no");
                        }
                        return super.apply(change);
                    }
                },
                100);
        Sequence s = troubled.define("s", SequenceDefinition.ascending().contract(Contract.ORDERED));
        sequences.get("s").next();
        s.next();
        broken.set(true);
        assertThatThrownBy(s::next).isInstanceOf(StoreUnavailableException.class);

        Statistics statistics = troubled.statistics();

        assertThat(statistics.storeWrites()).isEqualTo(4); // definition, refused, again, failed
        assertThat(statistics.storeWritesRefused()).isEqualTo(1);
        assertThat(statistics.storeWritesUnknown()).isZero();
        assertThat(statistics.storeFailures()).isEqualTo(1);
        assertThat(statistics.storeReads()).isPositive();
    }
}
