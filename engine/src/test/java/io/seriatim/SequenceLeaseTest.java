package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.memory.MemoryCounterStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Values taken many at a time for one thread. */
final class SequenceLeaseTest {

    private final Sequences sequences =
            Sequences.on(new MemoryCounterStore(), new TestEnvironment(), Duration.ofSeconds(1));
    private final Sequence s =
            sequences.define("s", SequenceDefinition.ascending().max(25).cache(10));

    @Test
    void next_manyTimes_givesEveryValueUpToTheEnd() {
        try (SequenceLease lease = s.lease(4)) {
            for (long i = 1; i <= 25; i++) {
                assertThat(lease.next()).isEqualTo(i);
            }
            assertThatThrownBy(lease::next).isInstanceOf(SequenceExhaustedException.class);
        }
    }

    @Test
    void close_nobodyTookMeanwhile_skipsNothing() {
        try (SequenceLease lease = s.lease(4)) {
            assertThat(lease.next()).isEqualTo(1);
        }
        assertThat(s.next()).isEqualTo(2);
        assertThat(s.supply().skipped()).isZero();
    }

    /** Later values are out: those of the lease would come behind them. */
    @Test
    void close_othersTookMeanwhile_skipsTheRest() {
        SequenceLease lease = s.lease(4);
        assertThat(lease.next()).isEqualTo(1);
        assertThat(s.next()).isEqualTo(5);
        lease.close();
        lease.close();
        assertThat(s.next()).isEqualTo(6);
        assertThat(s.supply().skipped()).isEqualTo(3);
        assertThatThrownBy(lease::next).isInstanceOf(IllegalStateException.class);
    }

    /** The same values were handed out anew: taking them back would hand them out a third time. */
    @Test
    void close_afterARestartOverItsValues_takesNothingBack() {
        SequenceLease lease = s.lease(4);
        assertThat(lease.next()).isEqualTo(1);
        s.restart(Restart.at(1).allowingReuse("test"));
        for (long i = 1; i <= 4; i++) {
            assertThat(s.next()).isEqualTo(i);
        }
        lease.close();
        assertThat(s.next()).isEqualTo(5);
    }
}
