package io.seriatim;

/**
 * A name, a definition or a change of one that breaks a rule. Nothing took effect. Final.
 *
 * <p>Code {@link ErrorCode#BAD_OPTION}, {@link ErrorCode#OUT_OF_RANGE} or {@link ErrorCode#BAD_NAME}.
 */
public final class BadDefinitionException extends SequenceException {

    private static final long serialVersionUID = 1;

    private final String option;

    BadDefinitionException(ErrorCode code, String option, String message) {
        super(code, message);
        this.option = option;
    }

    @Override
    SequenceException again() {
        return causing(new BadDefinitionException(code(), option, String.valueOf(getMessage())));
    }

    /** The option that breaks the rule, as it is called in JSON: {@code max}, {@code restart}, {@code name}. */
    public String option() {
        return option;
    }
}
