package io.seriatim.numbering;

import java.util.Locale;

/** What becomes of the case of letters in a scope value. */
public enum LetterCase {
    /** As given: {@code acme} and {@code ACME} have two counters. */
    EXACT,
    /** Upper case: {@code acme} and {@code ACME} share a counter. */
    UPPER;

    /** The name in JSON and on the command line: {@code exact}, {@code upper}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    String applyTo(String text) {
        return this == UPPER ? text.toUpperCase(Locale.ROOT) : text;
    }
}
