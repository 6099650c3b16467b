package io.seriatim.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.rocksdb.Database.Family;
import io.seriatim.store.RowVisitor;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.Transaction;
import org.rocksdb.WriteBatch;

/**
 * A folder with its database, as counters and event logs share it: who is inside, who owns it, what has failed. Safe for
 * many threads.
 */
final class Storage {

    /*
     * RocksDB shows a synced batch to readers only after its sync, so what a read returns is durable, unless it was
     * written without a sync on purpose.
     *
     * A write that RocksDB reports as failed may still be in its log and come back with the next open: its
     * outcome is unknown. After it nothing may be written, because a system that could not force some pages has
     * forgotten that they were dirty and will call the next force a success. So the first failure is kept and
     * every call looks at it before its work, and a write before and after it touches the log.
     *
     * The owner of a folder whose lock files were deleted, moved or replaced is no longer the only one. A write
     * looks for both of them (ours and RocksDB's) before it touches the log and again before it is acknowledged.
     * Who opens the folder next either does so after the second look, and then finds the write in the log, or
     * before it, and then the write is not acknowledged. From then on this process leaves the folder alone: even
     * a close of RocksDB deletes files by their names, and those may be the other owner's by now.
     *
     * Order of locks: gate, then those of the caller. Nothing is called under them but RocksDB.
     */

    /**
     * What tests make smaller.
     *
     * @param closeBound how long {@link #close} waits for calls under way and for the last flush
     * @param memtableBytes memory of all memtables together
     */
    record Settings(Duration closeBound, long memtableBytes) {
        static final Settings DEFAULT = new Settings(Duration.ofSeconds(10), 32 << 20);
    }

    private final StoreFolder folder;
    private final Database database;
    /** Written by {@link #write(StoreHeader, WriteBatch)}. */
    private volatile StoreHeader header;

    private final List<HeldFile> locks;
    private final Duration closeBound;
    private final Gate gate = new Gate();
    private final AtomicReference<@Nullable StoreException> failure = new AtomicReference<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final List<Runnable> ends = new CopyOnWriteArrayList<>();
    private final CountDownLatch released = new CountDownLatch(1);

    /** One of the lock files was not in its place; never taken back, even if it is there again. */
    private volatile boolean ousted;

    private Storage(
            StoreFolder folder, Database database, StoreHeader header, List<HeldFile> locks, Duration closeBound) {
        this.folder = folder;
        this.database = database;
        this.header = header;
        this.locks = locks;
        this.closeBound = closeBound;
    }

    /** What a folder is opened for. */
    enum Use {
        /** To hand out numbers: only where that is safe. */
        SERVE,
        /** The same, with transactions. */
        SERVE_TRANSACTIONS,
        /** To read it, or to write to it what makes it safe. */
        MAINTAIN
    }

    /** Opens the folder; see {@link RocksDbStore#open}. */
    static Storage open(Path folder, Settings settings, Use use) {
        NativeLibrary.load();
        try {
            StoreFolder claimed = StoreFolder.claim(folder);
            try {
                Path unused = claimed.emptyCheckpoint();
                Opened opened = openDatabase(claimed, settings.memtableBytes(), use);
                List<HeldFile> locks = List.of(
                        claimed.lockFile(), HeldFile.at(claimed.database().resolve("LOCK")));
                return new Storage(claimed, opened.database(), opened.header(), locks, settings.closeBound());
            } catch (IOException | RuntimeException e) {
                claimed.close();
                throw e;
            }
        } catch (IOException e) {
            throw new StoreException(Kind.UNAVAILABLE, "the store in " + folder + " cannot be opened: " + e, e);
        }
    }

    private record Opened(Database database, StoreHeader header) {}

