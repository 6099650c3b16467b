package io.seriatim.eventlog.application;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The answer to a command, whose event is durable and applied.
 *
 * @param ids the record id of each raw id, in the order in which they were drawn
 */
public record Appended(int partition, long plogOffset, long wlogOffset, Map<Long, Long> ids) {

    public Appended {
        ids = Collections.unmodifiableMap(new LinkedHashMap<>(ids));
    }
}
