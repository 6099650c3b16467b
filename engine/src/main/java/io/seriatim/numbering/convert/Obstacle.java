package io.seriatim.numbering.convert;

/**
 * A part that cannot be carried over.
 *
 * @param why a sentence
 */
public record Obstacle(Reason reason, Place place, String why) {

    /** Why a part cannot be carried over. */
    public enum Reason {
        /** The other product does not read it, or drops it. */
        NOT_READ,
        /** No field of ours prints it. */
        NOT_PRINTED,
        /** No reset and no scope of ours counts so. */
        NOT_COUNTED,
        /** The text does not say it; an option does. */
        NOT_SAID,
        /** A width or value beyond what there is. */
        OUT_OF_RANGE,
        /** It could be said in our words, and is refused: numbers would repeat, or could not be read back. */
        REFUSED
    }
}
