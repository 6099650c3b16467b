package io.seriatim.rocksdb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads RocksDB's logs before RocksDB does, and says no where it would drop acknowledged writes in silence. */
final class LogCheck {

    /*
     * RocksDB takes whatever it cannot read near the end of a log for a write that was cut short. Tried with
     * 11.8.1 and WALRecoveryMode.TolerateCorruptedTailRecords: one flipped bit in the length of any record of
     * the last 32 KiB drops that record and all behind it, one in the type of the first record drops the whole
     * file, and a deleted log is not missed at all; the open succeeds each time. One in the type of a later
     * record makes the open spin for ever. So this class reads the logs first and lets pass only what a crash
     * can have left.
     *
     * A log, and the file MANIFEST is one too, is a row of blocks of 32 KiB, and a block a row of records. A
     * record never crosses a block; a longer write is cut into FIRST, MIDDLE.., LAST. Fewer than 7 bytes at the
     * end of a block are padding. Numbers are little-endian.
     *
     *     offset  size
     *     0       4     CRC32C of type and payload, rotated right by 15 bits, plus 0xa282ead8
     *     4       2     length of the payload
     *     6       1     type: 1 FULL, 2 FIRST, 3 MIDDLE, 4 LAST (others belong to settings that we leave off)
     *     7       n     payload
     *
     * A write of a log begins with its position (8), RocksDB's count of all rows ever written, and the number of
     * its rows (4). Positions go up by the number of rows, through a file and from each file to the next. A
     * write of the MANIFEST is a row of tagged fields, one of which is the last position at the time of a
     * flush: no log may be missing before it or behind it. (That none is missing or shorter among the full ones
     * RocksDB checks itself, told to in Database.)
     *
     * An unfinished write is the last thing in the last log that holds rows, and one of these:
     *     - fewer than 7 bytes of a header;
     *     - a header whose payload goes beyond the end of the file, though not beyond its block, where the bytes
     *       that are there fit the checksum at no shorter length (else the length is damaged, not the end), and
     *       where no whole record follows;
     *     - FIRST, MIDDLE.. without LAST.
     * All else is damage: a wrong checksum, even of the last record, an unknown type, a gap in the positions.
     */

    /** Something in the files that no crash can have left. */
    static final class DamagedLogException extends Exception {

        private static final long serialVersionUID = 1;

        DamagedLogException(Path file, String what) {
            super(file + ": " + what);
        }
    }

    private static final Pattern LOG_NAME = Pattern.compile("(\\d{6,18})\\.log");
    private static final Pattern CURRENT_LINE = Pattern.compile("(MANIFEST-\\d{6,18})\n");

    private LogCheck() {}

    /**
     * Checks the logs of a database that is not open, and the file that says which tables belong to it.
     *
     * @param complete whether the database was ever open: a creation that was cut short may have no log yet
     */
    static void check(Path database, boolean complete) throws IOException, DamagedLogException {
        Manifest manifest = new Manifest(currentManifest(database));
        manifest.read();
        List<Path> files = logs(database);
        if (files.isEmpty() && (complete || holdsTables(database))) {
            throw new DamagedLogException(database, "there is no log; a database that was ever open has one");
        }
        Wal unfinished = null;
        Wal before = null;
        for (Path file : files) {
            Wal log = new Wal(file);
            log.read();
            if (unfinished != null && log.rows > 0) {
                throw new DamagedLogException(
                        unfinished.path, "it ends in the middle of a write, and more was written to " + file);
            }
            if (log.positionKnown) {
                log.requireFollows(before, manifest);
                before = log;
            }
            unfinished = log.unfinished ? log : unfinished;
        }
        if (before != null && before.nextPosition <= manifest.lastPosition) {
            throw new DamagedLogException(
                    before.path,
                    "the logs end before position " + before.nextPosition + ", and " + manifest.lastPosition
                            + " was written");
        }
    }

    private static Path currentManifest(Path database) throws IOException, DamagedLogException {
        Path current = database.resolve("CURRENT");
        byte[] line;
        try (InputStream in = new FileInputStream(current.toFile())) { // not a channel: an interrupt would close it
            line = in.readAllBytes();
        }
        Matcher matcher = CURRENT_LINE.matcher(new String(line, US_ASCII));
        if (!matcher.matches() || Files.notExists(database.resolve(matcher.group(1)))) {
            throw new DamagedLogException(current, "it does not name a manifest");
        }
        return database.resolve(matcher.group(1));
    }

