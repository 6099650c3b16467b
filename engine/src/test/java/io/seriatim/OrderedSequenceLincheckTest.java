package io.seriatim;

import io.seriatim.FastSupplyLincheckTest.Counter;
import io.seriatim.memory.MemoryCounterStore;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that share writes, alter, restart and stop, interleaved: as {@link FastSupplyLincheckTest}, for ordered. */
@Timeout(600)
public class OrderedSequenceLincheckTest {

    private final Sequences sequences =
            Sequences.on(new MemoryCounterStore(), new TestEnvironment(), Duration.ofSeconds(5));
    private final Sequence sequence =
            sequences.define("s", SequenceDefinition.ascending().contract(Contract.ORDERED));

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

    @Operation
    public void stop() {
        Supply supply = sequence.supply();
        supply.beginClose();
        supply.awaitClosed(Long.MAX_VALUE);
    }

    @Test
    void handOut_underStress_isLinearizable() {
        new StressOptions()
                .sequentialSpecification(Counter.class)
                .iterations(Integer.getInteger("lincheck.iterations", 10))
                .invocationsPerIteration(300)
                .threads(3)
                .actorsPerThread(3)
                .check(OrderedSequenceLincheckTest.class);
    }
}
