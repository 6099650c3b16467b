package io.seriatim.rocksdb;

import io.seriatim.store.PartitionKey;
import io.seriatim.store.SkippedRow;

/** What operators let pass, as bytes. */
final class SkippedCodec {

    /*
     * key      offset  size
     *          0       4     application
     *          4       4     partition
     *          8       8     PLog offset, from 1; big-endian, so the order of keys is the order of events
     *          16      a     projector, UTF-8; no length before it, so the order of keys is that of code points
     *
     * value    offset  size
     *          0       2     version and kind, see RowFormat
     *          2       8     when: milliseconds since 1970
     *          10      4+b   who: length in bytes, UTF-8
     *          14+b    4+c   reason: length, UTF-8
     *          18+b+c  4     checksum
     */

    private SkippedCodec() {}

    static byte[] key(PartitionKey partition, long plogOffset, String projector) {
        return new RowWriter()
                .putPartition(partition)
                .putLong(plogOffset)
                .putRest("projector", projector)
                .toKey();
    }

    static byte[] value(byte[] key, SkippedRow row) {
        return new RowWriter()
                .putByte(RowFormat.VERSION)
                .putByte(RowFormat.SKIPPED)
                .putLong(row.epochMillis())
                .putText("who", row.who())
                .putText("reason", row.reason())
                .toValue(key);
    }

    static SkippedRow decode(byte[] key, byte[] value) throws CorruptRowException {
        RowReader reader = RowReader.ofValue(key, value, RowFormat.SKIPPED);
        long epochMillis = reader.getLong();
        String who = reader.getText();
        String reason = reader.getText();
        reader.end();
        RowReader keyReader = RowReader.ofKey(key);
        PartitionKey unused = keyReader.getPartition(); // the reader of the row asked for it
        try {
            return new SkippedRow(keyReader.getLong(), keyReader.getRest(), who, reason, epochMillis);
        } catch (IllegalArgumentException e) {
            throw new CorruptRowException("no such row is possible: " + e.getMessage(), e);
        }
    }
}
