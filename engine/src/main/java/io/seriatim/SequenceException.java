package io.seriatim;

/** Expected trouble with a sequence: a code, a sentence, and in the subclasses the facts. */
public abstract sealed class SequenceException extends RuntimeException
        permits BadDefinitionException,
                BadFormatException,
                NumberRefusedException,
                RequestKeyException,
                ReservationException,
                SequenceConflictException,
                SequenceExhaustedException,
                SequenceNotFoundException,
                StoreUnavailableException {

    private static final long serialVersionUID = 1;

    private final ErrorCode code;

    SequenceException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    SequenceException(ErrorCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public final ErrorCode code() {
        return code;
    }

    /** The same trouble for one more caller: a new exception with a stack of its own, caused by this one. */
    abstract SequenceException again();

    final <E extends SequenceException> E causing(E copy) {
        copy.initCause(this);
        return copy;
    }
}
