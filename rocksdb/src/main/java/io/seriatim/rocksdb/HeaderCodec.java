package io.seriatim.rocksdb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.UUID;

/** The one row that says whose files these are. */
final class HeaderCodec {

    /*
     * key      "seriatim"
     * value    offset  size
     *          0       2     version and kind, see RowFormat
     *          2       16    store id: a random UUID, drawn when the store was created
     *          18      4     checksum
     */

    private static final byte[] KEY = "seriatim".getBytes(US_ASCII);

    private HeaderCodec() {}

    static byte[] key() {
        return KEY.clone();
    }

    static byte[] value(UUID storeId) {
        return new RowWriter()
                .putByte(RowFormat.VERSION)
                .putByte(RowFormat.HEADER)
                .putLong(storeId.getMostSignificantBits())
                .putLong(storeId.getLeastSignificantBits())
                .toValue(KEY);
    }

    static UUID decode(byte[] value) throws CorruptRowException {
        RowReader reader = RowReader.ofValue(KEY, value, RowFormat.HEADER);
        UUID storeId = new UUID(reader.getLong(), reader.getLong());
        reader.end();
        return storeId;
    }
}
