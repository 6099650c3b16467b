package io.seriatim.rocksdb;

import io.seriatim.store.Checkpoint;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.RowVisitor;
import java.util.Optional;

/** What is kept of a partition as bytes: its epoch, its checkpoint and its applied offset, each in a row of its own. */
final class PartitionCodec {

    /*
     * key      offset  size
     *          0       4     application
     *          4       4     partition
     *          8       1     what: 1 epoch, 2 checkpoint, 3 applied offset
     *
     * value    offset  size
     *          0       2     version and kind, see RowFormat
     *          2       8     1: the present epoch, from 1; 2: the first offset that the numbers do not cover, from 1;
     *                        3: the first offset whose rows are not all written, from 1
     *          10      8     epoch of the owner that wrote it, from 1
     *          18      4     checksum
     *
     * Rows apart, because the epoch is synced and the others are not.
     */

    static final int EPOCH = 1;
    static final int CHECKPOINT = 2;
    static final int APPLIED = 3;

    private PartitionCodec() {}

    static byte[] key(PartitionKey partition, int what) {
        return new RowWriter().putPartition(partition).putByte(what).toKey();
    }

    static byte[] value(byte[] key, long number, long epoch) {
        return new RowWriter()
                .putByte(RowFormat.VERSION)
                .putByte(RowFormat.PARTITION)
                .putLong(number)
                .putLong(epoch)
                .toValue(key);
    }

    /** Any of the three rows, as number and epoch. */
    static Checkpoint decode(byte[] key, byte[] value) throws CorruptRowException {
        RowReader keyReader = RowReader.ofKey(key);
        PartitionKey unused = keyReader.getPartition(); // the reader of the row asked for it
        int what = keyReader.getByte();
        keyReader.end();
        RowReader reader = RowReader.ofValue(key, value, RowFormat.PARTITION);
        long number = reader.getLong();
        long epoch = reader.getLong();
        reader.end();
        if (what < EPOCH || what > APPLIED || number < 1 || epoch < 1) {
            throw new CorruptRowException(
                    "no such row is possible: what=" + what + " number=" + number + " epoch=" + epoch);
        }
        return new Checkpoint(number, epoch);
    }

    /** One of the three rows, which says which. */
    record Fact(int what, Checkpoint row) {

        void show(PartitionKey partition, RowVisitor visitor) {
            switch (what) {
                case EPOCH -> visitor.epoch(partition, row.nextOffset());
                case CHECKPOINT -> visitor.checkpoint(partition, row);
                default -> visitor.applied(partition, row.nextOffset());
            }
        }
    }

    static Fact decodeFact(byte[] key, byte[] value) throws CorruptRowException {
        Checkpoint row = decode(key, value);
        RowReader reader = RowReader.ofKey(key);
        reader.skip(2 * Integer.BYTES);
        return new Fact(reader.getByte(), row);
    }

    /** The partition whose epoch the row holds; empty of the other rows. */
    static Optional<PartitionKey> ownedPartition(byte[] key, byte[] value) throws CorruptRowException {
        Checkpoint unused = decode(key, value);
        RowReader reader = RowReader.ofKey(key);
        PartitionKey partition = reader.getPartition();
        return reader.getByte() == EPOCH ? Optional.of(partition) : Optional.empty();
    }
}
