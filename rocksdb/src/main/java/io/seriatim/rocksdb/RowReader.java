package io.seriatim.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.store.PartitionKey;
import io.seriatim.store.WriterMark;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.zip.CRC32C;

/** Reads what {@link RowWriter} wrote and believes nothing of it. Used by one thread, for one key or value. */
final class RowReader {

    private final ByteBuffer bytes;

    private RowReader(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    static RowReader ofKey(byte[] key) {
        return new RowReader(ByteBuffer.wrap(key));
    }

    /** Checks the checksum, the version and the kind of a value and stands behind them. */
    static RowReader ofValue(byte[] key, byte[] value, int kind) throws CorruptRowException {
        int end = value.length - RowFormat.CHECKSUM_BYTES;
        if (end < RowFormat.PREFIX_BYTES) {
            throw new CorruptRowException("it has only " + value.length + " bytes");
        }
        CRC32C crc = new CRC32C();
        crc.update(key);
        crc.update(value, 0, end);
        if (ByteBuffer.wrap(value).getInt(end) != (int) crc.getValue()) {
            throw new CorruptRowException("its checksum is wrong");
        }
        RowReader reader = new RowReader(ByteBuffer.wrap(value, 0, end));
        requireKind(reader.getByte(), reader.getByte(), kind);
        return reader;
    }

    static void requireKind(int version, int found, int kind) throws CorruptRowException {
        if (version != RowFormat.VERSION) {
            throw new CorruptRowException(
                    "it has format version " + version + ", this program knows version " + RowFormat.VERSION);
        }
        if (found != kind) {
            throw new CorruptRowException("it is of kind " + found + " where kind " + kind + " belongs");
        }
    }

    int getByte() throws CorruptRowException {
        return Byte.toUnsignedInt(need(Byte.BYTES).get());
    }

    boolean getFlag() throws CorruptRowException {
        int flag = getByte();
        if (flag > 1) {
            throw new CorruptRowException("a flag is neither 0 nor 1: " + flag);
        }
        return flag == 1;
    }

    int getInt() throws CorruptRowException {
        return need(Integer.BYTES).getInt();
    }

    long getLong() throws CorruptRowException {
        return need(Long.BYTES).getLong();
    }

    Instant getInstant() throws CorruptRowException {
        long second = getLong();
        int nano = getInt();
        if (nano < 0 || nano >= 1_000_000_000) {
            throw new CorruptRowException("a time has " + nano + " nanoseconds");
        }
        try {
            return Instant.ofEpochSecond(second, nano);
        } catch (DateTimeException e) {
            throw new CorruptRowException("a time is out of range: second " + second, e);
        }
    }

    WriterMark getMark() throws CorruptRowException {
        return new WriterMark(getLong(), getLong());
    }

    String getShortText() throws CorruptRowException {
        return decode(Short.toUnsignedInt(need(Short.BYTES).getShort()));
    }

    String getText() throws CorruptRowException {
        int length = getInt();
        if (length < 0 || length > RowFormat.MAX_TEXT_BYTES) {
            throw new CorruptRowException("a text has the length " + length);
        }
        return decode(length);
    }

    /** How many things follow that have at least so many bytes each. */
    int getCount(int bytesOfOne) throws CorruptRowException {
        int count = getInt();
        if (count < 0 || (long) count * bytesOfOne > bytes.remaining()) {
            throw new CorruptRowException("it cannot hold a count of " + count);
        }
        return count;
    }

    void skip(int count) throws CorruptRowException {
        bytes.position(need(count).position() + count);
    }

    /** Bytes behind their length. */
    byte[] getBytes() throws CorruptRowException {
        int length = getInt();
        if (length < 0) {
            throw new CorruptRowException("bytes have the length " + length);
        }
        need(length);
        byte[] raw = new byte[length];
        bytes.get(raw);
        return raw;
    }

    /** A partition, from a key. */
    PartitionKey getPartition() throws CorruptRowException {
        int application = getInt();
        int partition = getInt();
        if (application < 1 || partition < 0) {
            throw new CorruptRowException("no such partition is possible: " + application + ", " + partition);
        }
        return new PartitionKey(application, partition);
    }

    /** All the rest as one text. */
    String getRest() throws CorruptRowException {
        return decode(bytes.remaining());
    }

    boolean isAtEnd() {
        return !bytes.hasRemaining();
    }

    void end() throws CorruptRowException {
        if (bytes.hasRemaining()) {
            throw new CorruptRowException("it goes on for " + bytes.remaining() + " bytes behind its end");
        }
    }

    private String decode(int length) throws CorruptRowException {
        ByteBuffer text = need(length).slice(bytes.position(), length);
        bytes.position(bytes.position() + length);
        try {
            return UTF_8.newDecoder().decode(text).toString(); // a new decoder reports what it cannot read
        } catch (CharacterCodingException e) {
            throw new CorruptRowException("a text is not UTF-8", e);
        }
    }

    private ByteBuffer need(int count) throws CorruptRowException {
        if (bytes.remaining() < count) {
            throw new CorruptRowException("it ends too early: " + count + " bytes wanted at " + bytes.position());
        }
        return bytes;
    }
}
