package io.seriatim.numbering.convert;

import io.seriatim.numbering.Scope;
import java.util.List;
import java.util.Optional;

/**
 * What is known beside a text, whatever the product. Immutable: each option returns a new one.
 *
 * @param zone the IANA name of the time zone
 * @param fiscalStart the first day of the fiscal year, as {@code MM-dd}
 * @param scopes declarations that replace those which would be assumed, by their names
 */
public record Given(Optional<String> zone, Optional<String> fiscalStart, List<Scope> scopes) {

    /** Nothing but the text. */
    public static final Given NOTHING = new Given(Optional.empty(), Optional.empty(), List.of());

    public Given {
        scopes = List.copyOf(scopes);
    }

    public Given zone(String name) {
        return new Given(Optional.of(name), fiscalStart, scopes);
    }

    public Given fiscalStart(String day) {
        return new Given(zone, Optional.of(day), scopes);
    }

    public Given scopes(List<Scope> declared) {
        return new Given(zone, fiscalStart, declared);
    }

    Optional<Scope> scope(String name) {
        return scopes.stream().filter(scope -> scope.name().equals(name)).findFirst();
    }
}
