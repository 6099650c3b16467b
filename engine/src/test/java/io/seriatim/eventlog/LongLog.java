package io.seriatim.eventlog;

import io.seriatim.store.EventHeader;
import io.seriatim.store.HeaderVisitor;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.NumberRows;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.WriterMark;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;

/**
 * A partition with a log that is made up as it is read: event n has number n of sequence 1 in a workspace that follows
 * from n. What is stored of its numbers is checked with every write.
 */
final class LongLog extends ForwardingPartition {

    private final long length;
    private final LongUnaryOperator workspaces;
    private final AtomicLong writes = new AtomicLong();
    private volatile boolean behind;

    LongLog(PartitionStore store, long length, LongUnaryOperator workspaces) {
        super(store);
        this.length = length;
        this.workspaces = workspaces;
    }

    @Override
    public int replay(long fromOffset, int limit, HeaderVisitor visitor) {
        int count = (int) Math.max(0, Math.min(limit, length - fromOffset + 1));
        int[] sequences = {1};
        long[] values = new long[1];
        for (long offset = fromOffset; offset < fromOffset + count; offset++) {
            values[0] = offset;
            visitor.header(offset, 1, workspaces.applyAsLong(offset), 1, 7, offset, 1, sequences, values);
        }
        return count;
    }

    @Override
    public List<LogEvent> events(long fromOffset, int limit) {
        if (fromOffset > length) {
            return List.of();
        }
        EventHeader header = new EventHeader(
                workspaces.applyAsLong(fromOffset), 1, new WriterMark(7, fromOffset), "", new int[] {1}, new long[] {
                    fromOffset
                });
        return List.of(new LogEvent(fromOffset, 1, header, new byte[0]));
    }

    @Override
    public OptionalLong lastOffset() {
        return OptionalLong.of(length);
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
