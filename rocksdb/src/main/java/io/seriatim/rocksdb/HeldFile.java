package io.seriatim.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** A file that someone in this process keeps open, and the path that should lead to it. */
final class HeldFile {

    /*
     * The identity is device and inode. Neither is given to another file while this one is open, so an equal
     * identity is the same file, also after it was deleted and made anew. The look is one stat: it must not
     * open the file, because closing it again would drop the lock of this process.
     *
     * A system without identities (Windows) does not let an open file be deleted or moved; there it is enough
     * that something is at the path.
     */

    private static final Object NAMELESS = new Object();

    private final Path path;
    private final Object identity;

    private HeldFile(Path path, Object identity) {
        this.path = path;
        this.identity = identity;
    }

    /** The file that is at the path now. */
    static HeldFile at(Path path) throws IOException {
        return new HeldFile(path, identityOf(path));
    }

    /** Whether the path still leads to this file; no where that cannot be found out. */
    boolean isInPlace() {
        try {
            return identity.equals(identityOf(path));
        } catch (IOException e) {
            return false;
        }
    }

    private static Object identityOf(Path path) throws IOException {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        return key == null ? NAMELESS : key;
    }
}
