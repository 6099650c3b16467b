package io.seriatim.eventlog.application;

/** What a partition is doing. */
public enum PartitionStatus {
    /** Its log is being read, or rows are being written that follow from it: commands may be sent again later. */
    RECOVERING,
    READY,
    /** An event is in the log, and what follows from it could not be written; the next command tries again. */
    BEHIND,
    /** What is stored is not what the log says; it waits for an operator. */
    QUARANTINED,
    /** Log and stored numbers do not belong together; it waits for an operator. */
    CORRUPT,
    /** Another owner has it. */
    FENCED,
    CLOSED
}
