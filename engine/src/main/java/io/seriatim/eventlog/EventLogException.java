package io.seriatim.eventlog;

import io.seriatim.ErrorCode;

/** A call on a log could not be answered. {@link ErrorCode#mayBeRetried} says whether the same call may succeed later. */
public class EventLogException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final ErrorCode code;

    public EventLogException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    public EventLogException(ErrorCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }
}
