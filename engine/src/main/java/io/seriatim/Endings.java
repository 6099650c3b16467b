package io.seriatim;

import io.seriatim.store.DefinitionRow;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts how often supplies of a name have ended. Some names share a count, so it may be higher than that. */
final class Endings {

    private static final int COUNTS = 1 << 12;

    private final AtomicLongArray counts = new AtomicLongArray(COUNTS);

    void add(String name) {
        counts.incrementAndGet(place(name));
    }

    long seen(String name) {
        return counts.get(place(name));
    }

    private static int place(String name) {
        int hash = DefinitionRow.fold(name).hashCode();
        return (hash ^ hash >>> 16) & (COUNTS - 1);
    }
}
