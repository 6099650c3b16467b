package io.seriatim.eventlog;

import io.seriatim.store.LogEvent;
import io.seriatim.store.PartitionStore;
import java.util.List;

/** Reads a log in pages of about 4 MiB: the larger the bodies of the last one, the fewer events has the next. */
final class EventPages {

    private static final int MOST_EVENTS = 256;
    private static final int BYTES = 4 << 20;

    private final PartitionStore partition;
    private int limit = 16;

    EventPages(PartitionStore partition) {
        this.partition = partition;
    }

    /** Events from this offset on, fewer than the log has; none at its end. */
    List<LogEvent> from(long offset) {
        List<LogEvent> page = partition.events(offset, limit);
        if (!page.isEmpty()) {
            long bytes = page.stream().mapToLong(event -> event.body().length).sum();
            long fitting = BYTES / Math.max(1, bytes / page.size());
            limit = (int) Math.max(1, Math.min(Math.min(MOST_EVENTS, 2L * limit), fitting));
        }
        return page;
    }
}
