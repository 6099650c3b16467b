package io.seriatim.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.seriatim.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The folder of one store, claimed by this object until it is closed. */
final class StoreFolder implements AutoCloseable {

    /*
     *     <folder>/seriatim.lock      empty; locked by the process that has the store open
     *     <folder>/seriatim.store     one line of ASCII: whose files these are; there once creation is complete
     *     <folder>/rocksdb/           RocksDB's files
     *     <folder>/checkpoint.part/   RocksDB's files as a backup copies them; links, deleted when it is done
     *
     * Creation: folders, lock, RocksDB with its header row (synced), then seriatim.store (written aside,
     * forced, renamed, folder forced). A creation that was cut short is finished by the next open. Once
     * seriatim.store is there, files that are missing were lost, and an empty store in their place would
     * begin every number again: such a folder is refused.
     *
     * An operating system's lock belongs to the process and is dropped when any channel on the file is closed,
     * so a second open in this process must not even open the file: OPEN is asked first.
     *
     * A lock is on a file, not on its name: whoever deletes or replaces the file lets the next owner in. So the
     * owner looks whether its file is still the one at the path: HeldFile.
     */

    static final String DATABASE = "rocksdb";

    /** Where a backup gathers its files before they are copied. */
    private static final String CHECKPOINT = "checkpoint.part";

    static final String LOCK = "seriatim.lock";
    static final String IDENTITY = "seriatim.store";
    private static final Pattern IDENTITY_LINE =
            Pattern.compile("Seriatim store, format (\\d{1,9}), id ([0-9a-f-]{36})\n");
    private static final int FORMAT = 1;

    /** The folders that this process has open, by their identity in the file system. */
    private static final Set<Object> OPEN = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final Object identity;
    private final FileChannel lock;
    private final HeldFile lockFile;

    private StoreFolder(Path folder, Object identity, FileChannel lock, HeldFile lockFile) {
        this.folder = folder;
        this.identity = identity;
        this.lock = lock;
        this.lockFile = lockFile;
    }

    /** Whether there is anything of a store; changes nothing. */
    static boolean isStore(Path folder) {
        return Files.exists(folder.resolve(IDENTITY)) || Files.isDirectory(folder.resolve(DATABASE));
    }

    /** Creates the folder where it is missing and claims it. */
    static StoreFolder claim(Path path) throws IOException {
        Path folder = path.toAbsolutePath().normalize();
        if (Files.exists(folder.resolve(Backup.LIST))) {
            throw new StoreException(
                    StoreException.Kind.RESTORED,
                    folder + " is a backup, which serves nothing; restore makes a store of it");
        }
        createPrivate(folder);
        Object key = Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
        Object identity = key == null ? folder.toRealPath() : key;
        if (!OPEN.add(identity)) {
            throw inUse(folder, "this process");
        }
        FileChannel lock = null;
        try {
            Path file = folder.resolve(LOCK);
            createLock(file);
            HeldFile lockFile = HeldFile.at(file);
            lock = Uninterrupted.run(() -> FileChannel.open(file, WRITE));
            if (lock.tryLock() == null) {
                throw inUse(folder, "another process");
            }
            if (!lockFile.isInPlace()) {
                throw new IOException("replaced while it was being locked: " + file);
            }
            return new StoreFolder(folder, identity, lock, lockFile);
        } catch (OverlappingFileLockException e) {
            close(lock, e);
            OPEN.remove(identity);
            throw inUse(folder, "this process");
        } catch (IOException | RuntimeException e) {
            close(lock, e);
            OPEN.remove(identity);
            throw e;
        }
    }

    private static void createLock(Path file) throws IOException {
        try {
            Files.createFile(file, ownerOnly(file, "rw-------"));
        } catch (FileAlreadyExistsException e) {
            return; // made by an earlier open
        }
    }

    private static StoreException inUse(Path folder, String by) {
        return new StoreException(
                StoreException.Kind.IN_USE,
                "the store in " + folder + " is open in " + by + "; a store has one owner at a time");
    }

    private static void close(@Nullable FileChannel lock, Exception reason) {
        if (lock != null) {
            try {
                lock.close();
            } catch (IOException e) {
                reason.addSuppressed(e);
            }
        }
    }

    Path path() {
        return folder;
    }

    /** For a second owner who got past our lock, because the file was deleted or replaced, and was stopped by RocksDB's. */
    StoreException inUse(Exception cause) {
        StoreException inUse = inUse(folder, "another process");
        inUse.initCause(cause);
        return inUse;
    }

