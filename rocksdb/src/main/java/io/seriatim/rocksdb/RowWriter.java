package io.seriatim.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.store.PartitionKey;
import io.seriatim.store.WriterMark;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Writes keys and values: big-endian, lengths before texts. Used by one thread, for one key or value. */
final class RowWriter {

    private ByteBuffer bytes = ByteBuffer.allocate(128);

    RowWriter putByte(int value) {
        room(Byte.BYTES).put((byte) value);
        return this;
    }

    RowWriter putInt(int value) {
        room(Integer.BYTES).putInt(value);
        return this;
    }

    RowWriter putLong(long value) {
        room(Long.BYTES).putLong(value);
        return this;
    }

    RowWriter putInstant(Instant value) {
        return putLong(value.getEpochSecond()).putInt(value.getNano());
    }

    RowWriter putPartition(PartitionKey key) {
        return putInt(key.application()).putInt(key.partition());
    }

    /** Bytes behind their length. */
    RowWriter putBytes(byte[] raw) {
        return putInt(raw.length).putRaw(raw);
    }

    RowWriter putMark(WriterMark mark) {
        return putLong(mark.writer()).putLong(mark.write());
    }

    /** A text of a key: its length in two bytes, then UTF-8. */
    RowWriter putShortText(String what, String text) {
        byte[] utf8 = textOfKey(what, text);
        room(Short.BYTES).putShort((short) utf8.length);
        return putRaw(utf8);
    }

    /** A text with which a key ends: UTF-8 alone. */
    RowWriter putRest(String what, String text) {
        return putRaw(textOfKey(what, text));
    }

    private static byte[] textOfKey(String what, String text) {
        byte[] utf8 = text.getBytes(UTF_8);
        if (utf8.length > RowFormat.MAX_KEY_TEXT_BYTES) {
            throw new IllegalArgumentException("a text of a key must not be longer than " + RowFormat.MAX_KEY_TEXT_BYTES
                    + " bytes: " + what + " has " + utf8.length);
        }
        return utf8;
    }

    /** A text of a value: its length in four bytes, then UTF-8. */
    RowWriter putText(String what, String text) {
        byte[] utf8 = text.getBytes(UTF_8);
        if (utf8.length > RowFormat.MAX_TEXT_BYTES) {
            throw new IllegalArgumentException("a text of a row must not be longer than " + RowFormat.MAX_TEXT_BYTES
                    + " bytes: " + what + " has " + utf8.length);
        }
        return putInt(utf8.length).putRaw(utf8);
    }

    RowWriter putRaw(byte[] raw) {
        room(raw.length).put(raw);
        return this;
    }

    byte[] toKey() {
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    /** Closes a value with the checksum of its key and of everything written so far. */
    byte[] toValue(byte[] key) {
        CRC32C crc = new CRC32C();
        crc.update(key);
        crc.update(bytes.array(), 0, bytes.position());
        return putInt((int) crc.getValue()).toKey();
    }

    private ByteBuffer room(int count) {
        if (bytes.remaining() < count) {
            int capacity = Math.max(Math.addExact(bytes.position(), count), Math.multiplyExact(2, bytes.capacity()));
            bytes = ByteBuffer.allocate(capacity).put(bytes.flip());
        }
        return bytes;
    }
}
