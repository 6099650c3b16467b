package io.seriatim.store;

import java.util.Arrays;

/**
 * What a replay needs of an event: the numbers that it used up.
 *
 * @param workspace any number, 0 and negative ones included
 * @param kind of the workspace, at least 1
 * @param mark by which its writer knows it again
 * @param key the idempotency key that it was written under, empty for none
 * @param sequences ids of the sequences that it drew from, rising, each from 0 on; not copied
 * @param values the greatest number that it has of each, at least 1; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // not copied, and compared by what they hold
public record EventHeader(long workspace, int kind, WriterMark mark, String key, int[] sequences, long[] values) {

    public EventHeader {
        Text.requireWellFormed("key", key);
        if (kind < 1 || sequences.length != values.length) {
            throw new IllegalArgumentException("kinds start at 1, and each sequence has a value: kind=" + kind
                    + " sequences=" + sequences.length + " values=" + values.length);
        }
        for (int i = 0; i < sequences.length; i++) {
            if (sequences[i] < 0 || values[i] < 1 || i > 0 && sequences[i] <= sequences[i - 1]) {
                throw new IllegalArgumentException("sequences rise from 0 on, values from 1 on: sequences="
                        + Arrays.toString(sequences) + " values=" + Arrays.toString(values));
            }
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EventHeader that
                && workspace == that.workspace
                && kind == that.kind
                && mark.equals(that.mark)
                && key.equals(that.key)
                && Arrays.equals(sequences, that.sequences)
                && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(workspace) * 31 + mark.hashCode();
    }

    @Override
    public String toString() {
        return "EventHeader[workspace=" + workspace + ", kind=" + kind + ", mark=" + mark + ", key=" + key
                + ", sequences=" + Arrays.toString(sequences) + ", values=" + Arrays.toString(values) + "]";
    }
}
