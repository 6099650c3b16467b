package io.seriatim.numbering;

/**
 * A named part of the counter's key: each value of it has counters of its own. Checked with the rest of the
 * definition.
 *
 * @param name as templates and calls name it: {@code [A-Za-z][A-Za-z0-9_-]*}, at most 64 characters
 * @param max the greatest length of a value, in code points, from 1 to 100
 * @param fixed whether every value is exactly that long
 * @param alphabet the characters of a value: listed ({@code 0123456789}) or with ranges in brackets
 *     ({@code [A-Z0-9]})
 * @param letterCase what becomes of the case of letters
 */
public record Scope(String name, int max, boolean fixed, String alphabet, LetterCase letterCase) {

    /** The alphabet where none is given. */
    public static final String ANY_ALPHABET = "[A-Za-z0-9]";

    /** Values of 1 to {@code max} letters A–Z, a–z and digits, as given. */
    public static Scope of(String name, int max) {
        return new Scope(name, max, false, ANY_ALPHABET, LetterCase.EXACT);
    }

    /** The same, with values that are all of the greatest length. */
    public Scope ofFixedLength() {
        return new Scope(name, max, true, alphabet, letterCase);
    }

    public Scope alphabet(String characters) {
        return new Scope(name, max, fixed, characters, letterCase);
    }

    public Scope letterCase(LetterCase policy) {
        return new Scope(name, max, fixed, alphabet, policy);
    }
}
