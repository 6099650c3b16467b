package io.seriatim.eventlog;

import io.seriatim.store.Checkpoint;
import io.seriatim.store.PartitionKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a {@link LogCheck} has found.
 *
 * @param events that could be read
 * @param bodyBytes of their bodies
 * @param nextOffset the offset behind the last event
 * @param epoch of the partition
 * @param checkpoint how far the stored numbers reach; empty where there are none
 * @param tail events that a restart replays
 * @param findings the first hundred of each code
 * @param moreFindings how many there are beside those
 */
public record LogReport(
        PartitionKey partition,
        long events,
        long bodyBytes,
        long nextOffset,
        long epoch,
        Optional<Checkpoint> checkpoint,
        long tail,
        Duration elapsed,
        List<Finding> findings,
        long moreFindings) {

    /** In what way rows do not belong together. */
    public enum Code {
        /** An event, or more than one, is missing. */
        HOLE,
        /** An event stands at an offset that is not behind that of the one before. */
        TWICE,
        /** An event has a lower epoch than the one before, or a higher one than the partition. */
        EPOCH,
        /** What a replay is shown of an event is not what stands at the event. */
        HEADER,
        /** The body uses other numbers than the header says, or is not understood. */
        BODY,
        /** The stored number is lower than that of an event that it should cover. */
        NUMBER,
        /** The workspace is bound to another kind than its event has. */
        KIND,
        /** The checkpoint lies behind the end of the log, or has a higher epoch than the partition. */
        CHECKPOINT,
        /** More is said to be applied than the log has. */
        APPLIED,
        /** A row that follows from an applied event is missing, or says something else. */
        ROW,
        /** Something cannot be read; the check ended there. */
        DAMAGED
    }

    /**
     * Something that must not be.
     *
     * @param offset PLog offset of the event that shows it, or where one is missing
     * @param what a sentence
     */
    public record Finding(Code code, long offset, String what) {}

    public LogReport {
        findings = List.copyOf(findings);
    }

    /** Whether nothing was found. */
    public boolean isSound() {
        return findings.isEmpty();
    }
}
