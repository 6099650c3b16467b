package io.seriatim.rocksdb;

import io.seriatim.store.PartitionKey;
import io.seriatim.store.WorkspaceEvent;

/** The places of a workspace's events as bytes. */
final class WorkspaceEventCodec {

    /*
     * key      offset  size
     *          0       4     application
     *          4       4     partition
     *          8       8     workspace
     *          16      8     WLog offset: big-endian, so the order of keys is the order of events
     *
     * value    offset  size
     *          0       2     version and kind, see RowFormat
     *          2       8     PLog offset
     *          10      4     checksum
     */

    private WorkspaceEventCodec() {}

    static byte[] key(PartitionKey partition, long workspace, long offset) {
        return new RowWriter()
                .putPartition(partition)
                .putLong(workspace)
                .putLong(offset)
                .toKey();
    }

    /** What the keys of a workspace's events begin with. */
    static byte[] prefix(PartitionKey partition, long workspace) {
        return new RowWriter().putPartition(partition).putLong(workspace).toKey();
    }

    static byte[] value(byte[] key, WorkspaceEvent row) {
        return new RowWriter()
                .putByte(RowFormat.VERSION)
                .putByte(RowFormat.WORKSPACE_EVENT)
                .putLong(row.plogOffset())
                .toValue(key);
    }

    static WorkspaceEvent decode(byte[] key, byte[] value) throws CorruptRowException {
        RowReader keyReader = RowReader.ofKey(key);
        PartitionKey unused = keyReader.getPartition(); // the reader of the row asked for it
        long workspace = keyReader.getLong();
        long offset = keyReader.getLong();
        keyReader.end();
        RowReader reader = RowReader.ofValue(key, value, RowFormat.WORKSPACE_EVENT);
        WorkspaceEvent row = new WorkspaceEvent(workspace, offset, reader.getLong());
        reader.end();
        return row;
    }
}
