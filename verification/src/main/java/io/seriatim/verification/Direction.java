package io.seriatim.verification;

import java.util.Comparator;

/** The order in which a sequence comes by its values. Exact over the whole range of long. */
record Direction(long increment) {

    Direction {
        if (increment == 0) {
            throw new IllegalArgumentException("increment must not be 0");
        }
    }

    Comparator<Long> order() {
        return increment > 0 ? Comparator.naturalOrder() : Comparator.reverseOrder();
    }

    boolean isAhead(long value, long of) {
        return increment > 0 ? value > of : value < of;
    }

    /** Whether a value is one or more whole increments ahead of another, or equal to it. */
    boolean isOnWay(long from, long value) {
        return !isAhead(from, value) && Long.remainderUnsigned(distance(from, value), size()) == 0;
    }

    /** How many increments from one value to a later one; at most the largest long. */
    long steps(long from, long to) {
        long steps = Long.divideUnsigned(distance(from, to), size());
        return steps < 0 ? Long.MAX_VALUE : steps;
    }

    /** Unsigned, so that the whole range of long fits. */
    private long distance(long from, long to) {
        return increment > 0 ? to - from : from - to;
    }

    private long size() {
        return increment > 0 ? increment : -increment;
    }
}
