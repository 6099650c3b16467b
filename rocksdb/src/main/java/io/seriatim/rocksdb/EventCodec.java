package io.seriatim.rocksdb;

import io.seriatim.store.EventHeader;
import io.seriatim.store.LogEvent;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.WriterMark;

/** Events as bytes: the header in front of the body, under one checksum. */
final class EventCodec {

    /*
     * key      offset  size
     *          0       4     application
     *          4       4     partition
     *          8       8     PLog offset: big-endian, so the order of keys is the order of events
     *
     * value    offset  size
     *          0       2     version and kind, see RowFormat
     *          2       8     epoch, from 1
     *          10      8     workspace
     *          18      4     kind of the workspace, from 1
     *          22      16    mark: writer (8), write (8)
     *          38      4+a   idempotency key: length in bytes, UTF-8
     *          42+a    4     count of numbers, n
     *          46+a    12n   for each, in rising order: sequence id (4), greatest value (8)
     *          .       4+b   body: length, bytes
     *          .       4     checksum
     */

    private EventCodec() {}

    static byte[] key(PartitionKey partition, long offset) {
        return new RowWriter().putPartition(partition).putLong(offset).toKey();
    }

    static byte[] value(byte[] key, LogEvent event) {
        EventHeader header = event.header();
        RowWriter writer = new RowWriter()
                .putByte(RowFormat.VERSION)
                .putByte(RowFormat.EVENT)
                .putLong(event.epoch())
                .putLong(header.workspace())
                .putInt(header.kind())
                .putMark(header.mark())
                .putText("idempotency key", header.key())
                .putInt(header.sequences().length);
        for (int i = 0; i < header.sequences().length; i++) {
            writer.putInt(header.sequences()[i]).putLong(header.values()[i]);
        }
        return writer.putBytes(event.body()).toValue(key);
    }

    static LogEvent decode(byte[] key, byte[] value) throws CorruptRowException {
        RowReader keyReader = RowReader.ofKey(key);
        PartitionKey unused = keyReader.getPartition(); // the reader of the row asked for it
        long offset = keyReader.getLong();
        keyReader.end();
        RowReader reader = RowReader.ofValue(key, value, RowFormat.EVENT);
        long epoch = reader.getLong();
        long workspace = reader.getLong();
        int kind = reader.getInt();
        WriterMark mark = reader.getMark();
        String idempotencyKey = reader.getText();
        int count = reader.getCount(HeadersCodec.NUMBER_BYTES);
        int[] sequences = new int[count];
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            sequences[i] = reader.getInt();
            values[i] = reader.getLong();
        }
        byte[] body = reader.getBytes();
        reader.end();
        try {
            EventHeader header = new EventHeader(workspace, kind, mark, idempotencyKey, sequences, values);
            return new LogEvent(offset, epoch, header, body);
        } catch (IllegalArgumentException e) {
            throw new CorruptRowException("no such row is possible: " + e.getMessage(), e);
        }
    }
}
