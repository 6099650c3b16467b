package io.seriatim;

/**
 * A key of a request cannot be served. Nothing was handed out by this call.
 *
 * <p>Code {@link ErrorCode#KEY_REUSED} (the key belongs to another request; final),
 * {@link ErrorCode#KEY_IN_FLIGHT} (the same request is still being answered; may be retried) or
 * {@link ErrorCode#TOO_MANY} (no further key can be kept; may be retried when older ones have expired).
 */
public final class RequestKeyException extends SequenceException {

    private static final long serialVersionUID = 1;

    RequestKeyException(ErrorCode code, String message) {
        super(code, message);
    }

    @Override
    SequenceException again() {
        return causing(new RequestKeyException(code(), String.valueOf(getMessage())));
    }
}
