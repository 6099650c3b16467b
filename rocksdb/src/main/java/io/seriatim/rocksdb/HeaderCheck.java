package io.seriatim.rocksdb;

import io.seriatim.rocksdb.Database.Family;
import io.seriatim.store.LogEvent;
import io.seriatim.store.RowVisitor;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Compares the headers that replays read with the events that they are of. Used by one thread. */
final class HeaderCheck {

    /*
     * Both families are in the order of partition and offset, so one walk along both finds what is missing on either
     * side. Rows that cannot be read were told before: an event of that kind is passed over with its header; the
     * events of a row of headers of that kind are told to have none.
     */

    /** An event's header, under the key that its event has. */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody, changed by nobody
    private record Header(byte[] key, byte[] bytes) {}

    private final RocksIterator rows;
    private final RowVisitor visitor;
    private final Queue<Header> headers = new ArrayDeque<>();

    private HeaderCheck(RocksIterator rows, RowVisitor visitor) {
        this.rows = rows;
        this.visitor = visitor;
    }

    static void check(Database database, RowVisitor visitor) throws RocksDBException {
        try (RocksIterator events = database.rowsThroughout(Family.EVENTS);
                RocksIterator rows = database.rowsThroughout(Family.HEADERS)) {
            rows.seekToFirst();
            HeaderCheck check = new HeaderCheck(rows, visitor);
            for (events.seekToFirst(); events.isValid(); events.next()) {
                check.event(events.key(), events.value());
            }
            events.status();
            while (check.hasHeader()) {
                check.tellLonelyHeader();
            }
        }
    }

    private void event(byte[] key, byte[] value) throws RocksDBException {
        while (hasHeader() && Arrays.compareUnsigned(headers.element().key(), key) < 0) {
            tellLonelyHeader();
        }
        boolean found = hasHeader() && Arrays.equals(headers.element().key(), key);
        LogEvent event;
        try {
            event = EventCodec.decode(key, value);
        } catch (CorruptRowException e) {
            if (found) {
                headers.remove();
            }
            return; // told when the family was visited
        }
        if (!found) {
            visitor.damaged(Storage.nameOf(Family.EVENTS, key), "its header is not among those for replays");
        } else if (!Arrays.equals(
                headers.remove().bytes(), HeadersCodec.entry(event).bytes())) {
            visitor.damaged(Storage.nameOf(Family.EVENTS, key), "its header is another than the one for replays");
        }
    }

    private void tellLonelyHeader() {
        visitor.damaged(
                Storage.nameOf(Family.HEADERS, headers.remove().key()), "a header of an event that is not there");
    }

    private boolean hasHeader() throws RocksDBException {
        while (headers.isEmpty() && rows.isValid()) {
            byte[] key = rows.key();
            try {
                for (HeadersCodec.Entry entry : HeadersCodec.decode(key, rows.value())) {
                    byte[] ofEvent = key.clone();
                    ByteBuffer.wrap(ofEvent).putLong(key.length - Long.BYTES, entry.offset());
                    headers.add(new Header(ofEvent, entry.bytes()));
                }
            } catch (CorruptRowException e) {
                headers.clear(); // told when the family was visited
            }
            rows.next();
        }
        if (headers.isEmpty()) {
            rows.status(); // throws where the rows have not ended but broken off
        }
        return !headers.isEmpty();
    }
}
