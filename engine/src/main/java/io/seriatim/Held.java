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
     * How far the mark may go back: over our own runs, from the last one taken, as long as each goes on where the one
     * before it ends. Behind a break, or where the mark is not the end of our last run, lie values of others.
     */
    Position lowest() {
        int first = firstGivenBack();
        return first == runs.size() ? stored.position() : runs.get(first).before();
    }

    /** How many values are passed over when the mark goes back to {@link #lowest()}. */
    long countBelowLowest() {
        return count(belowLowest());
    }

    /** What is passed over then. */
    List<Run> belowLowest() {
        return runs.subList(0, firstGivenBack());
    }

    private int firstGivenBack() {
        Position end = stored.position();
        int first = runs.size();
        while (first > 0 && runs.get(first - 1).end().equals(end)) {
            first--;
            end = runs.get(first).before();
        }
        return first;
    }

    long count() {
        return count(runs);
    }

    private static long count(List<Run> runs) {
        long count = 0;
        for (Run run : runs) {
            long n = run.block().count();
            count = n > Long.MAX_VALUE - count ? Long.MAX_VALUE : count + n;
        }
        return count;
    }
}
