package io.seriatim.eventlog;

import io.seriatim.TestEnvironment;
import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.NumberRows;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.WriteMode;
import java.time.Duration;
import java.util.List;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One owner's transactions beside runs of the flusher and readers of the state. The event at offset n draws number n, so
 * whatever reaches the store shows whether number and offset were published together.
 */
@Timeout(600)
public class SequencerLincheckTest {

    private static final long LONGEST_CALL_MILLIS = 300_000;
    private static final WorkspaceKind KIND = WorkspaceKind.of(1);

    private final Watched store = new Watched();
    private final Sequencer sequencer = Sequencer.on(
            store, List.of(KIND), SequencerSettings.usual().withFlush(2, Duration.ofMillis(1)), new TestEnvironment());

    /** A partition that sees whether a write has an offset without its number. */
    private static final class Watched extends ForwardingPartition {
        private volatile boolean torn;

        Watched() {
            super(new MemoryEventLogStore().partition(new PartitionKey(1, 0)));
        }

        @Override
        public LogOutcome writeNumbers(long epoch, NumberRows rows, long nextOffset) {
            torn |= rows.size() == 0 || rows.value(rows.size() - 1, 0) != nextOffset - 1;
            return super.writeNumbers(epoch, rows, nextOffset);
        }
    }

    private SequencingTransaction start() {
        return sequencer.start(1, 1).orThrow();
    }

    private void append(SequencingTransaction tx) {
        LogEvent event = tx.event(new byte[0]);
        if (!(store.append(event.epoch(), WriteMode.INSERT_IF_ABSENT, List.of(event)) instanceof LogOutcome.Applied)) {
            throw new IllegalStateException("not appended");
        }
    }

    @Operation(nonParallelGroup = "owner")
    public long event() {
        SequencingTransaction tx = start();
        long number = tx.next(WorkspaceKind.WLOG_OFFSET);
        append(tx);
        tx.flush();
        return number;
    }

    @Operation(nonParallelGroup = "owner")
    public long sealedEvent() {
        SequencingTransaction tx = start();
        long number = tx.next(WorkspaceKind.WLOG_OFFSET);
        append(tx);
        tx.seal().flush();
        return number;
    }

    @Operation(nonParallelGroup = "owner")
    public long discarded() {
        SequencingTransaction tx = start();
        long number = tx.next(WorkspaceKind.WLOG_OFFSET);
        tx.discard();
        return number;
    }

    /** The replay runs in this call. */
    @Operation(nonParallelGroup = "owner")
    public long actualized() {
        SequencingTransaction tx = start();
        long number = tx.next(WorkspaceKind.WLOG_OFFSET);
        tx.actualize();
        return number;
    }

    @Operation
    public void flush() {
        sequencer.flusher().urge();
    }

    /** Whether a reader has ever seen what cannot be, or a write was torn. */
    @Operation
    public boolean isWrong() {
        SequencerState state = sequencer.state();
        boolean ended = state.status() == SequencerStatus.FENCED
                || state.status() == SequencerStatus.CORRUPT
                || state.status() == SequencerStatus.CLOSED;
        return ended || store.torn || state.checkpoint() < 1 || state.unflushedEvents() < 0;
    }

    @Test
    void transactions_underStress_areThoseOfACounter() {
        new StressOptions()
                .sequentialSpecification(Counter.class)
                .iterations(Integer.getInteger("lincheck.iterations", 10))
                .invocationsPerIteration(300)
                .threads(3)
                .actorsPerThread(4)
                .minimizeFailedScenario(false)
                .check(SequencerLincheckTest.class);
    }

    @Test
    void transactions_inEveryInterleaving_areThoseOfACounter() {
        new ModelCheckingOptions()
                .sequentialSpecification(Counter.class)
                .iterations(Integer.getInteger("lincheck.iterations", 2))
                .invocationsPerIteration(50)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .loopBound(200)
                .invocationTimeout$lincheck(LONGEST_CALL_MILLIS)
                .minimizeFailedScenario(false) // takes longer than anybody waits, and hides what was found
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(
                                Watched.class.getName(),
                                ForwardingPartition.class.getName(),
                                "io.seriatim.memory.MemoryPartition",
                                WorkspaceKind.class.getName(),
                                TestEnvironment.class.getName())
                        .allMethods()
                        .ignore())
                .check(SequencerLincheckTest.class);
    }

    /** What it is when nobody is beside it. */
    public static final class Counter {
        private long last;

        public long event() {
            return ++last;
        }

        public long sealedEvent() {
            return ++last;
        }

        public long discarded() {
            return last + 1;
        }

        public long actualized() {
            return last + 1;
        }

        public void flush() {}

        public boolean isWrong() {
            return false;
        }
    }
}