    private static boolean holdsTables(Path database) throws IOException {
        try (Stream<Path> files = Files.list(database)) {
            return files.anyMatch(file -> file.toString().endsWith(".sst"));
        }
    }

    private static List<Path> logs(Path database) throws IOException {
        try (Stream<Path> files = Files.list(database)) {
            return files.filter(file -> numberOf(file) >= 0)
                    .sorted((a, b) -> Long.compare(numberOf(a), numberOf(b)))
                    .toList();
        }
    }

    /** The number of a log, below 0 for another file. */
    private static long numberOf(Path file) {
        Matcher name = LOG_NAME.matcher(String.valueOf(file.getFileName()));
        return name.matches() ? Long.parseLong(name.group(1)) : -1;
    }

    /** A write-ahead log: where its positions begin and end. */
    private static final class Wal extends LogFile {

        private static final int HEADER_BYTES = 12;

        private long rows;
        private boolean positionKnown;
        private long firstPosition;
        private long nextPosition;

        Wal(Path path) {
            super(path, HEADER_BYTES);
        }

        @Override
        void take(long offset, ByteBuffer head) throws DamagedLogException {
            if (head.remaining() < HEADER_BYTES) {
                throw damaged(offset, "a write is too short");
            }
            long position = head.getLong();
            long count = Integer.toUnsignedLong(head.getInt());
            if (!positionKnown) {
                positionKnown = true;
                firstPosition = position;
            } else if (position != nextPosition) {
                throw damaged(offset, "a write has position " + position + " where " + nextPosition + " follows");
            }
            nextPosition = position + count;
            rows += count;
        }

        void requireFollows(@Nullable Wal before, Manifest manifest) throws DamagedLogException {
            if (before == null && firstPosition > manifest.lastPosition + 1) {
                throw damaged(
                        0,
                        "it begins with position " + firstPosition + ", the tables end with " + manifest.lastPosition);
            }
            if (before != null && firstPosition != before.nextPosition) {
                throw damaged(
                        0, "it begins with position " + firstPosition + " where " + before.nextPosition + " follows");
            }
        }
    }

    /** The file that says which tables belong to a database: how far they reach. */
    private static final class Manifest extends LogFile {

        private static final int COMPARATOR = 1;
        private static final int LAST_POSITION = 4;
        private static final int IGNORABLE = 1 << 13;

        private long lastPosition;

        Manifest(Path path) {
            super(path, Integer.MAX_VALUE);
        }

        @Override
        void take(long offset, ByteBuffer head) {
            try {
                while (head.hasRemaining()) {
                    int tag = (int) varint(head);
                    switch (tag) {
                        case LAST_POSITION -> lastPosition = Math.max(lastPosition, varint(head));
                        case 2, 3, 9, 10, 200, 203, 300 -> varint(head); // numbers of logs, files and families
                        case COMPARATOR -> skip(head);
                        default -> {
                            if ((tag & IGNORABLE) == 0) {
                                return; // the tables; they stand behind the position
                            }
                            skip(head);
                        }
                    }
                }
            } catch (BufferUnderflowException e) {
                return; // its checksum is right, so it is RocksDB's to say what it means
            }
        }

        private static void skip(ByteBuffer head) {
            long length = varint(head);
            if (length < 0 || length > head.remaining()) {
                throw new BufferUnderflowException();
            }
            head.position(head.position() + (int) length);
        }

        /** Seven bits a byte, the lowest first; the highest bit says that more follow. */
        private static long varint(ByteBuffer head) {
            long value = 0;
            for (int shift = 0; shift < Long.SIZE; shift += 7) {
                byte next = head.get();
                value |= (long) (next & 0x7f) << shift;
                if (next >= 0) {
                    return value;
                }
            }
            throw new BufferUnderflowException();
        }
    }

    /** One file while it is read. */
    private abstract static class LogFile {

        private static final int BLOCK_BYTES = 1 << 15;
        private static final int HEADER_BYTES = 7;
        private static final int FULL = 1;
        private static final int FIRST = 2;
        private static final int MIDDLE = 3;
        private static final int LAST = 4;
        private static final int MASK_DELTA = 0xa282ead8;

        final Path path;
        boolean unfinished;

        private final int headBytes;
        private long blockOffset;

