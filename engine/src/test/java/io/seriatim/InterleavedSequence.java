package io.seriatim;

import io.seriatim.memory.MemoryCounterStore;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Timeout;

/**
 * Hand-out, refill, alter, restart and stop, interleaved: every history of a sequence must be one that a counter
 * under one lock could have.
 */
@Timeout(600)
public abstract class InterleavedSequence {

    private final Sequences sequences =
            Sequences.on(new MemoryCounterStore(), new TestEnvironment(), Duration.ofSeconds(5));
    private final Sequence sequence;

    InterleavedSequence(SequenceDefinition definition) {
        sequence = sequences.define("s", definition);
    }

    @Operation
    public long next() {
        return sequence.next();
    }

    @Operation
    public long peek() {
        return sequence.peek();
    }

    @Operation
    public long alter() {
        return sequence.alter(SequenceDefinition.changes().increment(2))
                .lastValue()
                .orElse(0);
    }

    @Operation
    public long restart() {
        sequence.restart(Restart.at(1).allowingReuse("lincheck"));
        return 1;
    }

    /** A clean stop gives everything back; the handle goes on with a new supply, and nothing is skipped. */
    @Operation
    public void stop() {
        Supply supply = sequence.supply();
        supply.beginClose();
        supply.awaitClosed(Long.MAX_VALUE);
    }

    final void checkUnderStress() {
        new StressOptions()
                .sequentialSpecification(Counter.class)
                .iterations(Integer.getInteger("lincheck.iterations", 10))
                .invocationsPerIteration(300)
                .threads(3)
                .actorsPerThread(3)
                .minimizeFailedScenario(false)
                .check(getClass());
    }

    /** What a sequence is when nobody is in a hurry. */
    public static final class Counter {
        private long increment = 1;
        private long value = 1;
        private boolean fresh = true;

        public long next() {
            value = peek();
            fresh = false;
            return value;
        }

        public long peek() {
            return fresh ? value : value + increment;
        }

        public long alter() {
            increment = 2;
            return fresh ? 0 : value;
        }

        public void stop() {}

        public long restart() {
            value = 1;
            fresh = true;
            return 1;
        }
    }
}
