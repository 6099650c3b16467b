package io.seriatim.store;

/** What every text in a row must be, so that each store can keep it and give back the same. */
final class Text {

    private Text() {}

    /**
     * Refuses half a surrogate pair: it has no UTF-8 form, so two such texts would become one key. Refuses U+0000:
     * PostgreSQL has no place for it in a text, and what one store cannot keep none may be given.
     */
    static void requireWellFormed(String what, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == 0) {
                throw new IllegalArgumentException("text must not hold U+0000: " + what + " at index " + i);
            }
            if (isHalf(text, i)) {
                throw new IllegalArgumentException(
                        "text must not hold half a surrogate pair: " + what + " at index " + i);
            }
        }
    }

    private static boolean isHalf(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
        }
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }
}
