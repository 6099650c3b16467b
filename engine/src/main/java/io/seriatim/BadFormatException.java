package io.seriatim;

import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A format, or a change of one, that breaks a rule. Nothing took effect. Final.
 *
 * <p>Code: one of the template's, from {@link ErrorCode#UNCLOSED_FIELD} to {@link ErrorCode#CHARSET},
 * {@link ErrorCode#BAD_ZONE}, {@link ErrorCode#BAD_RESET}, {@link ErrorCode#BAD_START}, {@link ErrorCode#BAD_STEP},
 * {@link ErrorCode#BAD_MAX}, {@link ErrorCode#WOULD_REPEAT} or {@link ErrorCode#BAD_OPTION}.
 */
public final class BadFormatException extends SequenceException {

    private static final long serialVersionUID = 1;

    /** Where the option has no position. */
    private static final int NOWHERE = -1;

    private final String option;
    private final int position;
    private final @Nullable String number;

    private BadFormatException(ErrorCode code, String option, int position, @Nullable String number, String message) {
        super(code, message);
        this.option = option;
        this.position = position;
        this.number = number;
    }

    /** An option that breaks a rule as a whole. */
    public static BadFormatException of(ErrorCode code, String option, String message) {
        return new BadFormatException(code, option, NOWHERE, null, message);
    }

    /** An option whose text breaks a rule at one place. */
    public static BadFormatException at(ErrorCode code, String option, int position, String message) {
        return new BadFormatException(code, option, position, null, message);
    }

    /** The same, with a number that could be handed out twice; the message says for what. */
    public BadFormatException showing(String collidingNumber) {
        return new BadFormatException(code(), option, position, collidingNumber, String.valueOf(getMessage()));
    }

    @Override
    SequenceException again() {
        return causing(new BadFormatException(code(), option, position, number, String.valueOf(getMessage())));
    }

    /** The option that breaks the rule, as it is called in JSON: {@code template}, {@code zone}, {@code start}. */
    public String option() {
        return option;
    }

    /** Where in the option's text, in code points from 0. */
    public OptionalInt position() {
        return position == NOWHERE ? OptionalInt.empty() : OptionalInt.of(position);
    }

    /** The text that two different numbers would have, where the rule is against repeats. */
    public Optional<String> number() {
        return Optional.ofNullable(number);
    }
}
