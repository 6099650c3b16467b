package io.seriatim.eventlog.application;

import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a partition is doing, and why it does nothing else. Told by its turns, and read by any thread. */
final class Condition {

    /*
     * RECOVERING until the sequencer can start and every event is applied; READY; BEHIND when an event is not applied;
     * QUARANTINED when its rows are not what it says. From READY on commands are begun.
     */

    private volatile PartitionStatus status = PartitionStatus.RECOVERING;
    private volatile Optional<String> trouble = Optional.empty();
    private volatile List<Difference> differences = List.of();
    /** What a turn broke off with, until a recovery is done. */
    private volatile @Nullable Throwable thrown;

    private volatile boolean upToDate;
    private volatile boolean closing;
    private volatile boolean ended;

    PartitionStatus status() {
        return status;
    }

    boolean isReady() {
        return status == PartitionStatus.READY;
    }

    /** Whether what follows from events was up to date once, and was not begun anew since. */
    boolean wasUpToDate() {
        return upToDate;
    }

    /** What follows from events may be old, or is begun anew. */
    void outOfDate() {
        upToDate = false;
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

    /** A turn broke off. */
    void broke(Throwable its) {
        thrown = its;
        become(PartitionStatus.RECOVERING, "something broke off: " + its);
    }

    /** What a recovery came to. */
    void recovered(Applying.Recovery recovery) {
        differences = recovery.differences();
        trouble = recovery.trouble();
        if (recovery.isDone()) {
            upToDate = true;
            thrown = null;
            status = PartitionStatus.READY;
        } else {
            status = differences.isEmpty() ? PartitionStatus.BEHIND : PartitionStatus.QUARANTINED;
        }
    }

    void close() {
        closing = true;
    }

    /** Whether the last turn is over. */
    boolean isEnded() {
        return ended;
    }

    /** All have their answers, and no turn does anything more. */
    void end() {
        status = PartitionStatus.CLOSED;
        ended = true;
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
        return new EventLogException(code(), words(), thrown);
    }

    private ErrorCode code() {
        return switch (status) {
            case QUARANTINED -> ErrorCode.QUARANTINED;
            case CORRUPT -> ErrorCode.STORE_CORRUPT;
            case FENCED -> ErrorCode.FENCED;
            case CLOSED -> ErrorCode.CLOSED;
            case RECOVERING, READY, BEHIND -> ErrorCode.RECOVERING;
        };
    }

    private String words() {
        String why = trouble.map(its -> ": " + its).orElse("");
        return switch (status) {
            case QUARANTINED ->
                "what is stored is not what the log says, an operator has to decide: "
                        + differences.stream().findFirst().map(Difference::what).orElse("");
            case CORRUPT -> "log and stored numbers do not belong together";
            case FENCED -> "another owner has the partition";
            case CLOSED -> "the partition is closed";
            case RECOVERING -> "the log is being read" + why;
            case READY, BEHIND -> "an event waits to be applied" + why;
        };
    }
}
