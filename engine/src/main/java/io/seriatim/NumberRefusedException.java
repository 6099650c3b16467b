package io.seriatim;

/**
 * A number cannot be printed, or read, as the call asks. Nothing was consumed. Final.
 *
 * <p>Code {@link ErrorCode#SCOPE_MISSING}, {@link ErrorCode#SCOPE_UNKNOWN}, {@link ErrorCode#SCOPE_VALUE_INVALID},
 * {@link ErrorCode#DATE_NO_TIME} or {@link ErrorCode#DATE_OUT_OF_RANGE}.
 */
public final class NumberRefusedException extends SequenceException {

    private static final long serialVersionUID = 1;

    public NumberRefusedException(ErrorCode code, String message) {
        super(code, message);
    }

    @Override
    SequenceException again() {
        return causing(new NumberRefusedException(code(), String.valueOf(getMessage())));
    }
}
