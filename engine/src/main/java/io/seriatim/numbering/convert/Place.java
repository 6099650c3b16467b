package io.seriatim.numbering.convert;

/**
 * A part of what was given.
 *
 * @param source which of the texts that were given: {@code text}, {@code suffix}, {@code date-format} and so on
 * @param position where the part begins, in code points from 0
 * @param part as it stands there
 */
public record Place(String source, int position, String part) {

    /** The name of the text that every product has. */
    static final String TEXT = "text";

    /** A part of a text, by indexes of its chars. */
    static Place in(String source, String text, int from, int until) {
        return new Place(source, text.codePointCount(0, from), text.substring(from, until));
    }

    static Place all(String source, String text) {
        return new Place(source, 0, text);
    }
}
