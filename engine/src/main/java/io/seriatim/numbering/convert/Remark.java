package io.seriatim.numbering.convert;

/**
 * What to look at before a converted definition is used.
 *
 * @param what a sentence
 */
public record Remark(Kind kind, Place place, String what) {

    /** What is remarked. */
    public enum Kind {
        /** The text does not say it, so something usual was taken. */
        ASSUMED,
        /** On some days, or in some calls, the other product prints something else. */
        DIFFERS
    }
}
