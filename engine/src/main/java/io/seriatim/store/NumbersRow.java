package io.seriatim.store;

import java.util.Arrays;

/**
 * The stored numbers of a workspace.
 *
 * @param kind the kind that the workspace is bound to, at least 1
 * @param sequences ids, rising, each from 0 on; not copied
 * @param values the last number of each, at least 1; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // not copied, and compared by what they hold
public record NumbersRow(long workspace, int kind, int[] sequences, long[] values) {

    public NumbersRow {
        boolean fit = kind >= 1 && sequences.length == values.length;
        for (int i = 0; fit && i < sequences.length; i++) {
            fit = sequences[i] >= 0 && values[i] >= 1 && (i == 0 || sequences[i] > sequences[i - 1]);
        }
        if (!fit) {
            throw new IllegalArgumentException("kinds and values start at 1, sequences rise from 0 on: kind=" + kind
                    + " sequences=" + Arrays.toString(sequences) + " values=" + Arrays.toString(values));
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NumbersRow that
                && workspace == that.workspace
                && kind == that.kind
                && Arrays.equals(sequences, that.sequences)
                && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(workspace) * 31 + Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return "NumbersRow[workspace=" + workspace + ", kind=" + kind + ", sequences=" + Arrays.toString(sequences)
                + ", values=" + Arrays.toString(values) + "]";
    }
}
