package io.seriatim.rocksdb;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.seriatim.store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;

/** A folder that is filled before it gets its name. Whoever closes it before that deletes it. */
final class PartFolder implements AutoCloseable {

    /*
     *     <name>.part/seriatim.part    locked by the process that fills the folder; deleted before the folder gets its name
     *
     * The lock ends with the process, so what a dead one has left is told from what a live one is filling, and is deleted.
     * The file also says that the folder is ours: one without it, with anything in it, is somebody else's and stays.
     *
     * A file that was locked may be another than the one that is there by then, because the one who had it before has
     * deleted it or renamed the folder; so whoever has the lock looks whether the file is still in its place.
     */

    private static final String SUFFIX = ".part";
    private static final String LOCK = "seriatim.part";

    /**
     * Requires that a folder is not one that was never finished, whatever its name is now.
     *
     * @throws StoreException CORRUPT if it is; it never serves
     */
    static void requireWhole(Path folder) {
        if (Files.exists(folder.resolve(LOCK), LinkOption.NOFOLLOW_LINKS)) {
            throw new StoreException(
                    StoreException.Kind.CORRUPT,
                    "the store in " + folder + " is half made: a restore or an import broke off, or is under way;"
                            + " it is made anew, not opened");
        }
    }

    private final Path target;
    private final Path folder;
    private final FileChannel lock;
    private boolean finished;

    private PartFolder(Path target, Path folder, FileChannel lock) {
        this.target = target;
        this.folder = folder;
        this.lock = lock;
    }

    /**
     * Begins the folder of a name.
     *
     * @throws FileAlreadyExistsException if something has the name, or another process is filling its folder, or what lies
     *     in its place was not made here
     * @throws IllegalArgumentException if the name lies inside a data folder or a backup
     */
    static PartFolder begin(Path name) throws IOException {
        Path target = name.toAbsolutePath().normalize();
        Path last = target.getFileName();
        if (last == null || Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(target.toString());
        }
        requireOutside(target);
        Path folder = target.resolveSibling(last + SUFFIX);
        requireOurs(folder);
        StoreFolder.createPrivate(folder);
        Path file = folder.resolve(LOCK);
        FileChannel lock = FileChannel.open(file, Set.of(CREATE, WRITE), StoreFolder.ownerOnly(file, "rw-------"));
        try {
            HeldFile held = HeldFile.at(file);
            if (!isFree(lock) || !held.isInPlace()) {
                throw new FileAlreadyExistsException(folder.toString(), null, "another process is filling it");
            }
            for (String each : FileCopy.names(folder)) {
                if (!each.equals(LOCK)) {
                    FileCopy.delete(folder.resolve(each));
                }
            }
            return new PartFolder(target, folder, lock);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static boolean isFree(FileChannel lock) throws IOException {
        try {
            return lock.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // this process has it
        }
    }

    private static void requireOurs(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        boolean ours = Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                && (Files.isRegularFile(folder.resolve(LOCK))
                        || FileCopy.names(folder).isEmpty());
        if (!ours) {
            throw new FileAlreadyExistsException(folder.toString());
        }
    }

    /** A copy inside of what it is a copy of would be copied with it, and lost with it. */
    static void requireOutside(Path target) throws IOException {
        Path existing = target.getParent();
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        for (Path each = existing == null ? null : existing.toRealPath(); each != null; each = each.getParent()) {
            for (String file : List.of(StoreFolder.IDENTITY, StoreFolder.LOCK, Backup.LIST, LOCK)) {
                if (Files.exists(each.resolve(file))) {
                    throw new IllegalArgumentException(
                            target + " lies inside a data folder or a backup: there is " + each.resolve(file));
                }
            }
        }
    }

    Path path() {
        return folder;
    }

    /** Gives the folder its name; durable on return. */
    void finish() throws IOException {
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(target.toString()); // a rename would replace an empty folder
        }
        Files.delete(folder.resolve(LOCK));
        StoreFolder.forceFolder(folder);
        Files.move(folder, target, StandardCopyOption.ATOMIC_MOVE);
        finished = true;
        Path parent = target.getParent();
        if (parent != null) {
            StoreFolder.forceFolder(parent);
        }
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            if (!finished) {
                FileCopy.delete(folder);
            }
        }
    }
}
