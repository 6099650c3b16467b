package io.seriatim;

import io.seriatim.memory.MemoryCounterStore;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Test;

/** Blocks of three make refills frequent. */
public class FastSupplyLincheckTest extends InterleavedSequence {

    public FastSupplyLincheckTest() {
        super(SequenceDefinition.ascending().cache(3));
    }

    @Test
    void handOut_underStress_isLinearizable() {
        checkUnderStress();
    }

    @Test
    void handOut_inEveryInterleaving_isLinearizable() {
        new ModelCheckingOptions()
                .sequentialSpecification(Counter.class)
                .iterations(Integer.getInteger("lincheck.iterations", 1))
                .invocationsPerIteration(20)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(2)
                .loopBound(200)
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(
                                SequenceDefinition.class.getName(),
                                Definition.class.getName(),
                                Progression.class.getName(),
                                Stored.class.getName(),
                                AuditTrail.class.getName(),
                                AuditEntry.class.getName(),
                                Author.class.getName(),
                                MemoryCounterStore.class.getName())
                        .allMethods()
                        .ignore())
                .check(FastSupplyLincheckTest.class);
    }
}
