package io.seriatim.eventlog.application;

import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;
import java.util.List;
import java.util.Optional;

/** What a partition is doing, and why it does nothing else. Told by its turns, and read by any thread. */
final class Condition {

    /*
     * RECOVERING until the sequencer can start and every event is applied; READY; BEHIND when an event is not applied;
     * QUARANTINED when its rows are not what it says. From READY on commands are begun.
     */

    private volatile PartitionStatus status = PartitionStatus.RECOVERING;
    private volatile Optional<String> trouble = Optional.empty();
    private volatile List<Difference> differences = List.of();
    private volatile boolean everReady;
    private volatile boolean closing;

    PartitionStatus status() {
        return status;
    }

    boolean isReady() {
        return status == PartitionStatus.READY;
    }

    /** Whether what follows from events has ever been up to date. */
    boolean wasEverReady() {
        return everReady;
    }

    /** Whether nothing more is begun. */
    boolean isClosing() {
        return closing;
    }

    Optional<String> trouble() {
        return trouble;
    }

    List<Difference> differences() {
        return differences;
    }

    /** What is still known to be wrong stays so. */
    void become(PartitionStatus next) {
        status = next;
    }

    void become(PartitionStatus next, String why) {
        trouble = Optional.of(why);
        status = next;
    }

    /** What a recovery came to. */
    void recovered(Applying.Recovery recovery) {
        differences = recovery.differences();
        trouble = recovery.trouble();
        if (recovery.isDone()) {
            everReady = true;
            status = PartitionStatus.READY;
        } else {
            status = differences.isEmpty() ? PartitionStatus.BEHIND : PartitionStatus.QUARANTINED;
        }
    }

    void close() {
        closing = true;
    }

    /** Why a command cannot even wait; empty if it can. */
    Optional<EventLogException> refusal() {
        boolean open = status == PartitionStatus.READY || status == PartitionStatus.BEHIND;
        return open && !closing ? Optional.empty() : Optional.of(refused());
    }

    /** The answer to a command that nothing was done for. */
    EventLogException refused() {
        if (closing) {
            return new EventLogException(ErrorCode.CLOSED, "the partition is closed");
        }
        String why = trouble.map(its -> ": " + its).orElse("");
        return switch (status) {
            case QUARANTINED ->
                new EventLogException(
                        ErrorCode.QUARANTINED,
                        "what is stored is not what the log says, an operator has to decide: "
                                + differences.stream()
                                        .findFirst()
                                        .map(Difference::what)
                                        .orElse(""));
            case CORRUPT ->
                new EventLogException(ErrorCode.STORE_CORRUPT, "log and stored numbers do not belong together");
            case FENCED -> new EventLogException(ErrorCode.FENCED, "another owner has the partition");
            case CLOSED -> new EventLogException(ErrorCode.CLOSED, "the partition is closed");
            case RECOVERING -> new EventLogException(ErrorCode.RECOVERING, "the log is being read" + why);
            case READY, BEHIND -> new EventLogException(ErrorCode.RECOVERING, "an event waits to be applied" + why);
        };
    }
}
