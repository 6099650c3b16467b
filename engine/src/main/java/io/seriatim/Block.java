package io.seriatim;

/**
 * A run of values taken at once: {@code first}, {@code first + increment}, … ; never empty, and every value
 * of it fits into a long.
 *
 * @param first the first value
 * @param increment from one value to the next; not 0, negative in a descending sequence
 * @param count how many values, at least 1
 */
public record Block(long first, long increment, long count) {

    public Block {
        if (increment == 0) {
            throw new IllegalArgumentException("increment must not be 0");
        }
        if (count < 1) {
            throw new IllegalArgumentException("count must be at least 1: count=" + count);
        }
        if (!endsEarly(first, increment, count)
                && Long.compareUnsigned(count - 1, Progression.steps(first, increment, increment > 0)) > 0) {
            throw new IllegalArgumentException("a block must not leave the range of long: first=" + first
                    + " increment=" + increment + " count=" + count);
        }
    }

    /** Whether signed arithmetic already shows that the last value fits; spares nearly every block a division. */
    private static boolean endsEarly(long first, long increment, long count) {
        long length = increment * (count - 1);
        long last = first + length;
        boolean lengthFits = Math.multiplyHigh(increment, count - 1) == length >> 63;
        boolean lastFits = ((first ^ last) & (length ^ last)) >= 0;
        return lengthFits && lastFits;
    }

    /** The last value, inclusive. */
    public long last() {
        return first + increment * (count - 1);
    }

    /**
     * The value at a place in the block.
     *
     * @param index from 0 to {@code count - 1}
     */
    public long valueAt(long index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException(
                    "index must be from 0 to count - 1: index=" + index + " count=" + count);
        }
        return first + increment * index;
    }

    /** Whether a value is one of this block. */
    public boolean holds(long value) {
        boolean between = increment > 0 ? first <= value && value <= last() : last() <= value && value <= first;
        long distance = increment > 0 ? value - first : first - value; // unsigned, as in Progression
        return between && Long.remainderUnsigned(distance, Math.abs(increment)) == 0;
    }

    /** The part from the value at {@code index} on; {@code index} is less than {@code count}. */
    Block from(long index) {
        return index == 0 ? this : new Block(valueAt(index), increment, count - index);
    }

    /** The first {@code n} values. */
    Block head(long n) {
        return n == count ? this : new Block(first, increment, n);
    }

    /** Whether {@code next} goes on where this block ends, by the same increment. */
    boolean adjoins(Block next) {
        return next.increment == increment
                && Progression.steps(last(), increment, increment > 0) != 0
                && next.first == last() + increment;
    }
}
