package io.seriatim.rocksdb;

/** That a transactional sequence is there, or was, as bytes. */
final class SequenceCodec {

    /*
     * key      offset  size
     *          0       8     id, from 1: big-endian, so the order of keys is the order of ids
     *
     * value    offset  size
     *          0       2     version and kind, see RowFormat
     *          2       1     deleted
     *          3       4+a   name: length in bytes, UTF-8; empty for none
     *          7+a     4     checksum
     */

    /**
     * @param id from 1
     * @param name the key of its row in the catalogue; empty for none
     */
    record Row(long id, boolean deleted, String name) {}

    private SequenceCodec() {}

    static byte[] key(long id) {
        return new RowWriter().putLong(id).toKey();
    }

    static byte[] value(byte[] key, Row row) {
        return new RowWriter()
                .putByte(RowFormat.VERSION)
                .putByte(RowFormat.SEQUENCE)
                .putByte(row.deleted() ? 1 : 0)
                .putText("name", row.name())
                .toValue(key);
    }

    static Row decode(byte[] key, byte[] value) throws CorruptRowException {
        RowReader keyReader = RowReader.ofKey(key);
        long id = keyReader.getLong();
        keyReader.end();
        RowReader reader = RowReader.ofValue(key, value, RowFormat.SEQUENCE);
        Row row = new Row(id, reader.getFlag(), reader.getText());
        reader.end();
        if (id < 1) {
            throw new CorruptRowException("no such row is possible: id=" + id);
        }
        return row;
    }
}
