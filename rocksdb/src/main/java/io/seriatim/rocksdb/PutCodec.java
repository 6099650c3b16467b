package io.seriatim.rocksdb;

import io.seriatim.store.VersionedValue;
import io.seriatim.store.WriterMark;

/** What transactions have put to their sequences, as bytes. */
final class PutCodec {

    /*
     * key      offset  size
     *          0       8     id of the sequence
     *          8       8     version, from 1: big-endian, so the last key of an id is its newest
     *          16      16    mark of the transaction: writer (8), write (8)
     *
     * value    offset  size
     *          0       2     version and kind, see RowFormat
     *          2       8     value
     *          10      4     checksum
     */

    record Row(long id, VersionedValue pair, WriterMark mark) {}

    private PutCodec() {}

    static byte[] key(long id, long version, WriterMark mark) {
        return new RowWriter().putLong(id).putLong(version).putMark(mark).toKey();
    }

    /** What the keys of an id begin with. */
    static byte[] prefix(long id) {
        return new RowWriter().putLong(id).toKey();
    }

    /** A key behind all of an id. */
    static byte[] end(long id) {
        return key(id, -1, new WriterMark(-1, -1)); // the greatest bytes
    }

    static byte[] value(byte[] key, long value) {
        return new RowWriter()
                .putByte(RowFormat.VERSION)
                .putByte(RowFormat.PUT)
                .putLong(value)
                .toValue(key);
    }

    static Row decode(byte[] key, byte[] value) throws CorruptRowException {
        RowReader keyReader = RowReader.ofKey(key);
        long id = keyReader.getLong();
        long version = keyReader.getLong();
        WriterMark mark = keyReader.getMark();
        keyReader.end();
        RowReader reader = RowReader.ofValue(key, value, RowFormat.PUT);
        long put = reader.getLong();
        reader.end();
        if (version < 1) {
            throw new CorruptRowException("no such row is possible: version=" + version);
        }
        return new Row(id, new VersionedValue(version, put), mark);
    }
}
