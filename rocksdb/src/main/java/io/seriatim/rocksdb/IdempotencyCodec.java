package io.seriatim.rocksdb;

import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.WriterMark;
import java.time.Instant;

/** Idempotency rows as bytes. */
final class IdempotencyCodec {

    /*
     * key      offset  size
     *          0       8     sequence id
     *          8       2+a   caller: length in bytes, UTF-8
     *          10+a    2+b   key of the caller: length in bytes, UTF-8
     *
     * value    offset  size
     *          0       2     version and kind, see RowFormat
     *          2       12    expires: seconds since 1970 (8), nanoseconds (4)
     *          14      16    mark: writer (8), write (8)
     *          30      4+c   answer: length in bytes, UTF-8
     *          34+c    4     checksum
     */

    private IdempotencyCodec() {}

    static byte[] key(IdempotencyKey key) {
        return new RowWriter()
                .putLong(key.sequenceId())
                .putShortText("caller", key.caller())
                .putShortText("key", key.key())
                .toKey();
    }

    static byte[] value(byte[] key, IdempotencyRow row) {
        return new RowWriter()
                .putByte(RowFormat.VERSION)
                .putByte(RowFormat.IDEMPOTENCY)
                .putInstant(row.expires())
                .putMark(row.mark())
                .putText("answer", row.answer())
                .toValue(key);
    }

    static IdempotencyRow decode(byte[] key, byte[] value) throws CorruptRowException {
        RowReader reader = RowReader.ofValue(key, value, RowFormat.IDEMPOTENCY);
        Instant expires = reader.getInstant();
        WriterMark mark = reader.getMark();
        String answer = reader.getText();
        reader.end();
        RowReader keyReader = RowReader.ofKey(key);
        IdempotencyKey request =
                new IdempotencyKey(keyReader.getLong(), keyReader.getShortText(), keyReader.getShortText());
        keyReader.end();
        return new IdempotencyRow(request, answer, expires, mark);
    }
}
