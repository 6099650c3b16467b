package io.seriatim.rocksdb;

import io.seriatim.store.ApplicationRow;
import io.seriatim.store.WriterMark;

/** Applications as bytes. */
final class ApplicationCodec {

    /*
     * key      offset  size
     *          0       4     id: big-endian, so the order of keys is the order of ids
     *
     * value    offset  size
     *          0       2     version and kind, see RowFormat
     *          2       8     revision, from 1
     *          10      16    mark: writer (8), write (8)
     *          26      4+a   name: length in bytes, UTF-8
     *          30+a    4+b   body: length, bytes
     *          34+a+b  4     checksum
     */

    private ApplicationCodec() {}

    static byte[] key(int id) {
        return new RowWriter().putInt(id).toKey();
    }

    static byte[] value(byte[] key, ApplicationRow row) {
        return new RowWriter()
                .putByte(RowFormat.VERSION)
                .putByte(RowFormat.APPLICATION)
                .putLong(row.revision())
                .putMark(row.mark())
                .putText("name", row.name())
                .putBytes(row.body())
                .toValue(key);
    }

    static ApplicationRow decode(byte[] key, byte[] value) throws CorruptRowException {
        RowReader keyReader = RowReader.ofKey(key);
        int id = keyReader.getInt();
        keyReader.end();
        RowReader reader = RowReader.ofValue(key, value, RowFormat.APPLICATION);
        long revision = reader.getLong();
        WriterMark mark = reader.getMark();
        String name = reader.getText();
        byte[] body = reader.getBytes();
        reader.end();
        try {
            return new ApplicationRow(id, name, revision, mark, body);
        } catch (IllegalArgumentException e) {
            throw new CorruptRowException("no such row is possible: " + e.getMessage(), e);
        }
    }
}
