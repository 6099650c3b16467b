package io.seriatim.rocksdb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The one row that says whose files these are. */
final class HeaderCodec {

    /*
     * key      "seriatim"
     * value    offset  size
     *          0       2     version and kind, see RowFormat
     *          2       16    store id: a random UUID, drawn when the store was created
     *          18      8     incarnation, from 1
     *          26      16    incarnation id: a random UUID
     *          42      1     state: 0 serving, 1 restored, 2 moved
     *          43      8     when the copy was made: seconds since 1970; -2^63 where that is not known
     *          51      4     checksum
     *
     * Of a store that serves in its first incarnation the row ends behind the store id, as it did before there were
     * others. A program that knows nothing of the rest takes a longer one for damage, and does not serve it.
     */

    private static final byte[] KEY = "seriatim".getBytes(US_ASCII);
    private static final long UNKNOWN = Long.MIN_VALUE;

    private HeaderCodec() {}

    static byte[] key() {
        return KEY.clone();
    }

    static byte[] value(StoreHeader header) {
        RowWriter writer = new RowWriter().putByte(RowFormat.VERSION).putByte(RowFormat.HEADER);
        putUuid(writer, header.storeId());
        if (!header.equals(StoreHeader.first(header.storeId()))) {
            writer.putLong(header.incarnation());
            putUuid(writer, header.incarnationId());
            writer.putByte(header.state().code())
                    .putLong(header.copied().map(Instant::getEpochSecond).orElse(UNKNOWN));
        }
        return writer.toValue(KEY);
    }

    private static void putUuid(RowWriter writer, UUID id) {
        writer.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    }

    static StoreHeader decode(byte[] value) throws CorruptRowException {
        RowReader reader = RowReader.ofValue(KEY, value, RowFormat.HEADER);
        UUID storeId = uuid(reader);
        if (reader.isAtEnd()) {
            return StoreHeader.first(storeId);
        }
        long incarnation = reader.getLong();
        UUID incarnationId = uuid(reader);
        int code = reader.getByte();
        long copied = reader.getLong();
        reader.end();
        Optional<StoreHeader.State> state = StoreHeader.State.of(code);
        if (incarnation < 1 || state.isEmpty()) {
            throw new CorruptRowException("no such row is possible: incarnation=" + incarnation + " state=" + code);
        }
        try {
            Optional<Instant> at = copied == UNKNOWN ? Optional.empty() : Optional.of(Instant.ofEpochSecond(copied));
            return new StoreHeader(storeId, incarnation, incarnationId, state.get(), at);
        } catch (DateTimeException e) {
            throw new CorruptRowException("a time is out of range: second " + copied, e);
        }
    }

    private static UUID uuid(RowReader reader) throws CorruptRowException {
        return new UUID(reader.getLong(), reader.getLong());
    }
}
