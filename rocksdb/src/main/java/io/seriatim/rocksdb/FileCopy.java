package io.seriatim.rocksdb;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/** Copies files, and says what was in them. */
final class FileCopy {

    private static final int BUFFER_BYTES = 1 << 20;

    private FileCopy() {}

    /**
     * What was read.
     *
     * @param sha256 64 hexadecimal digits
     */
    record Content(long lengthBytes, String sha256) {}

    /**
     * Copies a file to a name that is not there yet; durable on return, but for the name.
     *
     * @param told the bytes that were copied, as they come
     */
    static Content copy(Path from, Path to, LongConsumer told) throws IOException {
        try (FileChannel in = FileChannel.open(from, READ);
                FileChannel out = FileChannel.open(
                        to, Set.of(CREATE_NEW, WRITE), StoreFolder.ownerOnly(to.toAbsolutePath(), "rw-------"))) {
            Content content = read(in, told, buffer -> {
                while (buffer.hasRemaining()) {
                    out.write(buffer);
                }
            });
            out.force(true);
            return content;
        }
    }

    /** Reads a file through. */
    static Content read(Path file, LongConsumer told) throws IOException {
        try (FileChannel in = FileChannel.open(file, READ)) {
            return read(in, told, buffer -> {});
        }
    }

    private interface Sink {
        void take(ByteBuffer buffer) throws IOException;
    }

    private static Content read(FileChannel in, LongConsumer told, Sink sink) throws IOException {
        MessageDigest digest = sha256();
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        long length = 0;
        while (in.read(buffer) >= 0) {
            buffer.flip();
            int count = buffer.remaining();
            digest.update(buffer.duplicate());
            sink.take(buffer);
            buffer.clear();
            length += count;
            told.accept(count);
        }
        return new Content(length, HexFormat.of().formatHex(digest.digest()));
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The names of the files in a folder, in order. */
    static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    /** Deletes a folder of ours with everything in it, if it is there; follows no link. */
    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.delete(each);
        }
    }
}
