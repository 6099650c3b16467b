package io.seriatim.rocksdb;

import io.seriatim.store.PartitionKey;
import io.seriatim.store.RegistryRow;

/** Rows of the registry as bytes. */
final class RegistryCodec {

    /*
     * key      as of a record, see RecordCodec
     *
     * value    offset  size
     *          0       2     version and kind, see RowFormat
     *          2       4     type
     *          6       8     WLog offset of the event that gave the id out
     *          14      4     checksum
     */

    private RegistryCodec() {}

    static byte[] key(PartitionKey partition, long workspace, long id) {
        return RecordCodec.key(partition, workspace, id);
    }

    static byte[] value(byte[] key, RegistryRow row) {
        return new RowWriter()
                .putByte(RowFormat.VERSION)
                .putByte(RowFormat.REGISTRY)
                .putInt(row.type())
                .putLong(row.wlogOffset())
                .toValue(key);
    }

    static RegistryRow decode(byte[] key, byte[] value) throws CorruptRowException {
        RowReader keyReader = RowReader.ofKey(key);
        PartitionKey unused = keyReader.getPartition(); // the reader of the row asked for it
        long workspace = keyReader.getLong();
        long id = keyReader.getLong();
        keyReader.end();
        RowReader reader = RowReader.ofValue(key, value, RowFormat.REGISTRY);
        RegistryRow row = new RegistryRow(workspace, id, reader.getInt(), reader.getLong());
        reader.end();
        return row;
    }
}
