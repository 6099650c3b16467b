package io.seriatim.rocksdb;

import io.seriatim.store.PartitionKey;
import io.seriatim.store.RecordRow;

/** Records as bytes. */
final class RecordCodec {

    /*
     * key      offset  size
     *          0       4     application
     *          4       4     partition
     *          8       8     workspace
     *          16      8     record id
     *
     * value    offset  size
     *          0       2     version and kind, see RowFormat
     *          2       4     type
     *          6       8     PLog offset of the event that wrote it
     *          14      8     WLog offset of the same event
     *          22      4+a   body: length, bytes
     *          26+a    4     checksum
     */

    private RecordCodec() {}

    static byte[] key(PartitionKey partition, long workspace, long id) {
        return new RowWriter()
                .putPartition(partition)
                .putLong(workspace)
                .putLong(id)
                .toKey();
    }

    static byte[] value(byte[] key, RecordRow row) {
        return new RowWriter()
                .putByte(RowFormat.VERSION)
                .putByte(RowFormat.RECORD)
                .putInt(row.type())
                .putLong(row.plogOffset())
                .putLong(row.wlogOffset())
                .putBytes(row.body())
                .toValue(key);
    }

    static RecordRow decode(byte[] key, byte[] value) throws CorruptRowException {
        RowReader keyReader = RowReader.ofKey(key);
        PartitionKey unused = keyReader.getPartition(); // the reader of the row asked for it
        long workspace = keyReader.getLong();
        long id = keyReader.getLong();
        keyReader.end();
        RowReader reader = RowReader.ofValue(key, value, RowFormat.RECORD);
        RecordRow row =
                new RecordRow(workspace, id, reader.getInt(), reader.getLong(), reader.getLong(), reader.getBytes());
        reader.end();
        return row;
    }
}
