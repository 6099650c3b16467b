package io.seriatim;

import java.util.List;

/**
 * A sequence in the hands of one operation, or as it leaves it behind.
 *
 * @param stored what is known of the store
 * @param position of the last value returned to a caller
 * @param runs values taken from the store and not handed out, in order
 */
record Held(Stored stored, Position position, List<Run> runs) {

    long count() {
        long count = 0;
        for (Run run : runs) {
            long n = run.block().count();
            count = n > Long.MAX_VALUE - count ? Long.MAX_VALUE : count + n;
        }
        return count;
    }
}
