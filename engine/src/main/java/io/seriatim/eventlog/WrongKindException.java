package io.seriatim.eventlog;

import io.seriatim.ErrorCode;

/** A workspace was bound to another kind by its first event: final. */
public final class WrongKindException extends EventLogException {

    private static final long serialVersionUID = 1;

    private final int bound;

    WrongKindException(long workspace, int bound, int wanted) {
        super(ErrorCode.WRONG_KIND, "workspace " + workspace + " is of kind " + bound + ", not " + wanted);
        this.bound = bound;
    }

    /** The kind that the workspace is of. */
    public int bound() {
        return bound;
    }
}
