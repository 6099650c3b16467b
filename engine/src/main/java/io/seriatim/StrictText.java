package io.seriatim;

import java.util.function.Function;

/**
 * Reads texts that rows keep. One is understood only if writing what was read gives the same text again: a part too many,
 * one that is missing and one in another place are all damage.
 */
final class StrictText {

    private StrictText() {}

    /**
     * What a text says.
     *
     * @param complaint what to say of a text that is not understood
     * @throws StoreUnavailableException STORE_CORRUPT if it is not understood
     */
    static <T> T read(String text, Function<String, T> reader, Function<T, String> writer, String complaint) {
        T read;
        try {
            read = reader.apply(text);
        } catch (RuntimeException e) {
            throw new StoreUnavailableException(ErrorCode.STORE_CORRUPT, complaint, e);
        }
        if (!writer.apply(read).equals(text)) {
            throw new StoreUnavailableException(
                    ErrorCode.STORE_CORRUPT,
                    complaint,
                    new IllegalArgumentException("it would be written in another way"));
        }
        return read;
    }
}
