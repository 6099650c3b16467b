package io.seriatim;

/**
 * The state of the sequence forbids the call. Nothing took effect. Final.
 *
 * <p>Code {@link ErrorCode#ALREADY_EXISTS}, {@link ErrorCode#NAME_CASE} or {@link ErrorCode#BEHIND}.
 */
public final class SequenceConflictException extends SequenceException {

    private static final long serialVersionUID = 1;

    SequenceConflictException(ErrorCode code, String message) {
        super(code, message);
    }

    @Override
    SequenceException again() {
        return causing(new SequenceConflictException(code(), String.valueOf(getMessage())));
    }
}
