package io.seriatim.eventlog;

import io.seriatim.ErrorCode;
import io.seriatim.store.LogEvent;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * A sequencer by what a writer of events asks for: offsets of an event, and ids of its records. Used by one thread, the
 * one that would use the {@link Sequencer}.
 */
public final class EventNumbers {

    private final Sequencer sequencer;

    /** @param sequencer whose transactions this opens; it is not closed from here */
    public EventNumbers(Sequencer sequencer) {
        this.sequencer = sequencer;
    }

    /**
     * Starts an event.
     *
     * @param wait at most, until one can be started
     * @throws IllegalArgumentException if there is no such kind
     * @throws IllegalStateException if an event is started
     * @throws EventLogException as {@link SequencingTransaction#next}; then no event is started
     */
    public EventStart startEvent(Duration wait, int kind, long workspace) {
        Start start = sequencer.start(kind, workspace, wait);
        if (start instanceof Refusal refusal) {
            return refusal;
        }
        boolean started = false;
        try {
            EventOffsets offsets = new EventOffsets(open().plogOffset(), open().next(WorkspaceKind.WLOG_OFFSET));
            started = true;
            return offsets;
        } finally {
            if (!started) {
                open().discard();
            }
        }
    }

    /**
     * The same where the sequencer has one kind of workspace.
     *
     * @throws IllegalStateException also if it has several
     */
    public EventStart startEvent(Duration wait, long workspace) {
        return startEvent(wait, sequencer.onlyKind(), workspace);
    }

    /**
     * Returns the id of a further record of the event.
     *
     * @throws EventLogException as {@link SequencingTransaction#next}, BAD_REQUEST also if the kind has no record ids
     */
    public long nextRecordId() {
        return nextOf(sequencer.opened().openKind().recordIds());
    }

    /** The same for a CDoc or a CRecord, whose ids may come from a sequence of their own. */
    public long nextCRecordId() {
        return nextOf(sequencer.opened().openKind().cRecordIds());
    }

    private long nextOf(OptionalInt sequence) {
        return open().next(sequence.orElseThrow(
                () -> new EventLogException(ErrorCode.BAD_REQUEST, "the kind of the workspace has no record ids")));
    }

    /** The event with the offsets and ids drawn so far, ready to be appended. */
    public LogEvent event(byte[] body) {
        return open().event(body);
    }

    /** Ends the event, which is durable in the log. */
    public void finishEvent() {
        open().flush();
    }

    /** Ends the event, of which nobody knows whether it is in the log: the log is read. */
    public void cancelEvent() {
        open().actualize();
    }

    private SequencingTransaction open() {
        return sequencer.transaction();
    }
}
