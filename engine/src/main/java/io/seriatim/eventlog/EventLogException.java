package io.seriatim.eventlog;

import io.seriatim.ErrorCode;
import org.jspecify.annotations.Nullable;

/** A call on a log could not be answered. {@link ErrorCode#mayBeRetried} says whether the same call may succeed later. */
public class EventLogException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final ErrorCode code;

    public EventLogException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    /** @param cause null where there is none */
    public EventLogException(ErrorCode code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }
}
