package io.seriatim.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.rocksdb.Database.Family;
import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.CounterStore;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.RowVisitor;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import io.seriatim.store.WriteOutcome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;

/**
 * Keeps counters in a folder of this machine. One process at a time; its threads share one sync where they
 * write different counters at the same time.
 *
 * <p>After the first write that fails the store refuses everything until it is opened anew, and after the
 * first damaged row for good: docs/storage-formats.md says what is noticed and what is tolerated.
 */
public final class RocksDbStore implements CounterStore {

    /** Expired rows removed by one write. */
    private static final int SWEPT_AT_ONCE = 1_000;

    /*
     * A conditional write takes the stripes of its rows, reads them, compares, and writes one synced batch, all
     * under the stripes. RocksDB shows a batch to readers only after its sync, so what a find returns is
     * durable, and the next writer of a row sees what the last one wrote.
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
     * Order of locks: gate, then stripes in rising order. Nothing is called under them but RocksDB.
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
    private final List<HeldFile> locks;
    private final Duration closeBound;
    private final Gate gate = new Gate();
    private final Stripes stripes = new Stripes();
    private final AtomicReference<@Nullable StoreException> failure = new AtomicReference<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch released = new CountDownLatch(1);

    /** One of the lock files was not in its place; never taken back, even if it is there again. */
    private volatile boolean ousted;

    private RocksDbStore(StoreFolder folder, Database database, List<HeldFile> locks, Duration closeBound) {
        this.folder = folder;
        this.database = database;
        this.locks = locks;
        this.closeBound = closeBound;
    }

    /**
     * Opens the store in a folder, which is made where it is missing, and readable by its owner only.
     *
     * @throws StoreException {@code IN_USE} while this or another process has it open, {@code CORRUPT} where
     *     the files are damaged, incomplete, of another program or of a newer version of this one,
     *     {@code UNAVAILABLE} where they cannot be read or written
     */
    public static RocksDbStore open(Path folder) {
        return open(folder, Settings.DEFAULT);
    }

    static RocksDbStore open(Path folder, Settings settings) {
        NativeLibrary.load();
        try {
            StoreFolder claimed = StoreFolder.claim(folder);
            try {
                Database database = openDatabase(claimed, settings.memtableBytes());
                List<HeldFile> locks = List.of(
                        claimed.lockFile(), HeldFile.at(claimed.database().resolve("LOCK")));
                return new RocksDbStore(claimed, database, locks, settings.closeBound());
            } catch (IOException | RuntimeException e) {
                claimed.close();
                throw e;
            }
        } catch (IOException e) {
            throw new StoreException(Kind.UNAVAILABLE, "the store in " + folder + " cannot be opened: " + e, e);
        }
    }

