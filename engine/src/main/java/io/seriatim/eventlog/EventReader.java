package io.seriatim.eventlog;

import io.seriatim.store.LogEvent;
import io.seriatim.store.PartitionStore;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Reads the durable events of a log forwards, one after another and none twice. Stops before a hole: whoever follows a
 * log must not see an event before the one that belongs in front of it. For one thread.
 */
public final class EventReader {

    private static final int PAGE = 256;

    private final PartitionStore partition;
    private Iterator<LogEvent> page = List.<LogEvent>of().iterator();
    private long nextOffset;
    private boolean atHole;

    /** @param fromOffset PLog offset of the first event wanted, at least 1 */
    public EventReader(PartitionStore partition, long fromOffset) {
        if (fromOffset < 1) {
            throw new IllegalArgumentException("offsets start at 1: fromOffset=" + fromOffset);
        }
        this.partition = partition;
        nextOffset = fromOffset;
    }

    /**
     * Returns the next event; empty where there is none, which may be asked again later.
     *
     * @throws io.seriatim.store.StoreException if the log cannot be read; the same event comes with the next call
     */
    public Optional<LogEvent> next() {
        if (!page.hasNext()) {
            page = partition.events(nextOffset, PAGE).iterator();
        }
        atHole = false;
        if (!page.hasNext()) {
            return Optional.empty();
        }
        LogEvent event = page.next();
        if (event.offset() != nextOffset) {
            page = List.<LogEvent>of().iterator();
            atHole = true;
            return Optional.empty();
        }
        nextOffset++;
        return Optional.of(event);
    }

    /** The offset of the event that comes next. */
    public long nextOffset() {
        return nextOffset;
    }

    /** Whether the last call returned nothing although the log has events further on. */
    public boolean isAtHole() {
        return atHole;
    }
}
