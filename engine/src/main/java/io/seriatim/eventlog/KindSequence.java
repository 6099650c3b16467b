package io.seriatim.eventlog;

/**
 * A sequence that every workspace of a kind has.
 *
 * @param id at least 1; {@link WorkspaceKind#WLOG_OFFSET} is there without being said
 * @param initial the first number, at least 1, and below which none is given
 * @param max the last number, at least {@code initial}
 */
public record KindSequence(int id, long initial, long max) {

    public KindSequence {
        if (id < 0 || initial < 1 || max < initial) {
            throw new IllegalArgumentException("an id is at least 1, initial at least 1, max at least initial: id=" + id
                    + " initial=" + initial + " max=" + max);
        }
    }
}
