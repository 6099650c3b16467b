package io.seriatim.store;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The durable definition of one sequence, or the tombstone that a drop leaves under its name.
 *
 * @param name as it was defined; two names that differ only by case are the same row
 * @param sequenceId drawn anew whenever a sequence is created, so that a drop never lets old rows come back
 * @param generation rises with ALTER, restart and drop
 * @param revision counts the writes of this row from 1; the condition of the next write
 * @param options every option of the definition by name, as text; the engine gives them their meaning
 * @param dropped this is a tombstone
 * @param created when the sequence was created; for display only
 * @param modified when this row was written; for display only
 * @param mark names the write that made this row
 */
public record DefinitionRow(
        String name,
        long sequenceId,
        long generation,
        long revision,
        Map<String, String> options,
        boolean dropped,
        Instant created,
        Instant modified,
        WriterMark mark) {

    public DefinitionRow {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a name must not be empty");
        }
        Text.requireWellFormed("name", name);
        if (generation < 1 || revision < 1) {
            throw new IllegalArgumentException(
                    "generation and revision start at 1: generation=" + generation + " revision=" + revision);
        }
        options = Collections.unmodifiableMap(new TreeMap<>(options));
        options.forEach((option, text) -> {
            Text.requireWellFormed("option", option);
            Text.requireWellFormed(option, text);
        });
    }

    /** The key of the row: the name with its ASCII letters in lower case. */
    public String foldedName() {
        return fold(name);
    }

    /**
     * Folds a name, or the beginning of one, as {@link #foldedName()} does. Only ASCII letters fold: other
     * letters change length or meaning with the Unicode version or with their neighbours, so the key of a row
     * could change under it.
     */
    public static String fold(String name) {
        Text.requireWellFormed("name", name);
        StringBuilder folded = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            folded.append(c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c);
        }
        return folded.toString();
    }
}