    /** The lock file as it was when it was locked. */
    HeldFile lockFile() {
        return lockFile;
    }

    /** RocksDB's folder; made where it is missing. */
    Path database() throws IOException {
        Path database = folder.resolve(DATABASE);
        createPrivate(database);
        return database;
    }

    /** Where a backup may gather files; what an earlier one has left there is deleted. */
    Path emptyCheckpoint() throws IOException {
        Path checkpoint = folder.resolve(CHECKPOINT);
        FileCopy.delete(checkpoint);
        FileCopy.delete(folder.resolve(CHECKPOINT + ".tmp")); // RocksDB fills this and renames it
        return checkpoint;
    }

    /** The id in seriatim.store; empty where the creation of this store was never completed. */
    Optional<UUID> storeId() throws IOException {
        Path file = folder.resolve(IDENTITY);
        if (Files.notExists(file)) {
            return Optional.empty();
        }
        String line = new String(Uninterrupted.run(() -> Files.readAllBytes(file)), UTF_8);
        Matcher matcher = IDENTITY_LINE.matcher(line);
        if (!matcher.matches()) {
            throw corrupt("is not the file that this program wrote: " + IDENTITY);
        }
        int format = Integer.parseInt(matcher.group(1));
        if (format != FORMAT) {
            throw corrupt("has format " + format + ", this program knows format " + FORMAT + ": " + IDENTITY);
        }
        return Optional.of(UUID.fromString(matcher.group(2)));
    }

    /** Whether RocksDB's files are there. Refuses files that have lost the one that names the others. */
    boolean holdsDatabase() throws IOException {
        Path database = folder.resolve(DATABASE);
        if (Files.notExists(database)) {
            return false;
        }
        if (Files.exists(database.resolve("CURRENT"))) {
            return true;
        }
        try (Stream<Path> files = Files.list(database)) {
            Optional<Path> orphan = files.filter(file ->
                            file.toString().endsWith(".sst") || file.toString().endsWith(".log"))
                    .findAny();
            if (orphan.isPresent()) {
                throw corrupt("holds data and no file CURRENT that would say which: " + orphan.get());
            }
        }
        return false;
    }

    /** Completes the creation of the store. Durable on return. */
    void writeStoreId(UUID storeId) throws IOException {
        writeStoreId(folder, storeId);
    }

    static void writeStoreId(Path folder, UUID storeId) throws IOException {
        Path aside = folder.resolve(IDENTITY + ".new");
        writeForced(aside, "Seriatim store, format " + FORMAT + ", id " + storeId + "\n");
        Uninterrupted.run(() -> Files.move(aside, folder.resolve(IDENTITY), StandardCopyOption.ATOMIC_MOVE));
        forceFolder(folder);
    }

    /** Writes a file over whatever is there; durable on return, but for the name. */
    static void writeForced(Path path, String text) throws IOException {
        Uninterrupted.run(() -> {
            try (FileChannel file = FileChannel.open(
                    path, Set.of(CREATE, WRITE, TRUNCATE_EXISTING), ownerOnly(path.toAbsolutePath(), "rw-------"))) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
                while (bytes.hasRemaining()) {
                    file.write(bytes);
                }
                file.force(true);
            }
            return path;
        });
    }

    StoreException corrupt(String what) {
        return new StoreException(StoreException.Kind.CORRUPT, "the store in " + folder + " " + what);
    }

    /** Gives the folder free for the next owner. */
    @Override
    public void close() throws IOException {
        try {
            lock.close();
        } finally {
            OPEN.remove(identity);
        }
    }

    /** Makes a folder, and its parents, that only their owner may enter. Durable on return. */
    static void createPrivate(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Path parent = folder.getParent();
        if (parent == null) {
            throw new IOException("not a folder: " + folder);
        }
        createPrivate(parent);
        Files.createDirectory(folder, ownerOnly(parent, "rwx------"));
        forceFolder(parent);
    }

    static FileAttribute<?>[] ownerOnly(Path near, String permissions) {
        FileSystem files = near.getFileSystem();
        return files.supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    /** Makes new names in a folder durable, where the system lets a folder be forced at all. */
    static void forceFolder(Path folder) throws IOException {
        if (!folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }
        Uninterrupted.run(() -> {
            try (FileChannel channel = FileChannel.open(folder, READ)) {
                channel.force(true);
            }
            return folder;
        });
    }
}
