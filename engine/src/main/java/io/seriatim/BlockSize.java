package io.seriatim;

import java.util.OptionalLong;

/**
 * How many values to take from the store at once. Guarded by the lock of the supply that owns it.
 */
final class BlockSize {

    /*
     * A fixed cache is what the user asked for. "auto" aims at blocks that last HORIZON at the present rate,
     * long enough that a store call of some milliseconds, begun when a quarter is used, ends before the block
     * does; short enough that a crash skips a blink's worth. The rate is measured from one fetch to the next,
     * so a quiet sequence is back at blocks of one after its next fetch, and a hot one grows by at most GROWTH
     * a step, so that a burst does not reserve the world.
     */

    private static final long HORIZON_NANOS = 50_000_000;
    private static final long GROWTH = 8;
    private static final long LARGEST = 8L << 20;

    private final OptionalLong fixed;
    private long size = 1;
    private OptionalLong lastFetch = OptionalLong.empty();

    BlockSize(OptionalLong fixed) {
        this.fixed = fixed;
    }

    /** The size of the block to fetch now, which follows a block of {@code used} values. */
    long next(long nowNanos, long used) {
        if (fixed.isPresent()) {
            return fixed.getAsLong();
        }
        if (lastFetch.isPresent()) {
            long elapsed = Math.max(1, nowNanos - lastFetch.getAsLong());
            double wanted = (double) used * HORIZON_NANOS / elapsed;
            size = (long) Math.max(1, Math.min(wanted, Math.min((double) size * GROWTH, LARGEST)));
        }
        lastFetch = OptionalLong.of(nowNanos);
        return size;
    }

    /** The first ticket of a block whose caller should see to the next block. */
    long refillAt(long count) {
        return fixed.isPresent() ? count - ceilQuarter(count) : count / 4;
    }

    private static long ceilQuarter(long count) {
        return count / 4 + (count % 4 == 0 ? 0 : 1);
    }
}
