package io.seriatim.store;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A transactional sequence with a name.
 *
 * @param name 1 to 255 characters; compared as it is
 * @param sequenceId at least 1; never given to another sequence
 * @param options the definition as text by option name; what they mean is the engine's business
 */
public record CatalogueRow(String name, long sequenceId, Map<String, String> options) {

    private static final int MOST_CHARACTERS = 255;

    public CatalogueRow {
        requireName(name);
        if (sequenceId < 1) {
            throw new IllegalArgumentException("sequenceId must be at least 1: sequenceId=" + sequenceId);
        }
        options = Collections.unmodifiableMap(new TreeMap<>(options));
        options.forEach((option, text) -> {
            Text.requireWellFormed("option", option);
            Text.requireWellFormed(option, text);
        });
    }

    /** Refuses what no row can have as its name. */
    public static void requireName(String name) {
        if (name.isEmpty() || name.length() > MOST_CHARACTERS) {
            throw new IllegalArgumentException(
                    "name must have 1 to " + MOST_CHARACTERS + " characters: it has " + name.length());
        }
        Text.requireWellFormed("name", name);
    }
}
