package io.seriatim.eventlog;

import io.seriatim.store.LogEvent;
import java.util.Map;

/** Says which numbers the body of an event uses, for who wrote it. */
@FunctionalInterface
public interface BodyNumbers {

    /**
     * Returns the greatest number of each sequence, by the sequence's id.
     *
     * @throws IllegalArgumentException if the body is not understood
     */
    Map<Integer, Long> of(LogEvent event);
}
