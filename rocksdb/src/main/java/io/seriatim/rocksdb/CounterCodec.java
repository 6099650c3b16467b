package io.seriatim.rocksdb;

import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.WriterMark;

/** Counter rows as bytes. */
final class CounterCodec {

    /*
     * key      offset  size
     *          0       8     sequence id
     *          8       2+a   scope: length in bytes, UTF-8
     *          10+a    2+b   period: length in bytes, UTF-8
     *
     * value    offset  size
     *          0       2     version and kind, see RowFormat
     *          2       8     generation, from 1
     *          10      8     round, from 0
     *          18      8     high-water mark
     *          26      1     fresh: 0 or 1
     *          27      8     revision, from 1
     *          35      16    mark: writer (8), write (8)
     *          51      4+c   open blocks: length in bytes, UTF-8
     *          55+c    4+d   account: length in bytes, UTF-8
     *          59+c+d  4     checksum
     */

    private CounterCodec() {}

    static byte[] key(CounterKey key) {
        return writeKey(key).toKey();
    }

    static RowWriter writeKey(CounterKey key) {
        return new RowWriter()
                .putLong(key.sequenceId())
                .putShortText("scope", key.scope())
                .putShortText("period", key.period());
    }

    static CounterKey readKey(RowReader reader) throws CorruptRowException {
        return new CounterKey(reader.getLong(), reader.getShortText(), reader.getShortText());
    }

    static byte[] value(byte[] key, CounterRow row) {
        return new RowWriter()
                .putByte(RowFormat.VERSION)
                .putByte(RowFormat.COUNTER)
                .putLong(row.generation())
                .putLong(row.round())
                .putLong(row.highWaterMark())
                .putByte(row.fresh() ? 1 : 0)
                .putLong(row.revision())
                .putMark(row.mark())
                .putText("openBlocks", row.openBlocks())
                .putText("account", row.account())
                .toValue(key);
    }

    static CounterRow decode(byte[] key, byte[] value) throws CorruptRowException {
        RowReader reader = RowReader.ofValue(key, value, RowFormat.COUNTER);
        long generation = reader.getLong();
        long round = reader.getLong();
        long highWaterMark = reader.getLong();
        boolean fresh = reader.getFlag();
        long revision = reader.getLong();
        WriterMark mark = reader.getMark();
        String openBlocks = reader.getText();
        String account = reader.getText();
        reader.end();
        RowReader keyReader = RowReader.ofKey(key);
        CounterKey counter = readKey(keyReader);
        keyReader.end();
        if (revision < 1) {
            throw new CorruptRowException("no such row is possible: revision=" + revision);
        }
        try {
            return new CounterRow(
                    counter, generation, round, highWaterMark, fresh, revision, mark, openBlocks, account);
        } catch (IllegalArgumentException e) {
            throw new CorruptRowException("no such row is possible: " + e.getMessage(), e);
        }
    }
}
