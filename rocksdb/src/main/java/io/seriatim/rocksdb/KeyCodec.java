package io.seriatim.rocksdb;

import io.seriatim.store.KeyRow;
import io.seriatim.store.PartitionKey;

/** Which event was written under an idempotency key, as bytes. */
final class KeyCodec {

    /*
     * key      offset  size
     *          0       4     application
     *          4       4     partition
     *          8       8     workspace
     *          16      a     idempotency key, UTF-8
     *
     * value    offset  size
     *          0       2     version and kind, see RowFormat
     *          2       8     PLog offset, from 1
     *          10      4     checksum
     */

    private KeyCodec() {}

    static byte[] key(PartitionKey partition, long workspace, String key) {
        return new RowWriter()
                .putPartition(partition)
                .putLong(workspace)
                .putRest("key", key)
                .toKey();
    }

    static byte[] value(byte[] key, KeyRow row) {
        return new RowWriter()
                .putByte(RowFormat.VERSION)
                .putByte(RowFormat.KEY)
                .putLong(row.plogOffset())
                .toValue(key);
    }

    static KeyRow decode(byte[] key, byte[] value) throws CorruptRowException {
        RowReader reader = RowReader.ofValue(key, value, RowFormat.KEY);
        long plogOffset = reader.getLong();
        reader.end();
        RowReader keyReader = RowReader.ofKey(key);
        PartitionKey unused = keyReader.getPartition(); // the reader of the row asked for it
        try {
            return new KeyRow(keyReader.getLong(), keyReader.getRest(), plogOffset);
        } catch (IllegalArgumentException e) {
            throw new CorruptRowException("no such row is possible: " + e.getMessage(), e);
        }
    }
}
