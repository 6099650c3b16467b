package io.seriatim;

import io.seriatim.memory.MemoryCounterStore;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Test;

/**
 * Blocks of three make refills frequent.
 *
 * <p>Lincheck prepares each class while the first call that meets it runs, and takes a call that lasts long for one that
 * hangs. On a loaded machine the one was mistaken for the other, so a call may last longer here than a whole run should.
 */
public class FastSupplyLincheckTest extends InterleavedSequence {

    private static final long LONGEST_CALL_MILLIS = 300_000;

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
                .invocationTimeout$lincheck(LONGEST_CALL_MILLIS)
                .minimizeFailedScenario(false) // takes longer than anybody waits, and hides what was found
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(
                                SequenceDefinition.class.getName(),
                                Definition.class.getName(),
                                Progression.class.getName(),
                                Stored.class.getName(),
                                Account.class.getName(),
                                Holders.class.getName(),
                                Posting.class.getName(),
                                AuditTrail.class.getName(),
                                AuditEntry.class.getName(),
                                Author.class.getName(),
                                MemoryCounterStore.class.getName())
                        .allMethods()
                        .ignore())
                .check(FastSupplyLincheckTest.class);
    }
}