    private static Opened openDatabase(StoreFolder folder, long memtableBytes, Use use) throws IOException {
        Optional<UUID> storeId = folder.storeId();
        boolean exists = folder.holdsDatabase();
        if (storeId.isPresent() && !exists) {
            throw folder.corrupt("has lost its data: seriatim.store is there and RocksDB's files are not");
        }
        Path files = folder.database();
        boolean creates = storeId.isEmpty();
        try {
            boolean createsFamilies = creates;
            Set<String> rowFamilies = Set.of();
            if (exists) {
                LogCheck.check(files, !creates);
                Set<String> families = Database.families(files);
                Set<String> foreign = Database.foreign(families);
                if (!foreign.isEmpty()) {
                    throw folder.corrupt("is of another program or of a newer version: it holds " + foreign);
                }
                createsFamilies |= Database.lacksLaterOnly(families);
                rowFamilies = Database.rowFamilies(families);
            }
            Database database = Database.open(
                    files,
                    new Database.Opening(
                            creates, createsFamilies, rowFamilies, use == Use.SERVE_TRANSACTIONS, memtableBytes));
            try {
                StoreHeader header = identify(folder, database, storeId);
                if (use != Use.MAINTAIN) {
                    PartFolder.requireWhole(folder.path());
                    requireServing(folder, header);
                }
                return new Opened(database, header);
            } catch (RocksDBException | IOException | RuntimeException e) {
                try {
                    database.close();
                } catch (RocksDBException second) {
                    e.addSuppressed(second);
                }
                throw e;
            }
        } catch (LogCheck.DamagedLogException e) {
            throw new StoreException(
                    Kind.CORRUPT, "the store in " + folder.path() + " has a damaged log: " + e.getMessage(), e);
        } catch (RocksDBException e) {
            Kind kind = kindAtOpen(e);
            throw kind == Kind.IN_USE
                    ? folder.inUse(e)
                    : new StoreException(
                            kind, "the store in " + folder.path() + " cannot be opened: " + e.getMessage(), e);
        }
    }

    /** Compares whose rows and whose files these are, and completes a creation. */
    private static StoreHeader identify(StoreFolder folder, Database database, Optional<UUID> fileId)
            throws RocksDBException, IOException {
        byte[] value = database.get(Family.HEADER, HeaderCodec.key());
        StoreHeader header;
        if (value != null) {
            try {
                header = HeaderCodec.decode(value);
            } catch (CorruptRowException e) {
                throw folder.corrupt("has a damaged header row: " + e.getMessage());
            }
        } else {
            for (Family family : Family.values()) {
                if (fileId.isPresent() || !database.isEmpty(family)) {
                    throw folder.corrupt("is of another program or has lost its header row");
                }
            }
            header = StoreHeader.first(UUID.randomUUID());
            try (WriteBatch batch = new WriteBatch()) {
                database.put(batch, Family.HEADER, HeaderCodec.key(), HeaderCodec.value(header));
                database.write(batch, true);
            }
        }
        if (fileId.isEmpty()) {
            folder.writeStoreId(header.storeId());
        } else if (!fileId.get().equals(header.storeId())) {
            throw folder.corrupt("is mixed from two stores: seriatim.store names " + fileId.get() + ", the rows are of "
                    + header.storeId());
        }
        return header;
    }

    private static void requireServing(StoreFolder folder, StoreHeader header) {
        switch (header.state()) {
            case SERVING -> {}
            case RESTORED -> throw restored(folder.path());
            case MOVED ->
                throw new StoreException(
                        Kind.MOVED,
                        "the store in " + folder.path()
                                + " was moved to another place for good; it serves nothing here");
        }
    }

    Path path() {
        return folder.path();
    }

    static StoreException restored(Path folder) {
        return new StoreException(
                Kind.RESTORED,
                "the store in " + folder + " was restored from a copy, and nobody has said what was handed"
                        + " out since; it serves nothing until that is said");
    }

    private static Status.Code codeOf(RocksDBException e) {
        Status status = e.getStatus();
        return status == null ? Status.Code.Undefined : status.getCode();
    }

    private static Kind kindAtOpen(RocksDBException e) {
        Status.Code code = codeOf(e);
        String message = String.valueOf(e.getMessage());
        if (code != Status.Code.IOError) {
            return Kind.CORRUPT;
        }
        if (message.contains("lock file") || message.contains("lock hold by")) {
            return Kind.IN_USE;
        }
        return message.contains("No such file") ? Kind.CORRUPT : Kind.UNAVAILABLE;
    }

    /** Whose files these are. */
    StoreHeader header() {
        return header;
    }

    /**
     * Writes the header, with other rows; durable on return. Only inside.
     *
     * @throws StoreException FAILED where it may or may not have been written
     */
    void write(StoreHeader next, WriteBatch batch) throws RocksDBException {
        database.put(batch, Family.HEADER, HeaderCodec.key(), HeaderCodec.value(next));
        Optional<Throwable> unknown = write(batch, true);
        if (unknown.isPresent()) {
            throw new StoreException(
                    Kind.FAILED, "whether the header of " + folder.path() + " was written is unknown", unknown.get());
        }
        header = next;
    }

    /**
     * Makes links to the files as they are at one moment, and returns where; the caller empties that.
     *
     * @throws StoreException also TAKEN_AWAY
     */
    Path checkpoint() throws IOException {
        Path target = folder.emptyCheckpoint();
        return inside(() -> {
            database.checkpoint(target);
            if (!isOwner()) {
                throw oust();
            }
            return target;
        });
    }

