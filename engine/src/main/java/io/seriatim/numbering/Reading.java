package io.seriatim.numbering;

import java.util.Map;
import java.util.Optional;

/**
 * What the text of a number says: which value it is, and of which counter.
 *
 * @param period the period's key; empty text where the counter never starts again; nothing if the text does not say
 *     it, which only a format that allows repeats can have
 * @param scope the scope values by name, those that the text shows
 */
public record Reading(long value, Optional<String> period, Map<String, String> scope) {

    public Reading {
        scope = Map.copyOf(scope);
    }
}
