package io.seriatim.eventlog;

/** What a sequencer is doing. */
public enum SequencerStatus {
    /** It has not taken its partition yet. */
    NONE,
    /** It reads the log. */
    RECOVERING,
    READY,
    IN_TRANSACTION,
    /** Log and stored numbers do not belong together; it waits for an operator. */
    CORRUPT,
    /** Another owner has the partition. */
    FENCED,
    CLOSED
}
