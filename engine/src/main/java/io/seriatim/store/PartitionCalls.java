package io.seriatim.store;

import java.util.List;

/** What every store refuses of a call on a partition, whatever is stored; for those who write a {@link PartitionStore}. */
public final class PartitionCalls {

    private PartitionCalls() {}

    /**
     * Requires at least one event, in rising order of offset.
     *
     * @throws IllegalArgumentException if that is not so
     */
    public static void requireRising(List<LogEvent> events) {
        if (events.isEmpty()) {
            throw new IllegalArgumentException("an append has at least one event");
        }
        for (int i = 1; i < events.size(); i++) {
            if (events.get(i).offset() <= events.get(i - 1).offset()) {
                throw new IllegalArgumentException(
                        "offsets rise: " + events.get(i - 1).offset() + " before "
                                + events.get(i).offset());
            }
        }
    }

    /**
     * Requires an epoch that an owner can have.
     *
     * @throws IllegalArgumentException below 1
     */
    public static void requireOwner(long epoch) {
        if (epoch < 1) {
            throw new IllegalArgumentException("epochs of owners start at 1: epoch=" + epoch);
        }
    }

    /**
     * Requires an offset that an event can have.
     *
     * @param what the name of the argument
     * @throws IllegalArgumentException below 1
     */
    public static void requireOffset(String what, long offset) {
        if (offset < 1) {
            throw new IllegalArgumentException("offsets start at 1: " + what + "=" + offset);
        }
    }

    /**
     * Requires a page that can hold something.
     *
     * @throws IllegalArgumentException below 1
     */
    public static void requireLimit(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1: limit=" + limit);
        }
    }
}
