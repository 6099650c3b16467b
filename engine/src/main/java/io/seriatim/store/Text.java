package io.seriatim.store;

/** What every text in a row must be, so that each store can keep it and give back the same. */
final class Text {

    private Text() {}

    /** Refuses half a surrogate pair: it has no UTF-8 form, so two such texts would become one key. */
    static void requireWellFormed(String what, String text) {
        for (int i = 0; i < text.length(); i++) {
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
