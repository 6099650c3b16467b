package io.seriatim;

/**
 * What a request with a key says beside its count.
 *
 * @param asks what else makes a request the same one; empty for nothing
 * @param kept what is kept with the answer, to be read again with {@link Sequence#noteOf}; empty for nothing
 */
public record RequestNote(String asks, String kept) {

    /** Nothing beside the count. */
    public static final RequestNote NONE = new RequestNote("", "");
}
