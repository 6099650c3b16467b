package io.seriatim.server;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Objects;

/** A file that is written before it gets its name. Whoever closes it before that deletes it. */
final class PartFile implements AutoCloseable {

    /*
     * It has .part behind its name, and is locked by the process that writes it, which the end of that process undoes. So
     * what a dead one has left is written over, if it begins as such files do, and what a live one writes is left alone.
     * It gets its name while it is locked: who has the lock next finds the name taken, or another file in the place.
     */

    private static final String SUFFIX = ".part";

    private final Path target;
    private final Path part;
    private final FileChannel file;
    private boolean finished;

    private PartFile(Path target, Path part, FileChannel file) {
        this.target = target;
        this.part = part;
        this.file = file;
    }

    /**
     * Begins the file of a name.
     *
     * @param begin what every such file begins with
     * @throws FileAlreadyExistsException if there is something of this name, somebody is writing it, or what lies in its
     *     place begins otherwise
     */
    static PartFile begin(Path target, byte[] begin) throws IOException {
        Path part = target.resolveSibling(target.getFileName() + SUFFIX);
        requireFree(target);
        if (Files.exists(part, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(part.toString());
        }
        FileChannel file = FileChannel.open(part, CREATE, READ, WRITE);
        try {
            Object identity = identity(part);
            if (!isFree(file) || !Objects.equals(identity, identity(part))) {
                throw new FileAlreadyExistsException(part.toString(), null, "another process is writing it");
            }
            requireFree(target);
            requireBegin(part, file, begin);
            file.truncate(0);
            return new PartFile(target, part, file);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static void requireFree(Path target) throws FileAlreadyExistsException {
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(target.toString());
        }
    }

    private static Object identity(Path path) throws IOException {
        return String.valueOf(
                Files.readAttributes(path, BasicFileAttributes.class).fileKey());
    }

    private static boolean isFree(FileChannel file) throws IOException {
        try {
            return file.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // this process has it
        }
    }

    /** What a dead process has left may be as short as one likes. */
    private static void requireBegin(Path part, FileChannel file, byte[] begin) throws IOException {
        ByteBuffer found = ByteBuffer.allocate(begin.length);
        int length = Math.max(0, file.read(found, 0));
        if (!Arrays.equals(found.array(), 0, length, begin, 0, length)) {
            throw new FileAlreadyExistsException(part.toString());
        }
    }

    FileChannel channel() {
        return file;
    }

    /** Gives the file its name; what was written is durable on return. */
    void finish() throws IOException {
        file.force(true);
        requireFree(target);
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        finished = true;
        try (FileChannel folder = FileChannel.open(target.toAbsolutePath().getParent(), READ)) {
            folder.force(true); // else a power cut takes the name back
        }
    }

    @Override
    public void close() throws IOException {
        try (file) {
            if (!finished) {
                Files.deleteIfExists(part);
            }
        }
    }
}
