package io.seriatim;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Values of one sequence for one thread, taken many at a time and handed out without touching anything that
 * another thread can see.
 *
 * <p>For use by one thread at a time. Its values are unique like all others of the sequence, durable before
 * the first of them is returned, and rise within the lease; other callers get later values meanwhile. They
 * belong to the generation in which they were taken: alter, restart and drop do not recall them, so close the
 * leases before values are to be reused.
 */
public final class SequenceLease implements AutoCloseable {

    private final Sequence sequence;
    private final long count;
    private @Nullable Draw taken;

    private long next;
    private long increment;
    private long left;
    private boolean closed;

    SequenceLease(Sequence sequence, long count) {
        this.sequence = sequence;
        this.count = count;
    }

    /**
     * Returns the next value of the lease; takes the next values from the sequence when none is left.
     *
     * @throws SequenceExhaustedException at the limit, without cycle; nothing was consumed; final
     * @throws StoreUnavailableException if no values could be taken; nothing was consumed; may be retried
     */
    public long next() {
        if (left == 0) {
            takeMore();
        }
        left--;
        long value = next;
        next += increment;
        return value;
    }

    private void takeMore() {
        if (closed) {
            throw new IllegalStateException("this lease is closed");
        }
        taken = sequence.drawUpTo(count);
        Block block = taken.blocks().get(0);
        next = block.first();
        increment = block.increment();
        left = block.count();
    }

    /**
     * Gives the values that were not returned back to the sequence, if it has handed out none behind them;
     * else they are skipped. May be called twice.
     */
    @Override
    public void close() {
        closed = true;
        if (left > 0) {
            Draw from = Objects.requireNonNull(taken);
            sequence.giveBack(new Draw(from.generation(), from.round(), List.of(new Block(next, increment, left))));
            left = 0;
        }
    }
}
