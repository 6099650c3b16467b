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

    /**
     * The end of what is held, as far as it reaches the store's mark without a gap, and where it begins. The mark may
     * go back so far and no further: what lies in a gap is another process's, or given up.
     */
    Held tail() {
        int first = runs.size();
        Position begin = stored.position();
        while (first > 0 && runs.get(first - 1).end().equals(begin)) {
            first--;
            begin = runs.get(first).before();
        }
        return new Held(stored, begin, runs.subList(first, runs.size()));
    }

    long count() {
        long count = 0;
        for (Run run : runs) {
            long n = run.block().count();
            count = n > Long.MAX_VALUE - count ? Long.MAX_VALUE : count + n;
        }
        return count;
    }
}
