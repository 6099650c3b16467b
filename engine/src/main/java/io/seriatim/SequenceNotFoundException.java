package io.seriatim;

/** There is no such sequence, or it was dropped. Code {@link ErrorCode#NOT_FOUND}. Final. */
public final class SequenceNotFoundException extends SequenceException {

    private static final long serialVersionUID = 1;

    private final String name;

    SequenceNotFoundException(String name) {
        super(ErrorCode.NOT_FOUND, "there is no sequence " + name);
        this.name = name;
    }

    @Override
    SequenceException again() {
        return causing(new SequenceNotFoundException(name));
    }
}
