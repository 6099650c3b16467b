package io.seriatim;

/**
 * The store did not do its part. No number was handed out.
 *
 * <p>Code {@link ErrorCode#BUSY} (it took too long; may be retried), {@link ErrorCode#STORE_UNAVAILABLE}
 * (may be retried), {@link ErrorCode#RETRY_TRANSACTION} (the transaction in which a number was drawn is undone), {@link ErrorCode#OUTCOME_UNKNOWN} (a change was sent and its fate is not known: read,
 * then decide) or {@link ErrorCode#STORE_CORRUPT} (the store has stopped until an operator repairs it).
 */
public final class StoreUnavailableException extends SequenceException {

    private static final long serialVersionUID = 1;

    StoreUnavailableException(ErrorCode code, String message) {
        super(code, message);
    }

    StoreUnavailableException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }

    @Override
    SequenceException again() {
        return new StoreUnavailableException(code(), String.valueOf(getMessage()), this);
    }
}
