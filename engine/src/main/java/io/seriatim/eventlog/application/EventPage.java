package io.seriatim.eventlog.application;

import java.util.List;

/**
 * Some events in order.
 *
 * @param next the offset to go on from: that behind the last one, or the one asked for where there is none yet
 */
public record EventPage(List<Event> events, long next) {

    public EventPage {
        events = List.copyOf(events);
    }
}
