package io.seriatim;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counts the values that one sequence has skipped, and adds them to those of all. Safe for use by many threads. */
final class Skipped {

    private final AtomicLong here = new AtomicLong();
    private final LongAdder everywhere;

    Skipped(LongAdder everywhere) {
        this.everywhere = everywhere;
    }

    /** @param count less than 0 where values turn out not to be skipped after all */
    void add(long count) {
        here.addAndGet(count);
        everywhere.add(count);
    }

    long here() {
        return here.get();
    }
}
