package io.seriatim.server;

import io.seriatim.Sequences;
import io.seriatim.eventlog.application.TrustLevel;
import io.seriatim.rocksdb.Backup;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.StoreException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Function;

/** Answers calls out of a data folder of this machine, which no other process may have open meanwhile. */
final class LocalFolder implements LocalStore {

    private static final String DENIED = "Permission denied";
    private static final String MISSING = "No such file or directory";

    /** What stays so until somebody does something about it. */
    private static final Set<String> FINAL_REASONS = Set.of(
            DENIED,
            MISSING,
            "Operation not permitted",
            "Read-only file system",
            "Not a directory",
            "Is a directory",
            "File name too long");

    private final Path folder;

    private final TrustLevel trustLevel;

    LocalFolder(Path folder) {
        this(folder, TrustLevel.VERIFY_ALL);
    }

    LocalFolder(Path folder, TrustLevel trustLevel) {
        this.folder = folder;
        this.trustLevel = trustLevel;
    }

    Path path() {
        return folder;
    }

    /** What is defined first makes the folder. */
    @Override
    public Reply send(Call call) {
        try (Session session = call.method().equals("PUT") ? LocalStore.super.session() : session()) {
            return session.send(call);
        }
    }

    @Override
    public Session session() {
        requireThere(folder);
        return LocalStore.super.session();
    }

    /** Refuses a folder that is not there. */
    static void requireThere(Path folder) {
        if (!Files.exists(folder)) {
            refuseFileInTheWay(folder, nearest(folder));
            throw new Refusal(Problem.notFound("there is no data folder " + folder));
        }
    }

    /** Refuses a folder that has no store, or a half one, so that nobody looks at nothing and finds it sound. */
    static void requireStore(Path folder) {
        requireThere(folder);
        try {
            if (!RocksDbStore.isStore(folder)) {
                throw new Refusal(Problem.notFound("there is no store in the folder " + folder));
            }
        } catch (StoreException e) {
            throw new Refusal(problem(folder, e));
        }
    }

    @Override
    public OpenStore open() {
        RocksDbStore store = openStore(folder);
        return OpenStore.of(Sequences.on(store), store.eventLog(), LocalStore.applicationSettings(trustLevel))
                .with((target, now, told) -> made(store.backup(target, now, told)));
    }

    /** What a backup says of itself, as calls and commands tell it. */
    static BackupMaker.Made made(Backup backup) {
        return new BackupMaker.Made(
                backup.storeId().toString(),
                backup.incarnation(),
                backup.taken(),
                backup.written(),
                backup.fileCount(),
                backup.lengthBytes());
    }

    @Override
    public boolean isShared() {
        return false;
    }

    /** Opens a folder to serve. */
    static RocksDbStore openStore(Path folder) {
        return openStore(folder, RocksDbStore::open);
    }

    /** Opens a folder in some way. */
    static RocksDbStore openStore(Path folder, Function<Path, RocksDbStore> open) {
        Path nearest = nearest(folder);
        refuseFileInTheWay(folder, nearest);
        if (!Files.isWritable(nearest) || !Files.isExecutable(nearest)) {
            throw new Refusal(Problem.badRequest("the data folder " + folder + " cannot be used: " + nearest
                    + " is read-only, or this user may not write there"));
        }
        try {
            return open.apply(folder);
        } catch (StoreException e) {
            throw new Refusal(problem(folder, e));
        }
    }

    /** Why a folder cannot be opened. */
    private static Problem problem(Path folder, StoreException e) {
        String said = String.valueOf(e.getMessage());
        return switch (e.kind()) {
            case IN_USE -> Problem.busy(said + "; if a server has it open, give its address with --server");
            case UNAVAILABLE, BUSY, CONFLICT, FAILED, TAKEN_AWAY -> unusable(folder, e);
            case RESTORED -> Problem.restorePending(said);
            case MOVED -> Problem.movedAway(said);
            case CORRUPT -> Problem.corrupt(said);
        };
    }

    @Override
    public String toString() {
        return "data " + folder;
    }

    /** The folder, or what is there of the way to it. */
    private static Path nearest(Path folder) {
        Path at = folder.toAbsolutePath().normalize();
        for (Path parent = at.getParent(); parent != null && !Files.exists(at, LinkOption.NOFOLLOW_LINKS); ) {
            at = parent;
            parent = at.getParent();
        }
        return at;
    }

    private static void refuseFileInTheWay(Path folder, Path nearest) {
        if (!Files.isDirectory(nearest)) {
            throw new Refusal(
                    Problem.badRequest("the data folder " + folder + " cannot be used: " + nearest + " is no folder"));
        }
    }

    /** The system's own words where it has some, and whether the same command may work later. */
    private static Problem unusable(Path folder, StoreException e) {
        String sentence = "the data folder " + folder + " cannot be used: ";
        if (!(e.getCause() instanceof IOException cause)) {
            return Problem.unavailable(String.valueOf(e.getMessage())); // RocksDB's words, no exception's
        }
        return unusable(sentence, cause);
    }

    /** The same of any file. */
    static Problem unusable(String sentence, IOException cause) {
        if (!(cause instanceof FileSystemException files)) {
            return Problem.unavailable(sentence + cause.getMessage());
        }
        String reason = reason(files);
        String said = sentence + files.getFile() + ": " + reason;
        if (files instanceof FileAlreadyExistsException) {
            return Problem.alreadyExists(said);
        }
        if (files instanceof NoSuchFileException && files.getReason() != null) {
            return Problem.notFound(sentence + files.getFile() + ": " + files.getReason());
        }
        return FINAL_REASONS.contains(reason) ? Problem.badRequest(said) : Problem.unavailable(said);
    }

    private static String reason(FileSystemException e) {
        if (e instanceof AccessDeniedException) {
            return DENIED;
        }
        if (e instanceof NoSuchFileException) {
            return MISSING;
        }
        if (e instanceof FileAlreadyExistsException && e.getReason() == null) {
            return "there is something of this name already";
        }
        String reason = e.getReason();
        return reason == null || reason.isBlank() ? "the system gives no reason" : reason;
    }
}
