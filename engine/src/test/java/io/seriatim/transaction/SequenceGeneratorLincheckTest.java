package io.seriatim.transaction;

import io.seriatim.SequenceDefinition;
import io.seriatim.SequenceExhaustedException;
import io.seriatim.store.TransactionalStore.PutOutcome;
import io.seriatim.store.VersionedValue;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Draws and looks, interleaved, are those of a pair under one lock, over a wrap and at a limit. */
@Timeout(600)
public class SequenceGeneratorLincheckTest {

    private static final SequenceDefinition THREE =
            SequenceDefinition.ascending().max(3);

    private final SequenceGenerator cycling = generator(THREE.cycle(true));
    private final SequenceGenerator ending = generator(THREE);

    private static SequenceGenerator generator(SequenceDefinition definition) {
        return SequenceGenerator.recover(
                (transaction, id, value, version) -> PutOutcome.WRITTEN, 1, "s", definition, VersionedValue.NONE);
    }

    @Operation
    public long next() {
        return cycling.next();
    }

    /** The version in front, so that one number tells both. */
    @Operation
    public long state() {
        VersionedValue pair = cycling.state();
        return 10 * pair.version() + pair.value();
    }

    /** 0 at the limit. */
    @Operation
    public long nextUntilItEnds() {
        try {
            return ending.next();
        } catch (SequenceExhaustedException e) {
            return 0;
        }
    }

    @Operation
    public long stateUntilItEnds() {
        VersionedValue pair = ending.state();
        return 10 * pair.version() + pair.value();
    }

    @Test
    void next_underStress_isLinearizable() {
        new StressOptions()
                .sequentialSpecification(UnderOneLock.class)
                .iterations(Integer.getInteger("lincheck.iterations", 5))
                .invocationsPerIteration(300)
                .threads(3)
                .actorsPerThread(3)
                .minimizeFailedScenario(false)
                .check(getClass());
    }

    @Test
    void next_inEveryInterleaving_isLinearizable() {
        new ModelCheckingOptions()
                .sequentialSpecification(UnderOneLock.class)
                .iterations(Integer.getInteger("lincheck.iterations", 3))
                .invocationsPerIteration(200)
                .threads(2)
                .actorsPerThread(3)
                .minimizeFailedScenario(false)
                .check(getClass());
    }

    /** What both generators are when nobody is in a hurry. */
    public static final class UnderOneLock {
        private long version;
        private long value = 1;
        private long endingVersion;
        private long endingValue = 1;

        public long next() {
            value = version == 0 ? 1 : value % 3 + 1;
            version++;
            return value;
        }

        public long state() {
            return 10 * version + value;
        }

        public long nextUntilItEnds() {
            if (endingVersion == 3) {
                return 0;
            }
            endingVersion++;
            endingValue = endingVersion;
            return endingValue;
        }

        public long stateUntilItEnds() {
            return 10 * endingVersion + endingValue;
        }
    }
}
