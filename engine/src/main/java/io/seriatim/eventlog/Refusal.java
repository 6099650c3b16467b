package io.seriatim.eventlog;

import io.seriatim.ErrorCode;

/** Why no transaction was started; nothing has changed. */
public enum Refusal implements Start, EventStart {
    /** The log is being read, at the beginning or after a failure: may be retried. */
    ACTUALIZING(ErrorCode.RECOVERING, "the log is being read"),
    /** Too much is not stored or not flushed yet: may be retried. */
    BACKLOG(ErrorCode.BACKLOG, "too many numbers are not stored yet"),
    /** Log and stored numbers do not belong together: final until an operator rebuilds the numbers. */
    CORRUPT(ErrorCode.STORE_CORRUPT, "log and stored numbers do not belong together"),
    /** Another owner has the partition: final. */
    FENCED(ErrorCode.FENCED, "another owner has the partition"),
    /** The sequencer is closed: final. */
    CLOSED(ErrorCode.CLOSED, "the sequencer is closed");

    private final ErrorCode code;
    private final String reason;

    Refusal(ErrorCode code, String reason) {
        this.code = code;
        this.reason = reason;
    }

    public ErrorCode code() {
        return code;
    }

    /** Whether this sequencer will never start a transaction again. */
    boolean isFinal() {
        return this != ACTUALIZING && this != BACKLOG;
    }

    @Override
    public SequencingTransaction orThrow() {
        throw exception();
    }

    EventLogException exception() {
        return new EventLogException(code, reason);
    }
}
