package io.seriatim;

/**
 * What went wrong, in one word that Java, HTTP, command line and metrics share. The names are the codes of
 * the HTTP interface.
 */
public enum ErrorCode {
    /** A request that could not be read: final. */
    BAD_REQUEST(false),
    /** An option of a definition breaks a rule; the option is named: final. */
    BAD_OPTION(false),
    /** A number beyond 64 bits, beyond its limits, or more numbers than a round holds: final. */
    OUT_OF_RANGE(false),
    /** A name that is not {@code [A-Za-z0-9][A-Za-z0-9_.-]{0,127}}: final. */
    BAD_NAME(false),
    /** No such sequence: final. */
    NOT_FOUND(false),
    /** A sequence of this name exists with another definition: final. */
    ALREADY_EXISTS(false),
    /** A sequence exists whose name differs only by the case of letters: final. */
    NAME_CASE(false),
    /** The limit is reached and the sequence does not cycle; nothing was consumed: final. */
    EXHAUSTED(false),
    /** A restart that would hand out numbers again, without the explicit leave to do so: final. */
    BEHIND(false),
    /** The key of a request was used for another request: final. */
    KEY_REUSED(false),
    /** The same request is still being answered; nothing was handed out: may be retried. */
    KEY_IN_FLIGHT(true),
    /** No further key can be kept; nothing was handed out: may be retried when older ones have expired. */
    TOO_MANY(true),
    /** The store, or another change of the same sequence, took too long; nothing was handed out: may be retried. */
    BUSY(true),
    /** The store could not be reached or has stopped; nothing was handed out: may be retried. */
    STORE_UNAVAILABLE(true),
    /** A record of the store is damaged; the store has stopped until an operator repairs it. */
    STORE_CORRUPT(true),
    /** The store holds an older state than this process has seen; the sequence has stopped. */
    STORE_WENT_BACK(true),
    /** A change was sent, and whether it was applied is not known: read the state, then decide. */
    OUTCOME_UNKNOWN(true);

    private final boolean mayBeRetried;

    ErrorCode(boolean mayBeRetried) {
        this.mayBeRetried = mayBeRetried;
    }

    /** Whether the same call may succeed later without anything else being changed. */
    public boolean mayBeRetried() {
        return mayBeRetried;
    }
}
