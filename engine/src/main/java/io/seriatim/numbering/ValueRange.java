package io.seriatim.numbering;

/**
 * Which values the sequence of a format hands out. Checked with the format: none is negative, the first one can be
 * printed.
 *
 * @param start the first value of each period
 * @param min the least value
 * @param max the greatest value; the template may end the counter earlier
 * @param increment from one value to the next
 */
public record ValueRange(long start, long min, long max, long increment) {

    /** Upwards from 1 by 1 without an end of its own. */
    public static ValueRange ascending() {
        return new ValueRange(1, 0, Long.MAX_VALUE, 1);
    }

    public ValueRange start(long first) {
        return new ValueRange(first, min, max, increment);
    }

    public ValueRange min(long least) {
        return new ValueRange(start, least, max, increment);
    }

    public ValueRange max(long greatest) {
        return new ValueRange(start, min, greatest, increment);
    }

    public ValueRange increment(long distance) {
        return new ValueRange(start, min, max, distance);
    }
}
