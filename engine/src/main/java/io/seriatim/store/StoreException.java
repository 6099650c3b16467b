package io.seriatim.store;

/** A store could not do what it was asked; nothing was written. The kind says what the caller may do. */
public final class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** What went wrong, by what may be done about it. */
    public enum Kind {
        /** Nothing happened; the same call may be retried. */
        UNAVAILABLE,
        /** Somebody else kept a row for too long; nothing happened, the same call may be retried. */
        BUSY,
        /** Another transaction was first with a row: this one is undone and may be run again, from its beginning. */
        CONFLICT,
        /** Another process has this store open; may be retried when that one has ended. */
        IN_USE,
        /** A write or sync failed: the store has stopped for good. Final until the process restarts. */
        FAILED,
        /** The store's files, or the locks on them, were taken from this process: it has stopped for good, for others. */
        TAKEN_AWAY,
        /** The store is a copy, and nobody has said what was handed out since it was made. Final until that is said. */
        RESTORED,
        /** Everything in the store was moved to another one. Final. */
        MOVED,
        /** A record is damaged: the store has stopped for good. Final until an operator repairs it. */
        CORRUPT
    }

    private final Kind kind;

    public StoreException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public StoreException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
