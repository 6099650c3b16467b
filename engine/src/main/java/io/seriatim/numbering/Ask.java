package io.seriatim.numbering;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;

/**
 * For what a number is wanted. Immutable: each option returns a new one.
 *
 * @param at the instant that decides period and printed date; empty: that of the call, by the clock of the process
 * @param date a business date instead, whatever the time
 * @param scope a value for each scope of the format, by name
 */
public record Ask(Optional<Instant> at, Optional<LocalDate> date, Map<String, String> scope) {

    /** Now, for a format without scopes. */
    public static final Ask NOW = new Ask(Optional.empty(), Optional.empty(), Map.of());

    public Ask {
        scope = Map.copyOf(scope);
        if (at.isPresent() && date.isPresent()) {
            throw new IllegalArgumentException(
                    "either an instant or a business date: at=" + at.get() + " date=" + date.get());
        }
    }

    public Ask at(Instant instant) {
        return new Ask(Optional.of(instant), Optional.empty(), scope);
    }

    public Ask on(LocalDate businessDate) {
        return new Ask(Optional.empty(), Optional.of(businessDate), scope);
    }

    public Ask in(Map<String, String> scopes) {
        return new Ask(at, date, scopes);
    }
}
