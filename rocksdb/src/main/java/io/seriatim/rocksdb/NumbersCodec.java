package io.seriatim.rocksdb;

import io.seriatim.store.NumbersRow;
import io.seriatim.store.PartitionKey;
import java.util.Arrays;

/** The numbers of a workspace as bytes. */
final class NumbersCodec {

    /*
     * key      offset  size
     *          0       4     application
     *          4       4     partition
     *          8       8     workspace
     *
     * value    offset  size
     *          0       2     version and kind, see RowFormat
     *          2       4     kind of the workspace, from 1
     *          6       4     count, n
     *          10      12n   for each, in rising order: sequence id (4), last number (8)
     *          10+12n  4     checksum
     */

    private NumbersCodec() {}

    /** The numbers of one workspace; grows and rises. Used by one thread. */
    static final class Row {

        private final int kind;
        private int count;
        private int[] sequences = new int[4];
        private long[] values = new long[4];

        Row(int kind) {
            this.kind = kind;
        }

        int kind() {
            return kind;
        }

        /** The last number of a sequence, 0 where it has none. */
        long value(int sequence) {
            int at = Arrays.binarySearch(sequences, 0, count, sequence);
            return at < 0 ? 0 : values[at];
        }

        /** Returns whether it was lower. */
        boolean raise(int sequence, long value) {
            int at = Arrays.binarySearch(sequences, 0, count, sequence);
            if (at < 0) {
                at = -at - 1;
                insert(at, sequence);
            }
            if (values[at] >= value) {
                return false;
            }
            values[at] = value;
            return true;
        }

        /** Returns whether any of them was lower. */
        boolean raiseAll(Row other) {
            boolean raised = false;
            for (int i = 0; i < other.count; i++) {
                raised |= raise(other.sequences[i], other.values[i]);
            }
            return raised;
        }

        private void insert(int at, int sequence) {
            if (count == sequences.length) {
                sequences = Arrays.copyOf(sequences, 2 * count);
                values = Arrays.copyOf(values, 2 * count);
            }
            System.arraycopy(sequences, at, sequences, at + 1, count - at);
            System.arraycopy(values, at, values, at + 1, count - at);
            sequences[at] = sequence;
            values[at] = 0;
            count++;
        }
    }

    static byte[] key(PartitionKey partition, long workspace) {
        return new RowWriter().putPartition(partition).putLong(workspace).toKey();
    }

    static byte[] value(byte[] key, Row row) {
        RowWriter writer = new RowWriter()
                .putByte(RowFormat.VERSION)
                .putByte(RowFormat.NUMBERS)
                .putInt(row.kind)
                .putInt(row.count);
        for (int i = 0; i < row.count; i++) {
            writer.putInt(row.sequences[i]).putLong(row.values[i]);
        }
        return writer.toValue(key);
    }

    /** The row as others know it. */
    static NumbersRow decodeRow(byte[] key, byte[] value) throws CorruptRowException {
        Row row = decode(key, value);
        RowReader reader = RowReader.ofKey(key);
        reader.skip(2 * Integer.BYTES);
        try {
            return new NumbersRow(
                    reader.getLong(),
                    row.kind,
                    Arrays.copyOf(row.sequences, row.count),
                    Arrays.copyOf(row.values, row.count));
        } catch (IllegalArgumentException e) {
            throw new CorruptRowException("no such row is possible: " + e.getMessage(), e);
        }
    }

    static Row decode(byte[] key, byte[] value) throws CorruptRowException {
        RowReader keyReader = RowReader.ofKey(key);
        PartitionKey unused = keyReader.getPartition(); // the reader of the row asked for it
        keyReader.skip(Long.BYTES);
        keyReader.end();
        RowReader reader = RowReader.ofValue(key, value, RowFormat.NUMBERS);
        Row row = new Row(reader.getInt());
        int count = reader.getCount(HeadersCodec.NUMBER_BYTES);
        int before = -1;
        for (int i = 0; i < count; i++) {
            int sequence = reader.getInt();
            if (sequence <= before || !row.raise(sequence, reader.getLong())) {
                throw new CorruptRowException("no such numbers are possible: sequence " + sequence);
            }
            before = sequence;
        }
        reader.end();
        if (row.kind < 1) {
            throw new CorruptRowException("no such row is possible: kind=" + row.kind);
        }
        return row;
    }
}
