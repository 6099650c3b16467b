package io.seriatim.eventlog.application;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An event as readers see it: what its command said, with record ids for raw ids and references.
 *
 * @param kind name of the kind of the workspace
 * @param time when the command was carried out, by the clock of the owner
 */
public record Event(
        long plogOffset,
        long workspace,
        String kind,
        long wlogOffset,
        Instant time,
        Optional<NewRecord> argument,
        List<Cud> cuds) {

    public Event {
        cuds = List.copyOf(cuds);
    }
}
