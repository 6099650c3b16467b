package io.seriatim;

import java.util.OptionalLong;

/**
 * Which value follows which, as a definition says, for who keeps the values elsewhere. Never changed; safe for use by many
 * threads.
 */
public final class Succession {

    private final SequenceDefinition definition;
    private final Progression progression;
    private final long start;

    private Succession(Definition definition) {
        this.definition = SequenceDefinition.ascending()
                .type(definition.type())
                .start(definition.start())
                .min(definition.min())
                .max(definition.max())
                .increment(definition.increment())
                .cycle(definition.cycle());
        this.progression = definition.progression();
        this.start = definition.start();
    }

    /**
     * What a definition says about type, start, min, max, increment and cycle; the other options have no meaning here.
     *
     * @throws BadDefinitionException if an option is bad, or is another one than those; final
     */
    public static Succession of(SequenceDefinition definition) {
        definition.options().keySet().stream()
                .filter(option -> !isArithmetic(option))
                .findFirst()
                .ifPresent(option -> {
                    throw new BadDefinitionException(
                            ErrorCode.BAD_OPTION, option, "a transactional sequence has no option " + option);
                });
        return new Succession(Definition.of(definition));
    }

    private static boolean isArithmetic(String option) {
        return switch (option) {
            case SequenceDefinition.TYPE,
                    SequenceDefinition.START,
                    SequenceDefinition.MIN,
                    SequenceDefinition.MAX,
                    SequenceDefinition.INCREMENT,
                    SequenceDefinition.CYCLE -> true;
            default -> false;
        };
    }

    /** The definition with each of its options decided. */
    public SequenceDefinition definition() {
        return definition;
    }

    /** The first value. */
    public long start() {
        return start;
    }

    /** The value that follows another one; empty when the limit is reached and the sequence does not cycle. */
    public OptionalLong next(long value) {
        return progression.next(value);
    }

    /** What a caller is told who wants a value behind the last one. */
    public SequenceExhaustedException exhausted(String name) {
        return new SequenceExhaustedException(name, progression.limit(), progression.limitValue());
    }
}