    /** Deletes what {@link #checkpoint} has made. */
    void emptyCheckpoint() throws IOException {
        Path unused = folder.emptyCheckpoint();
    }

    /** The database, for work inside. */
    Database database() {
        return database;
    }

    /** Work on the database; every call of the port is one. */
    interface Work<T> {
        T run() throws RocksDBException;
    }

    <T> T inside(Work<T> work) {
        gate.enter();
        try {
            requireWorking();
            return work.run();
        } catch (RocksDBException e) {
            throw readFailed(e);
        } finally {
            gate.leave();
        }
    }

    private void requireWorking() {
        StoreException first = failure.get();
        if (first != null) {
            throw new StoreException(first.kind(), String.valueOf(first.getMessage()), first);
        }
    }

    private StoreException readFailed(RocksDBException e) {
        String message = "the store in " + folder.path() + " cannot be read: " + e.getMessage();
        return codeOf(e) == Status.Code.Corruption
                ? stop(new StoreException(Kind.CORRUPT, message, e))
                : new StoreException(Kind.UNAVAILABLE, message, e);
    }

    /** A codec's way from bytes to a row. */
    interface Decoder<T> {
        T decode(byte[] key, byte[] value) throws CorruptRowException;
    }

    <T> Optional<T> read(Family family, byte[] key, Decoder<T> decoder) throws RocksDBException {
        byte[] value = database.get(family, key);
        return value == null ? Optional.empty() : Optional.of(decode(family, key, value, decoder));
    }

    <T> T decode(Family family, byte[] key, byte[] value, Decoder<T> decoder) {
        try {
            return decoder.decode(key, value);
        } catch (CorruptRowException e) {
            throw damaged(family, key, e);
        }
    }

    /** Stops for good: a row is damaged. */
    StoreException damaged(Family family, byte[] key, CorruptRowException reason) {
        return stop(new StoreException(
                Kind.CORRUPT,
                "the store in " + folder.path() + " has stopped: a row is damaged, " + reason.getMessage() + ": "
                        + nameOf(family, key),
                reason));
    }

    /**
     * Writes a batch, whole or not at all; only inside.
     *
     * @param synced whether it is durable on return
     * @return why its outcome is unknown; empty where it is applied
     */
    Optional<Throwable> write(WriteBatch batch, boolean synced) {
        return write(() -> database.write(batch, synced));
    }

    /**
     * Commits a transaction, whole or not at all, durable on return; only inside.
     *
     * @return why its outcome is unknown; empty where it is committed
     * @throws StoreException {@code CONFLICT} where another transaction was first with a row; nothing is written
     */
    Optional<Throwable> commit(Transaction transaction) {
        return write(transaction::commit);
    }

    /** Makes a family of the user's rows, durable on return; only inside. */
    Optional<Throwable> createRowFamily(String name) {
        return write(() -> database.createRowFamily(name));
    }

    private interface Write {
        void run() throws RocksDBException;
    }

    private Optional<Throwable> write(Write write) {
        requireWorking(); // again: another write may have failed while this one waited for its locks
        if (!isOwner()) {
            throw oust();
        }
        try {
            write.run();
        } catch (RocksDBException | RuntimeException | Error e) {
            if (e instanceof RocksDBException refused && isConflict(refused)) {
                throw new StoreException(
                        Kind.CONFLICT, "another transaction was first with a row: " + refused.getMessage(), refused);
            }
            stop(new StoreException(
                    Kind.FAILED,
                    "the store in " + folder.path() + " has stopped: a write failed: " + e.getMessage(),
                    e));
            return Optional.of(e);
        }
        if (!isOwner()) {
            return Optional.of(oust());
        }
        // A failure of another write in between: RocksDB may have answered out of a cache that the disk lost.
        return failure().map(other -> other);
    }

    /** What RocksDB says of a transaction before it writes anything of it; of a batch it never does. */
    private static boolean isConflict(RocksDBException e) {
        Status.Code code = codeOf(e);
        return code == Status.Code.Busy || code == Status.Code.TryAgain;
    }

    private boolean isOwner() {
        return !ousted && locks.stream().allMatch(HeldFile::isInPlace);
    }

    /** Stops, and leaves the folder to whoever has it now. */
    private StoreException oust() {
        ousted = true;
        database.cancelBackgroundWork();
        return stop(new StoreException(
                Kind.TAKEN_AWAY,
                "the store in " + folder.path()
                        + " has stopped: the data folder was taken away or its lock file deleted"));
    }

    /** Why this store has stopped for good; empty while it works. */
    Optional<StoreException> failure() {
        return Optional.ofNullable(failure.get());
    }

    // ---- the check

