package io.seriatim.eventlog;

import io.seriatim.store.LogOutcome;
import io.seriatim.store.NumberRows;
import io.seriatim.store.PartitionStore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;

/**
 * A partition whose event n has number n of sequence 1 in a workspace that follows from n. What is stored of its numbers is
 * checked with every write.
 */
final class WatchedPartition extends ForwardingPartition {

    private final LongUnaryOperator workspaces;
    private final AtomicLong writes = new AtomicLong();
    private volatile boolean behind;

    WatchedPartition(PartitionStore store, LongUnaryOperator workspaces) {
        super(store);
        this.workspaces = workspaces;
    }

    @Override
    public LogOutcome writeNumbers(long epoch, NumberRows rows, long nextOffset) {
        LogOutcome outcome = super.writeNumbers(epoch, rows, nextOffset);
        long[] value = new long[1];
        int unused = store.readNumbers(workspaces.applyAsLong(nextOffset - 1), new int[] {1}, value);
        behind |= value[0] < nextOffset - 1;
        long unusedCount = writes.incrementAndGet();
        return outcome;
    }

    long writes() {
        return writes.get();
    }

    /** Whether a write has stored an offset without the number of the event before it. */
    boolean wasBehind() {
        return behind;
    }
}
