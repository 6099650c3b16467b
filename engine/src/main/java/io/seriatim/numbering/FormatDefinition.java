package io.seriatim.numbering;

import io.seriatim.SequenceDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a format should be, as it was given; {@link NumberFormat#of} checks it. Immutable: each option returns a new
 * definition.
 *
 * @param template the text of a number with its fields, docs/numbering.md
 * @param reset how often the counter starts again, by its name; default {@code never}
 * @param zone the IANA name of the time zone that decides what day it is; default {@code UTC}
 * @param fiscalStart the first day of the fiscal year, as {@code MM-dd}
 * @param scopes the scopes, each with counters of its own
 * @param maxLength the greatest length of a number in code points; default {@link #USUAL_MAX_LENGTH}
 * @param charset the characters that a number may have; default all
 * @param allowRepeats leave to print the same text in two periods or scopes
 * @param monotonicPeriod whether the periods of a scope may only rise; not with contract {@code fast}
 * @param policy of contract {@code gapless}: {@code relaxed} or {@code strict}
 * @param reservationSeconds of contract {@code gapless}: how long a reservation is held
 */
public record FormatDefinition(
        String template,
        String reset,
        String zone,
        Optional<String> fiscalStart,
        List<Scope> scopes,
        int maxLength,
        Optional<String> charset,
        boolean allowRepeats,
        boolean monotonicPeriod,
        Optional<String> policy,
        OptionalInt reservationSeconds) {

    /** The greatest length where none is given. */
    public static final int USUAL_MAX_LENGTH = 255;

    public FormatDefinition {
        scopes = List.copyOf(scopes);
    }

    /**
     * The format of a sequence's definition; nothing if it has none.
     *
     * @throws io.seriatim.BadFormatException if an option of it is not understood; final
     */
    public static Optional<FormatDefinition> in(SequenceDefinition definition) {
        return FormatOptions.in(definition.options());
    }

    /** A template alone: a counter that never starts again. */
    public static FormatDefinition of(String template) {
        return new FormatDefinition(
                template,
                Reset.NEVER.text(),
                "UTC",
                Optional.empty(),
                List.of(),
                USUAL_MAX_LENGTH,
                Optional.empty(),
                false,
                false,
                Optional.empty(),
                OptionalInt.empty());
    }

    public FormatDefinition template(String text) {
        return new FormatDefinition(
                text,
                reset,
                zone,
                fiscalStart,
                scopes,
                maxLength,
                charset,
                allowRepeats,
                monotonicPeriod,
                policy,
                reservationSeconds);
    }

    public FormatDefinition reset(Reset often) {
        return reset(often.text());
    }

    /** The reset by its name; a name that there is not is refused with the rest. */
    public FormatDefinition reset(String often) {
        return new FormatDefinition(
                template,
                often,
                zone,
                fiscalStart,
                scopes,
                maxLength,
                charset,
                allowRepeats,
                monotonicPeriod,
                policy,
                reservationSeconds);
    }

    public FormatDefinition zone(String name) {
        return new FormatDefinition(
                template,
                reset,
                name,
                fiscalStart,
                scopes,
                maxLength,
                charset,
                allowRepeats,
                monotonicPeriod,
                policy,
                reservationSeconds);
    }

    /** The first day of the fiscal year, as {@code MM-dd}. */
    public FormatDefinition fiscalStart(String day) {
        return new FormatDefinition(
                template,
                reset,
                zone,
                Optional.of(day),
                scopes,
                maxLength,
                charset,
                allowRepeats,
                monotonicPeriod,
                policy,
                reservationSeconds);
    }

    /** One more scope. */
    public FormatDefinition scope(Scope scope) {
        List<Scope> more = new ArrayList<>(scopes);
        more.add(scope);
        return new FormatDefinition(
                template,
                reset,
                zone,
                fiscalStart,
                more,
                maxLength,
                charset,
                allowRepeats,
                monotonicPeriod,
                policy,
                reservationSeconds);
    }

    public FormatDefinition maxLength(int codePoints) {
        return new FormatDefinition(
                template,
                reset,
                zone,
                fiscalStart,
                scopes,
                codePoints,
                charset,
                allowRepeats,
                monotonicPeriod,
                policy,
                reservationSeconds);
    }

    /** The characters that a number may have, listed or with ranges in brackets: {@code [A-Z0-9/-]}. */
    public FormatDefinition charset(String characters) {
        return new FormatDefinition(
                template,
                reset,
                zone,
                fiscalStart,
                scopes,
                maxLength,
                Optional.of(characters),
                allowRepeats,
                monotonicPeriod,
                policy,
                reservationSeconds);
    }

    public FormatDefinition allowRepeats(boolean allowed) {
        return new FormatDefinition(
                template,
                reset,
                zone,
                fiscalStart,
                scopes,
                maxLength,
                charset,
                allowed,
                monotonicPeriod,
                policy,
                reservationSeconds);
    }

    public FormatDefinition monotonicPeriod(boolean monotonic) {
        return new FormatDefinition(
                template,
                reset,
                zone,
                fiscalStart,
                scopes,
                maxLength,
                charset,
                allowRepeats,
                monotonic,
                policy,
                reservationSeconds);
    }

    public FormatDefinition policy(String name) {
        return new FormatDefinition(
                template,
                reset,
                zone,
                fiscalStart,
                scopes,
                maxLength,
                charset,
                allowRepeats,
                monotonicPeriod,
                Optional.of(name),
                reservationSeconds);
    }

    public FormatDefinition reservationSeconds(int seconds) {
        return new FormatDefinition(
                template,
                reset,
                zone,
                fiscalStart,
                scopes,
                maxLength,
                charset,
                allowRepeats,
                monotonicPeriod,
                policy,
                OptionalInt.of(seconds));
    }
}
