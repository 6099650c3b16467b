package io.seriatim.transaction;

import io.seriatim.ErrorCode;
import io.seriatim.store.StoreException;

/**
 * A call on transactional sequences could not be answered. {@link ErrorCode#mayBeRetried} says whether the same call may
 * succeed later.
 */
public final class TransactionException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final ErrorCode code;

    TransactionException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    /** What a store said, with the code of it. */
    TransactionException(StoreException cause) {
        super(cause.getMessage(), cause);
        this.code = ErrorCode.of(cause.kind());
    }

    public ErrorCode code() {
        return code;
    }
}