    private static Database openDatabase(StoreFolder folder, long memtableBytes) throws IOException {
        Optional<UUID> storeId = folder.storeId();
        boolean exists = folder.holdsDatabase();
        if (storeId.isPresent() && !exists) {
            throw folder.corrupt("has lost its data: seriatim.store is there and RocksDB's files are not");
        }
        Path files = folder.database();
        try {
            if (exists) {
                LogCheck.check(files, storeId.isPresent());
                Set<String> foreign = Database.foreignFamilies(files);
                if (!foreign.isEmpty()) {
                    throw folder.corrupt("is of another program or of a newer version: it holds " + foreign);
                }
            }
            Database database = Database.open(files, storeId.isEmpty(), memtableBytes);
            try {
                identify(folder, database, storeId);
                return database;
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
    private static void identify(StoreFolder folder, Database database, Optional<UUID> fileId)
            throws RocksDBException, IOException {
        byte[] value = database.get(Family.HEADER, HeaderCodec.key());
        UUID rowId;
        if (value != null) {
            try {
                rowId = HeaderCodec.decode(value);
            } catch (CorruptRowException e) {
                throw folder.corrupt("has a damaged header row: " + e.getMessage());
            }
        } else {
            for (Family family : Family.values()) {
                if (fileId.isPresent() || !database.isEmpty(family)) {
                    throw folder.corrupt("is of another program or has lost its header row");
                }
            }
            rowId = UUID.randomUUID();
            try (WriteBatch batch = new WriteBatch()) {
                database.put(batch, Family.HEADER, HeaderCodec.key(), HeaderCodec.value(rowId));
                database.write(batch);
            }
        }
        if (fileId.isEmpty()) {
            folder.writeStoreId(rowId);
        } else if (!fileId.get().equals(rowId)) {
            throw folder.corrupt(
                    "is mixed from two stores: seriatim.store names " + fileId.get() + ", the rows are of " + rowId);
        }
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

    @Override
    public Optional<DefinitionRow> findDefinition(String name) {
        byte[] key = DefinitionCodec.key(DefinitionRow.fold(name));
        return inside(() -> readDefinition(key));
    }

    @Override
    public List<DefinitionRow> listDefinitions(String prefix, String after, int limit) {
        requireLimit(limit);
        byte[] from = DefinitionCodec.key(DefinitionRow.fold(prefix));
        byte[] behind = DefinitionCodec.key(DefinitionRow.fold(after));
        return inside(() -> {
            List<DefinitionRow> found = new ArrayList<>();
            try (RocksIterator rows = database.rows(Family.DEFINITIONS)) {
                rows.seek(Arrays.compareUnsigned(behind, from) > 0 ? behind : from);
                if (rows.isValid() && Arrays.equals(rows.key(), behind)) {
                    rows.next();
                }
                for (; found.size() < limit && rows.isValid() && startsWith(rows.key(), from); rows.next()) {
                    DefinitionRow row = decode(Family.DEFINITIONS, rows.key(), rows.value(), DefinitionCodec::decode);
                    if (!row.dropped() && row.name().startsWith(prefix)) {
                        found.add(row);
                    }
                }
                rows.status();
            }
            return List.copyOf(found);
        });
    }

    @Override
    public Optional<CounterRow> findCounter(CounterKey key) {
        byte[] bytes = CounterCodec.key(key);
        return inside(() -> readCounter(bytes));
    }

    @Override
    public List<CounterRow> listCounters(long sequenceId, Optional<CounterKey> after, int limit) {
        requireLimit(limit);
        byte[] sequence = new RowWriter().putLong(sequenceId).toKey();
        byte[] from = after.map(CounterCodec::key).orElse(sequence);
        return inside(() -> {
            List<CounterRow> found = new ArrayList<>();
            try (RocksIterator rows = database.rows(Family.COUNTERS)) {
                rows.seek(from);
                if (rows.isValid() && Arrays.equals(rows.key(), from)) {
                    rows.next();
                }
                for (; found.size() < limit && rows.isValid() && startsWith(rows.key(), sequence); rows.next()) {
                    found.add(decode(Family.COUNTERS, rows.key(), rows.value(), CounterCodec::decode));
                }
                rows.status();
            }
            return List.copyOf(found);
        });
    }

    @Override
    public Optional<IdempotencyRow> findIdempotency(IdempotencyKey key) {
        byte[] bytes = IdempotencyCodec.key(key);
        return inside(() -> readIdempotency(bytes));
    }

    @Override
    public List<LedgerRow> listLedger(CounterKey key, long fromIndex, int limit) {
        requireLimit(limit);
        byte[] ledger = CounterCodec.key(key);
        byte[] from = LedgerCodec.key(key, Math.max(1, fromIndex));
        return inside(() -> {
            List<LedgerRow> found = new ArrayList<>();
            try (RocksIterator rows = database.rows(Family.LEDGER)) {
                rows.seek(from);
                for (; found.size() < limit && rows.isValid() && startsWith(rows.key(), ledger); rows.next()) {
                    found.add(decode(Family.LEDGER, rows.key(), rows.value(), LedgerCodec::decode));
                }
                rows.status();
            }
            return List.copyOf(found);
        });
    }

    /**
     * Reads every row with its checksum, and every block of the files, and shows what is there and what is damaged.
     * Goes on behind damage as far as it can, and does not stop the store. Changes nothing.
     *
     * @throws StoreException where the files cannot be read for another reason
     */
    public void visit(RowVisitor visitor) {
        inside(() -> {
            try {
                database.verifyChecksums();
            } catch (RocksDBException e) {
                requireDamage(e);
                visitor.damaged("table files", String.valueOf(e.getMessage()));
            }
            visit(Family.HEADER, (key, value) -> HeaderCodec.decode(value), id -> {}, visitor);
            visit(Family.DEFINITIONS, DefinitionCodec::decode, visitor::definition, visitor);
            visitCounters(visitor);
            visit(Family.IDEMPOTENCY, IdempotencyCodec::decode, visitor::idempotency, visitor);
            return true;
        });
    }

    private <T> void visit(Family family, Decoder<T> decoder, Consumer<T> show, RowVisitor visitor)
            throws RocksDBException {
        try (RocksIterator rows = database.rows(family)) {
            for (rows.seekToFirst(); rows.isValid(); rows.next()) {
                show(family, rows, decoder, show, visitor);
            }
            requireWhole(family, rows, visitor);
        }
    }

    /** The key of a ledger row begins with that of its counter, so both families are in one order. */
    private void visitCounters(RowVisitor visitor) throws RocksDBException {
        try (RocksIterator counters = database.rows(Family.COUNTERS);
                RocksIterator ledger = database.rows(Family.LEDGER)) {
            counters.seekToFirst();
            ledger.seekToFirst();
            while (counters.isValid() || ledger.isValid()) {
                boolean counterFirst = !ledger.isValid()
                        || counters.isValid() && Arrays.compareUnsigned(counters.key(), ledger.key()) <= 0;
                if (counterFirst) {
                    show(Family.COUNTERS, counters, CounterCodec::decode, visitor::counter, visitor);
                    counters.next();
                } else {
                    show(Family.LEDGER, ledger, LedgerCodec::decode, visitor::ledger, visitor);
                    ledger.next();
                }
            }
            requireWhole(Family.COUNTERS, counters, visitor);
            requireWhole(Family.LEDGER, ledger, visitor);
        }
    }

    private static <T> void show(
            Family family, RocksIterator rows, Decoder<T> decoder, Consumer<T> show, RowVisitor visitor) {
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

    /** Whether the iteration has come to the end of a family, and not to damage. */
    private static void requireWhole(Family family, RocksIterator rows, RowVisitor visitor) throws RocksDBException {
        try {
            rows.status();
        } catch (RocksDBException e) {
            requireDamage(e);
            visitor.damaged("family " + family + ", behind the rows that were read", String.valueOf(e.getMessage()));
        }
    }

    private static void requireDamage(RocksDBException e) throws RocksDBException {
        if (codeOf(e) != Status.Code.Corruption) {
            throw e;
        }
    }

    private static String nameOf(Family family, byte[] key) {
        return "family " + family + ", key " + HexFormat.of().formatHex(key)
                + (family == Family.DEFINITIONS ? " (" + new String(key, UTF_8) + ")" : "");
    }

    @Override
    public WriteOutcome apply(Change change) {
        EncodedChange rows = EncodedChange.of(change);
        return inside(() -> {
            int[] held = stripes.lock(rows.lockKeys());
            try {
                Optional<DefinitionRow> definition = rows.definition().isPresent()
                        ? readDefinition(rows.definition().get().key())
                        : Optional.empty();
                Optional<CounterRow> counter = rows.counter().isPresent()
                        ? readCounter(rows.counter().get().key())
                        : Optional.empty();
                Optional<IdempotencyRow> answer = rows.idempotency().isPresent()
                        ? readIdempotency(rows.idempotency().get().key())
                        : Optional.empty();
                boolean fits = follows(
                                change.definition().map(DefinitionRow::revision),
                                definition.map(DefinitionRow::revision))
                        && follows(change.counter().map(CounterRow::revision), counter.map(CounterRow::revision))
                        && answer.isEmpty()
                        && areNew(rows.ledger());
                return fits ? write(rows.all()) : new WriteOutcome.Refused(definition, counter, answer);
            } finally {
                stripes.unlock(held);
            }
        });
    }

    @Override
    public long sweepIdempotency(Instant now) {
        return inside(() -> {
            long left = 0;
            List<byte[]> expired = new ArrayList<>();
            try (RocksIterator rows = database.rows(Family.IDEMPOTENCY)) {
                for (rows.seekToFirst(); rows.isValid(); rows.next()) {
                    byte[] key = rows.key();
                    if (hasExpired(decode(Family.IDEMPOTENCY, key, rows.value(), IdempotencyCodec::decode), now)) {
                        expired.add(key);
                    } else {
                        left++;
                    }
                    if (expired.size() == SWEPT_AT_ONCE) {
                        removeExpired(expired, now);
                        expired.clear();
                    }
                }
                rows.status();
            }
            removeExpired(expired, now);
            return left;
        });
    }

    private static boolean hasExpired(IdempotencyRow row, Instant now) {
        return row.expires().isBefore(now);
    }

    /** Looks again under the stripes: a row may have gone meanwhile, and a new one have come under its key. */
    private void removeExpired(List<byte[]> keys, Instant now) throws RocksDBException {
        int[] held = stripes.lock(keys);
        try (WriteBatch batch = new WriteBatch()) {
            for (byte[] key : keys) {
                if (readIdempotency(key).filter(row -> hasExpired(row, now)).isPresent()) {
                    database.delete(batch, Family.IDEMPOTENCY, key);
                }
            }
            if (batch.count() > 0) {
                WriteOutcome unused = write(batch); // rows that are still there are removed by the next sweep
            }
        } finally {
            stripes.unlock(held);
        }
    }

    private WriteOutcome write(List<EncodedChange.Row> rows) throws RocksDBException {
        try (WriteBatch batch = new WriteBatch()) {
            for (EncodedChange.Row row : rows) {
                database.put(batch, row.family(), row.key(), row.value());
            }
            return write(batch);
        }
    }

    private WriteOutcome write(WriteBatch batch) {
        requireWorking(); // again: another write may have failed while this one waited for its stripes
        if (!isOwner()) {
            throw oust();
        }
        try {
            database.write(batch);
        } catch (RocksDBException | RuntimeException | Error e) {
            stop(new StoreException(
                    Kind.FAILED,
                    "the store in " + folder.path() + " has stopped: a write failed: " + e.getMessage(),
                    e));
            return new WriteOutcome.Unknown(e);
        }
        if (!isOwner()) {
            return new WriteOutcome.Unknown(oust());
        }
        // A failure of another write in between: RocksDB may have answered out of a cache that the disk lost.
        StoreException other = failure.get();
        return other == null ? new WriteOutcome.Applied() : new WriteOutcome.Unknown(other);
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

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public Optional<StoreException> failure() {
        return Optional.ofNullable(failure.get());
    }

    /**
     * Refuses new calls, waits for those under way, writes the memtables out and frees the folder. May be
     * called twice. Returns within about ten seconds: storage that hangs longer keeps its native handles and
     * the folder, and closes whenever it answers.
     *
     * @throws StoreException {@code UNAVAILABLE} where the storage still hangs; call it again to wait again
     */
    @Override
    public void close() {
        gate.shut();
        if (closing.compareAndSet(false, true)) {
            Thread closer = new Thread(this::release, "seriatim-rocksdb-close");
            closer.setDaemon(true);
            closer.start();
        }
        if (!awaitReleased()) {
            throw stop(new StoreException(
                    Kind.UNAVAILABLE,
                    "the store in " + folder.path() + " did not close within " + closeBound
                            + ": its storage hangs; the folder stays in use until it answers"));
        }
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

    private void closeDatabase() {
        try {
            if (failure.get() == null) {
                database.flush(); // spares the next open the replay; all rows are durable in the log without it
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

    /** Writes bytes as they are, for tests of what a reader does with them. */
    void putRaw(Family family, byte[] key, byte[] value) {
        inside(() -> write(List.of(new EncodedChange.Row(family, key, value))));
    }

    /** Keeps the first failure and returns the given one. */
    private StoreException stop(StoreException reason) {
        failure.compareAndSet(null, reason);
        return reason;
    }

    private Optional<DefinitionRow> readDefinition(byte[] key) throws RocksDBException {
        return read(Family.DEFINITIONS, key, DefinitionCodec::decode);
    }

    Optional<CounterRow> readCounter(byte[] key) throws RocksDBException {
        return read(Family.COUNTERS, key, CounterCodec::decode);
    }

    private Optional<IdempotencyRow> readIdempotency(byte[] key) throws RocksDBException {
        return read(Family.IDEMPOTENCY, key, IdempotencyCodec::decode);
    }

    private boolean areNew(List<EncodedChange.Row> ledger) throws RocksDBException {
        for (EncodedChange.Row row : ledger) {
            if (read(Family.LEDGER, row.key(), LedgerCodec::decode).isPresent()) {
                return false;
            }
        }
        return true;
    }

    /** A codec's way from bytes to a row. */
    private interface Decoder<T> {
        T decode(byte[] key, byte[] value) throws CorruptRowException;
    }

    private <T> Optional<T> read(Family family, byte[] key, Decoder<T> decoder) throws RocksDBException {
        byte[] value = database.get(family, key);
        return value == null ? Optional.empty() : Optional.of(decode(family, key, value, decoder));
    }

    private <T> T decode(Family family, byte[] key, byte[] value, Decoder<T> decoder) {
        try {
            return decoder.decode(key, value);
        } catch (CorruptRowException e) {
            throw stop(new StoreException(
                    Kind.CORRUPT,
                    "the store in " + folder.path() + " has stopped: a row is damaged, " + e.getMessage() + ": "
                            + nameOf(family, key),
                    e));
        }
    }

    /** Whether a row of the wanted revision goes over what is there; nothing is there at revision 0. */
    private static boolean follows(Optional<Long> wanted, Optional<Long> present) {
        return wanted.isEmpty() || present.orElse(0L) == wanted.get() - 1;
    }

    private static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    private static void requireLimit(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1: limit=" + limit);
        }
    }
}
