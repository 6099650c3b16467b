package io.seriatim.rocksdb;

import io.seriatim.rocksdb.EncodedChange.Row;
import io.seriatim.store.EventHeader;
import io.seriatim.store.LogEvent;
import io.seriatim.store.PartitionKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Headers of events as bytes: those of one append lie together in one row, so that a replay reads few rows. */
final class HeadersCodec {

    /*
     * key      offset  size
     *          0       4     application
     *          4       4     partition
     *          8       8     PLog offset of the first event
     *
     * value    offset  size
     *          0       2     version and kind, see RowFormat
     *          2       4     count of events, from 1
     *          6       .     for each, in rising order of offset:
     *            0       8     PLog offset
     *            8       8     epoch
     *            16      8     workspace
     *            24      4     kind of the workspace
     *            28      16    mark: writer (8), write (8)
     *            44      4     count of numbers, n
     *            48      12n   for each: sequence id (4), greatest value (8)
     *          .       4     checksum
     *
     * The events of two rows never stand between one another: all offsets of a row lie below the first one of the
     * next. So the row that holds an offset is the last one that begins at or before it. A row ends where it would
     * grow beyond ROW_BYTES; one event alone may be longer.
     */

    static final int ENTRY_BYTES = 48;
    static final int NUMBER_BYTES = 12;
    static final int FIRST_ENTRY = RowFormat.PREFIX_BYTES + Integer.BYTES;

    private static final int ROW_BYTES = 64 << 10;

    private HeadersCodec() {}

    /** One event's part of a row. */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody, changed by nobody
    record Entry(long offset, byte[] bytes) {}

    static byte[] key(PartitionKey partition, long firstOffset) {
        return EventCodec.key(partition, firstOffset);
    }

    static Entry entry(LogEvent event) {
        EventHeader header = event.header();
        RowWriter writer = new RowWriter()
                .putLong(event.offset())
                .putLong(event.epoch())
                .putLong(header.workspace())
                .putInt(header.kind())
                .putMark(header.mark())
                .putInt(header.sequences().length);
        for (int i = 0; i < header.sequences().length; i++) {
            writer.putInt(header.sequences()[i]).putLong(header.values()[i]);
        }
        return new Entry(event.offset(), writer.toKey());
    }

    /** The rows of entries in rising order. */
    static List<Row> rows(PartitionKey partition, Collection<Entry> entries) {
        List<Row> rows = new ArrayList<>();
        List<Entry> together = new ArrayList<>();
        int length = 0;
        for (Entry entry : entries) {
            if (!together.isEmpty() && length + entry.bytes().length > ROW_BYTES) {
                rows.add(row(partition, together));
                together.clear();
                length = 0;
            }
            together.add(entry);
            length += entry.bytes().length;
        }
        rows.add(row(partition, together));
        return rows;
    }

    private static Row row(PartitionKey partition, List<Entry> entries) {
        byte[] key = key(partition, entries.get(0).offset());
        RowWriter writer = new RowWriter()
                .putByte(RowFormat.VERSION)
                .putByte(RowFormat.HEADERS)
                .putInt(entries.size());
        entries.forEach(entry -> writer.putRaw(entry.bytes()));
        return new Row(Database.Family.HEADERS, key, writer.toValue(key));
    }

    /** The entries of a row; at least one. */
    static List<Entry> decode(byte[] key, byte[] value) throws CorruptRowException {
        RowReader keyReader = RowReader.ofKey(key);
        PartitionKey unused = keyReader.getPartition(); // the reader of the row asked for it
        long last = keyReader.getLong() - 1;
        keyReader.end();
        RowReader reader = RowReader.ofValue(key, value, RowFormat.HEADERS);
        int count = reader.getCount(ENTRY_BYTES);
        List<Entry> entries = new ArrayList<>(count);
        int at = FIRST_ENTRY;
        for (int i = 0; i < count; i++) {
            long offset = reader.getLong();
            if (i == 0 ? offset != last + 1 : offset <= last) {
                throw new CorruptRowException("offset " + offset + " stands behind " + last);
            }
            last = offset;
            reader.skip(ENTRY_BYTES - Long.BYTES - Integer.BYTES);
            int numbers = reader.getCount(NUMBER_BYTES);
            reader.skip(numbers * NUMBER_BYTES);
            int end = at + ENTRY_BYTES + numbers * NUMBER_BYTES;
            entries.add(new Entry(offset, Arrays.copyOfRange(value, at, end)));
            at = end;
        }
        reader.end();
        if (entries.isEmpty()) {
            throw new CorruptRowException("it has no events");
        }
        return entries;
    }
}
