package io.seriatim.rocksdb;

import io.seriatim.store.HeaderVisitor;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.rocksdb.RocksIterator;

/** Shows the headers of rows one after another out of one buffer, without an object for each. Used by one thread. */
final class HeaderReplay {

    /*
     * The picture is HeadersCodec's. What RowReader does for one row with new objects is done here with the same ones
     * for all: a replay of a million events makes as many objects as one of ten.
     */

    private final long from;
    private final int limit;
    private final HeaderVisitor visitor;
    private final CRC32C crc = new CRC32C();
    private ByteBuffer value = ByteBuffer.allocate(80 << 10);
    private int[] sequences = new int[16];
    private long[] values = new long[16];
    private int shown;

    HeaderReplay(long from, int limit, HeaderVisitor visitor) {
        this.from = from;
        this.limit = limit;
        this.visitor = visitor;
    }

    int shown() {
        return shown;
    }

    boolean isFull() {
        return shown == limit;
    }

    /** Shows what is wanted of the row under the iterator. */
    void show(byte[] key, RocksIterator rows) throws CorruptRowException {
        int end = read(key, rows);
        int count = value.getInt(RowFormat.PREFIX_BYTES);
        int at = HeadersCodec.FIRST_ENTRY;
        long last = ByteBuffer.wrap(key).getLong(key.length - Long.BYTES) - 1;
        for (int i = 0; i < count; i++) {
            int left = end - at - HeadersCodec.ENTRY_BYTES;
            int numbers = left < 0 ? -1 : value.getInt(at + HeadersCodec.ENTRY_BYTES - Integer.BYTES);
            if (numbers < 0 || (long) numbers * HeadersCodec.NUMBER_BYTES > left) {
                throw new CorruptRowException("it ends too early: event " + (i + 1) + " of " + count);
            }
            long offset = value.getLong(at);
            if (i == 0 ? offset != last + 1 : offset <= last) {
                throw new CorruptRowException("offset " + offset + " stands behind " + last);
            }
            last = offset;
            if (offset >= from) {
                if (isFull()) {
                    return;
                }
                show(at, offset, numbers);
                shown++;
            }
            at += HeadersCodec.ENTRY_BYTES + numbers * HeadersCodec.NUMBER_BYTES;
        }
        if (at != end) {
            throw new CorruptRowException("it goes on for " + (end - at) + " bytes behind its end");
        }
    }

    private void show(int at, long offset, int numbers) {
        if (sequences.length < numbers) {
            sequences = new int[numbers];
            values = new long[numbers];
        }
        int number = at + HeadersCodec.ENTRY_BYTES;
        for (int i = 0; i < numbers; i++) {
            sequences[i] = value.getInt(number);
            values[i] = value.getLong(number + Integer.BYTES);
            number += HeadersCodec.NUMBER_BYTES;
        }
        visitor.header(
                offset,
                value.getLong(at + 8),
                value.getLong(at + 16),
                value.getInt(at + 24),
                value.getLong(at + 28),
                value.getLong(at + 36),
                numbers,
                sequences,
                values);
    }

    /** Reads and checks the value, and returns where its body ends. */
    private int read(byte[] key, RocksIterator rows) throws CorruptRowException {
        int length = rows.value(value.array());
        if (length > value.capacity()) {
            value = ByteBuffer.allocate(length);
            length = rows.value(value.array());
        }
        int end = length - RowFormat.CHECKSUM_BYTES;
        if (end < HeadersCodec.FIRST_ENTRY) {
            throw new CorruptRowException("it has only " + length + " bytes");
        }
        crc.reset();
        crc.update(key);
        crc.update(value.array(), 0, end);
        if (value.getInt(end) != (int) crc.getValue()) {
            throw new CorruptRowException("its checksum is wrong");
        }
        RowReader.requireKind(value.get(0), value.get(1), RowFormat.HEADERS);
        return end;
    }
}