        /** Whether a FIRST was read whose LAST was not. */
        private boolean inWrite;

        /** The beginning of the write under way, at most {@code headBytes} of it. */
        private final ByteArrayOutputStream head = new ByteArrayOutputStream();

        LogFile(Path path, int headBytes) {
            this.path = path;
            this.headBytes = headBytes;
        }

        /** Takes the beginning of a whole write, which ends in the record at the offset. */
        abstract void take(long offset, ByteBuffer head) throws DamagedLogException;

        final void read() throws IOException, DamagedLogException {
            try (InputStream in = new FileInputStream(path.toFile())) {
                byte[] block = in.readNBytes(BLOCK_BYTES);
                while (block.length > 0) {
                    readBlock(block);
                    blockOffset += block.length;
                    block = in.readNBytes(BLOCK_BYTES);
                }
            }
            unfinished |= inWrite;
        }

        final DamagedLogException damaged(long offset, String what) {
            return new DamagedLogException(path, what + ", at offset " + offset);
        }

        private void readBlock(byte[] block) throws DamagedLogException {
            int at = 0;
            while (block.length - at >= HEADER_BYTES) {
                int length = readRecord(block, at);
                if (unfinished) {
                    return; // and so is the file: what is shorter than its record is the last block
                }
                at += HEADER_BYTES + length;
            }
            unfinished = at < block.length && block.length < BLOCK_BYTES;
        }

        /** Returns the length of the payload. */
        private int readRecord(byte[] block, int at) throws DamagedLogException {
            int length = lengthAt(block, at);
            int type = block[at + 6];
            if (type < FULL || type > LAST) {
                throw damaged(blockOffset + at, "a record has the type " + Byte.toUnsignedInt((byte) type));
            }
            if ((type == FULL || type == FIRST) == inWrite) {
                throw damaged(blockOffset + at, "a record of type " + type + " does not belong here");
            }
            if (at + HEADER_BYTES + length > block.length) {
                requireUnfinished(block, at, length);
                unfinished = true;
                return length;
            }
            if (!fits(block, at, length)) {
                throw damaged(blockOffset + at, "a record has a wrong checksum");
            }
            head.write(block, at + HEADER_BYTES, Math.min(headBytes - head.size(), length));
            inWrite = type == FIRST || type == MIDDLE;
            if (!inWrite) {
                take(blockOffset + at, ByteBuffer.wrap(head.toByteArray()).order(ByteOrder.LITTLE_ENDIAN));
                head.reset();
            }
            return length;
        }

        /** The record at {@code at} goes beyond the end of the file: only a write that was cut short does. */
        private void requireUnfinished(byte[] block, int at, int length) throws DamagedLogException {
            if (at + HEADER_BYTES + length > BLOCK_BYTES) {
                throw damaged(blockOffset + at, "a record of " + length + " bytes does not fit into its block");
            }
            CRC32C crc = new CRC32C();
            crc.update(block, at + 6, 1);
            int stored = checksumAt(block, at);
            for (int end = at + HEADER_BYTES; masked(crc) != stored; end++) {
                if (end == block.length) {
                    requireNoRecordBehind(block, at);
                    return;
                }
                crc.update(block[end]);
            }
            throw damaged(blockOffset + at, "the length of a record is damaged: it says " + length);
        }

        private void requireNoRecordBehind(byte[] block, int at) throws DamagedLogException {
            for (int other = at + 1; block.length - other >= HEADER_BYTES; other++) {
                int type = block[other + 6];
                int length = lengthAt(block, other);
                if (type >= FULL
                        && type <= LAST
                        && other + HEADER_BYTES + length <= block.length
                        && fits(block, other, length)) {
                    throw damaged(
                            blockOffset + at, "a record is damaged: a whole one follows at " + (blockOffset + other));
                }
            }
        }

        private static int lengthAt(byte[] block, int at) {
            return Byte.toUnsignedInt(block[at + 4]) | Byte.toUnsignedInt(block[at + 5]) << 8;
        }

        private static int checksumAt(byte[] block, int at) {
            return ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
        }

        private static boolean fits(byte[] block, int at, int length) {
            CRC32C crc = new CRC32C();
            crc.update(block, at + 6, 1 + length);
            return masked(crc) == checksumAt(block, at);
        }

        private static int masked(CRC32C crc) {
            return Integer.rotateRight((int) crc.getValue(), 15) + MASK_DELTA;
        }
    }
}
