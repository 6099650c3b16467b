package io.seriatim.rocksdb;

import io.seriatim.store.CounterKey;
import io.seriatim.store.LedgerRow;

/** Ledger rows as bytes. */
final class LedgerCodec {

    /*
     * key      offset  size
     *          0       k     the key of the counter, see CounterCodec: a counter's ledger stands together
     *          k       8     index, from 1: big-endian, so the order of keys is the order of entries
     *
     * value    offset  size
     *          0       2     version and kind, see RowFormat
     *          2       4+a   entry: length in bytes, UTF-8
     *          6+a     4     checksum
     */

    private LedgerCodec() {}

    static byte[] key(CounterKey counter, long index) {
        return CounterCodec.writeKey(counter).putLong(index).toKey();
    }

    static byte[] key(LedgerRow row) {
        return key(row.counter(), row.index());
    }

    static byte[] value(byte[] key, LedgerRow row) {
        return new RowWriter()
                .putByte(RowFormat.VERSION)
                .putByte(RowFormat.LEDGER)
                .putText("entry", row.entry())
                .toValue(key);
    }

    static LedgerRow decode(byte[] key, byte[] value) throws CorruptRowException {
        RowReader reader = RowReader.ofValue(key, value, RowFormat.LEDGER);
        String entry = reader.getText();
        reader.end();
        RowReader keyReader = RowReader.ofKey(key);
        CounterKey counter = CounterCodec.readKey(keyReader);
        long index = keyReader.getLong();
        keyReader.end();
        try {
            return new LedgerRow(counter, index, entry);
        } catch (IllegalArgumentException e) {
            throw new CorruptRowException("no such row is possible: " + e.getMessage(), e);
        }
    }
}