    /** Reads every block of the table files. */
    void visitTables(RowVisitor visitor) throws RocksDBException {
        try {
            database.verifyChecksums();
        } catch (RocksDBException e) {
            requireDamage(e);
            visitor.damaged("table files", String.valueOf(e.getMessage()));
        }
    }

    /** Reads every row of a family, shows the whole ones, tells the damaged ones, and goes on. */
    <T> void visit(Family family, Decoder<T> decoder, Consumer<T> show, RowVisitor visitor) throws RocksDBException {
        try (RocksIterator rows = database.rows(family)) {
            for (rows.seekToFirst(); rows.isValid(); rows.next()) {
                show(family, rows, decoder, show, visitor);
            }
            requireWhole(family, rows, visitor);
        }
    }

    /** Shows the row at which an iterator stands, or tells that it is damaged. */
    static <T> void show(Family family, RocksIterator rows, Decoder<T> decoder, Consumer<T> show, RowVisitor visitor) {
        byte[] key = rows.key();
        T row;
        try {
            row = decoder.decode(key, rows.value());
        } catch (CorruptRowException e) {
            visitor.damaged(nameOf(family, key), String.valueOf(e.getMessage()));
            return;
        }
        show.accept(row);
    }

    /** Tells if an iterator has come to damage, and not to the end of its family. */
    static void requireWhole(Family family, RocksIterator rows, RowVisitor visitor) throws RocksDBException {
        try {
            rows.status();
        } catch (RocksDBException e) {
            requireDamage(e);
            visitor.damaged("family " + family + ", behind the rows that were read", String.valueOf(e.getMessage()));
        }
    }

    static void requireDamage(RocksDBException e) throws RocksDBException {
        if (codeOf(e) != Status.Code.Corruption) {
            throw e;
        }
    }

    static String nameOf(Family family, byte[] key) {
        return "family " + family + ", key " + HexFormat.of().formatHex(key)
                + (family == Family.DEFINITIONS ? " (" + new String(key, UTF_8) + ")" : "");
    }

    // ---- the end

    /** Refuses new calls, waits for those under way, writes the memtables out and frees the folder. */
    void close() {
        gate.shut();
        if (closing.compareAndSet(false, true)) {
            Thread closer = new Thread(this::release, "seriatim-rocksdb-close");
            closer.setDaemon(true);
            closer.start();
        }
        if (!awaitReleased()) {
            throw hangs();
        }
    }

    Duration closeBound() {
        return closeBound;
    }

    /** What a close says that waited for the storage in vain. */
    StoreException hangs() {
        return stop(new StoreException(
                Kind.UNAVAILABLE,
                "the store in " + folder.path() + " did not close within " + closeBound
                        + ": its storage hangs; the folder stays in use until it answers"));
    }

    private void release() {
        gate.awaitEmpty();
        try (folder) {
            if (isOwner()) {
                closeDatabase();
            } else {
                oust(); // RocksDB's handles stay until the process ends
            }
        } catch (IOException e) {
            stop(new StoreException(Kind.FAILED, "closing " + folder.path() + " failed: " + e.getMessage(), e));
        }
        released.countDown();
    }

    /** What has to be freed before the database is; run once everybody has left. */
    void beforeClose(Runnable end) {
        ends.add(end);
    }

    private void closeDatabase() {
        ends.forEach(Runnable::run);
        try {
            if (failure.get() == null) {
                database.flush(); // spares the next open the replay; what was to be durable is so without it
            }
        } catch (RocksDBException e) {
            stop(new StoreException(
                    Kind.FAILED, "the last flush of " + folder.path() + " failed: " + e.getMessage(), e));
        }
        try {
            database.close();
        } catch (RocksDBException e) {
            stop(new StoreException(Kind.FAILED, "closing " + folder.path() + " failed: " + e.getMessage(), e));
        }
    }

    private boolean awaitReleased() {
        boolean interrupted = false;
        long deadline = System.nanoTime() + closeBound.toNanos();
        try {
            while (true) {
                try {
                    return released.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Keeps the first failure and returns the given one. */
    private StoreException stop(StoreException reason) {
        failure.compareAndSet(null, reason);
        return reason;
    }

    /** Writes bytes as they are, for tests of what a reader does with them. */
    void putRaw(Family family, byte[] key, byte[] value) {
        Optional<Throwable> unknown = inside(() -> {
            try (WriteBatch batch = new WriteBatch()) {
                database.put(batch, family, key, value);
                return write(batch, true);
            }
        });
        if (unknown.isPresent()) {
            throw new IllegalStateException("the bytes may not be written", unknown.get());
        }
    }

    static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }
}
