package io.seriatim;

import java.util.OptionalLong;

/**
 * How many values to take from the store at once. Guarded by the lock of the supply that owns it.
 */
final class BlockSize {

    /*
     * A fixed cache is what the user asked for. "auto" aims at blocks that last HORIZON at the present rate,
     * long enough that a store call of some milliseconds, begun when a quarter is used, ends before the block
     * does; short enough that a crash skips a blink's worth.
     *
     * The rate is measured over what was really handed out, from one sizing to the next. A hot sequence grows by
     * at most GROWTH a step, so that a burst does not reserve the world; a quiet one is back at blocks of one
     * with its next fetch. A look that comes early, with little handed out since the last, says nothing about
     * the rate: it changes nothing, and the measurement goes on. (Sizing by whole blocks instead, whoever asked,
     * kept sequences that are drawn sixteen at a time at a hundredth of their speed.)
     *
     * Behind the first block nothing is fetched ahead: many counters hand out one number and no more, and of those the
     * rate is not known. (Each of them wrote three times, took nine values and gave eight back.)
     */

    private static final long HORIZON_NANOS = 50_000_000;
    private static final long GROWTH = 8;
    private static final long LARGEST = 8L << 20;

    private final OptionalLong fixed;
    private long size = 1;
    private boolean measuring;
    /** Whether no block but the first was fetched. */
    private boolean first = true;

    private long sinceNanos;
    private long sinceIssued;

    BlockSize(OptionalLong fixed) {
        this.fixed = fixed;
    }

    /**
     * The size of the block to fetch now.
     *
     * @param issued how many values were handed out so far
     */
    long next(long nowNanos, long issued) {
        if (fixed.isPresent()) {
            return fixed.getAsLong();
        }
        if (measuring) {
            first = false;
            long used = issued - sinceIssued;
            long elapsed = Math.max(1, nowNanos - sinceNanos);
            if (used < size / 4 && elapsed < HORIZON_NANOS) {
                return size;
            }
            double wanted = (double) used * HORIZON_NANOS / elapsed;
            size = (long) Math.max(1, Math.min(wanted, Math.min((double) size * GROWTH, LARGEST)));
        }
        measuring = true;
        sinceNanos = nowNanos;
        sinceIssued = issued;
        return size;
    }

    /** The first ticket of a block whose caller should see to the next block; {@code count} if no one should. */
    long refillAt(long count) {
        if (fixed.isPresent()) {
            return count - ceilQuarter(count);
        }
        return first ? count : count / 4;
    }

    private static long ceilQuarter(long count) {
        return count / 4 + (count % 4 == 0 ? 0 : 1);
    }
}
