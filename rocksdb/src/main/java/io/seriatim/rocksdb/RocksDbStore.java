package io.seriatim.rocksdb;

import io.seriatim.rocksdb.Database.Family;
import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.CounterStore;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.RowVisitor;
import io.seriatim.store.StateCopy;
import io.seriatim.store.StoreException;
import io.seriatim.store.WriteOutcome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * Keeps counters and event logs in a folder of this machine. One process at a time; its threads share one sync where they
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
     * Order of locks: the storage's gate, then stripes in rising order.
     */

    private final Storage storage;
    private final Database database;
    private final Stripes stripes = new Stripes();

    private final RocksDbEventLog eventLog;
    private final @Nullable RocksDbTransactions transactions;

    private final AtomicBoolean backingUp = new AtomicBoolean();

    private RocksDbStore(Storage storage) {
        this.storage = storage;
        this.eventLog = new RocksDbEventLog(storage);
        this.database = storage.database();
        this.transactions = database.isTransactional() ? new RocksDbTransactions(storage) : null;
    }

    /**
     * Opens the store in a folder, which is made where it is missing, and readable by its owner only.
     *
     * @throws StoreException {@code IN_USE} while this or another process has it open, {@code CORRUPT} where
     *     the files are damaged, incomplete, of another program or of a newer version of this one,
     *     {@code UNAVAILABLE} where they cannot be read or written, {@code RESTORED} where they are a copy of which nobody
     *     has said what was handed out since, {@code MOVED} where everything went to another store
     */
    public static RocksDbStore open(Path folder) {
        return open(folder, Storage.Settings.DEFAULT);
    }

    static RocksDbStore open(Path folder, Storage.Settings settings) {
        return new RocksDbStore(Storage.open(folder, settings, Storage.Use.SERVE));
    }

    /**
     * The same, for {@link #transactions()} too, which takes 40 MiB of memory and some 30 ms more.
     *
     * @throws StoreException as {@link #open(Path)}
     */
    public static RocksDbStore openForTransactions(Path folder) {
        return openForTransactions(folder, Storage.Settings.DEFAULT);
    }

    static RocksDbStore openForTransactions(Path folder, Storage.Settings settings) {
        return new RocksDbStore(Storage.open(folder, settings, Storage.Use.SERVE_TRANSACTIONS));
    }

    /**
     * Opens the store in a folder to look at it, also where it must not serve. Whoever takes numbers from it hands them out
     * twice.
     *
     * @throws StoreException as {@link #open(Path)}, but not RESTORED and MOVED
     */
    public static RocksDbStore openToRead(Path folder) {
        return new RocksDbStore(Storage.open(folder, Storage.Settings.DEFAULT, Storage.Use.MAINTAIN));
    }

    /**
     * Opens the store in a folder that is a copy, to say what was handed out since. It is a new incarnation from then on,
     * with higher epochs, and {@link #open(Path)} refuses it until {@link #serve} was called. Where that is so already
     * nothing changes.
     *
     * @param copied when the copy was made, if that is known
     * @throws StoreException as {@link #open(Path)}, but not RESTORED
     */
    public static RocksDbStore openForRestore(Path folder, Optional<Instant> copied) {
        RocksDbStore store = openToRead(folder);
        try {
            store.beginRestore(folder, copied);
            return store;
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private void beginRestore(Path folder, Optional<Instant> copied) {
        StoreHeader header = storage.header();
        if (header.state() == StoreHeader.State.MOVED) {
            throw new StoreException(
                    StoreException.Kind.MOVED,
                    "the store in " + folder + " was moved to another place for good; it serves nothing here");
        }
        boolean knowsMore = copied.isPresent() && header.copied().isEmpty();
        boolean begun = header.state() == StoreHeader.State.RESTORED;
        if (begun && !knowsMore) {
            return;
        }
        storage.inside(() -> {
            try (WriteBatch batch = new WriteBatch()) {
                if (!begun) {
                    eventLog.raiseEpochs(batch);
                }
                storage.write(
                        begun
                                ? new StoreHeader(
                                        header.storeId(),
                                        header.incarnation(),
                                        header.incarnationId(),
                                        header.state(),
                                        copied)
                                : header.restored(UUID.randomUUID(), copied),
                        batch);
            }
            return true;
        });
    }

    /** The owners of the store that the rows are of may live on. */
    private void raiseEpochs() {
        storage.inside(() -> {
            try (WriteBatch batch = new WriteBatch()) {
                eventLog.raiseEpochs(batch);
                storage.write(storage.header(), batch);
            }
            return true;
        });
    }

    /** When the copy was made that this store was restored from; empty if nobody knows, or once it serves. */
    public Optional<Instant> copied() {
        return storage.header().copied();
    }

    /** Which incarnation of the store this is: 1, and one more for each restore. */
    public long incarnation() {
        return storage.header().incarnation();
    }

    /** Ends a restore: from now on the store may be opened to serve. Durable on return. */
    public void serve() {
        storage.inside(() -> {
            try (WriteBatch batch = new WriteBatch()) {
                storage.write(storage.header().in(StoreHeader.State.SERVING), batch);
            }
            return true;
        });
    }

    /**
     * Refuses a place for a new file or folder that lies inside a data folder or a backup, whatever links lead there.
     *
     * @throws IllegalArgumentException if it does
     */
    public static void requireOutside(Path place) throws IOException {
        PartFolder.requireOutside(place.toAbsolutePath());
    }

    /**
     * Whether a folder has a store, whoever has it open. Makes none.
     *
     * @throws StoreException CORRUPT if a restore or an import of it broke off, or is under way
     */
    public static boolean isStore(Path folder) {
        PartFolder.requireWhole(folder);
        return StoreFolder.isStore(folder);
    }

    /**
     * Requires that what this store has handed out is known.
     *
     * @throws StoreException RESTORED if it was restored from a copy, and nobody has said what was handed out since
     */
    public void requireKnown() {
        if (storage.header().state() == StoreHeader.State.RESTORED) {
            throw Storage.restored(storage.path());
        }
    }

    /**
     * Lets nobody open this store to serve any more: everything goes to another one. Cannot be taken back. Durable on return.
     *
     * @throws StoreException as {@link #requireKnown}
     */
    public void move() {
        requireKnown();
        storage.inside(() -> {
            try (WriteBatch batch = new WriteBatch()) {
                storage.write(storage.header().in(StoreHeader.State.MOVED), batch);
            }
            return true;
        });
    }

    /** How many transactional sequences there are, but for deleted ones. */
    public long transactionalSequences() {
        return storage.inside(() -> TransactionalRows.count(storage));
    }

    /** The families of the user that have rows: a visit does not show these. */
    public List<String> otherRows() {
        return storage.inside(database::filledRowFamilies);
    }

    /**
     * Makes a store of the rows of another one. All or nothing, durable on return. Epochs of partitions are then raised
     * beyond any that the other store can have come to.
     *
     * @param folder is not there yet
     * @param copied when the rows were read, if the other store may have handed out more since: then this one serves nothing
     *     before somebody has said how much, as after a restore
     * @throws IOException if something is at the folder already, or it cannot be made
     * @throws IllegalArgumentException if the folder lies inside a data folder or a backup
     */
    public static void load(Path folder, StateCopy copy, Optional<Instant> copied) throws IOException {
        try (PartFolder part = PartFolder.begin(folder)) {
            try (RocksDbStore store = openToRead(part.path())) {
                StateRows rows = new StateRows(store.storage);
                copy.showTo(rows);
                rows.end();
                copy.check(store::visit);
                if (copied.isPresent()) {
                    store.beginRestore(part.path(), copied); // raises the epochs too
                } else {
                    store.raiseEpochs();
                }
            }
            part.finish();
        }
    }

    /**
     * Copies the store as it is at one moment of this call, while it is in use. What was acknowledged before the call is in
     * the copy. One backup of a store at a time.
     *
     * @param target is not there yet; its folder is made where that is missing
     * @param now the wall clock
     * @param told the part that is done, 0 to 1
     * @throws StoreException UNAVAILABLE while another backup is made; may be retried
     * @throws IOException if something is at the target, or somebody is making it ({@code .part} behind the name), or the
     *     copy cannot be written; this store goes on
     * @throws IllegalArgumentException if the target lies inside a data folder or a backup
     */
    public Backup backup(Path target, Instant now, DoubleConsumer told) throws IOException {
        if (!backingUp.compareAndSet(false, true)) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "another backup of this store is being made");
        }
        try {
            long written = storage.inside(database::written);
            Path files = storage.checkpoint();
            try {
                return Backup.make(files, target, storage.header(), written, now, told);
            } finally {
                storage.emptyCheckpoint();
            }
        } finally {
            backingUp.set(false);
        }
    }

    /**
     * The event logs of the same folder, always the same object. Closing it ends event logs alone; closing this store
     * ends both, and only that frees the folder.
     */
    public EventLogStore eventLog() {
        return eventLog;
    }

    /**
     * The transactions of the same folder, always the same object. Closing it ends transactions alone; closing this store
     * ends all, and only that frees the folder.
     *
     * @throws IllegalStateException if the folder was not opened for transactions
     */
    public RocksDbTransactions transactions() {
        if (transactions == null) {
            throw new IllegalStateException("the store must be opened for transactions: openForTransactions");
        }
        return transactions;
    }

    /** What other users of the folder share with this one, and tests look at. */
    Storage storage() {
        return storage;
    }

    @Override
    public Optional<DefinitionRow> findDefinition(String name) {
        byte[] key = DefinitionCodec.key(DefinitionRow.fold(name));
        return storage.inside(() -> readDefinition(key));
    }

    @Override
    public List<DefinitionRow> listDefinitions(String prefix, String after, int limit) {
        requireLimit(limit);
        byte[] from = DefinitionCodec.key(DefinitionRow.fold(prefix));
        byte[] behind = DefinitionCodec.key(DefinitionRow.fold(after));
        return storage.inside(() -> {
            List<DefinitionRow> found = new ArrayList<>();
            try (RocksIterator rows = database.rows(Family.DEFINITIONS)) {
                rows.seek(Arrays.compareUnsigned(behind, from) > 0 ? behind : from);
                if (rows.isValid() && Arrays.equals(rows.key(), behind)) {
                    rows.next();
                }
                for (; found.size() < limit && rows.isValid() && Storage.startsWith(rows.key(), from); rows.next()) {
                    DefinitionRow row =
                            storage.decode(Family.DEFINITIONS, rows.key(), rows.value(), DefinitionCodec::decode);
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
        return storage.inside(() -> readCounter(bytes));
    }

    @Override
    public List<CounterRow> listCounters(long sequenceId, Optional<CounterKey> after, int limit) {
        requireLimit(limit);
        byte[] sequence = new RowWriter().putLong(sequenceId).toKey();
        byte[] from = after.map(CounterCodec::key).orElse(sequence);
        return storage.inside(() -> {
            List<CounterRow> found = new ArrayList<>();
            try (RocksIterator rows = database.rows(Family.COUNTERS)) {
                rows.seek(from);
                if (rows.isValid() && Arrays.equals(rows.key(), from)) {
                    rows.next();
                }
                for (;
                        found.size() < limit && rows.isValid() && Storage.startsWith(rows.key(), sequence);
                        rows.next()) {
                    found.add(storage.decode(Family.COUNTERS, rows.key(), rows.value(), CounterCodec::decode));
                }
                rows.status();
            }
            return List.copyOf(found);
        });
    }

    @Override
    public Optional<IdempotencyRow> findIdempotency(IdempotencyKey key) {
        byte[] bytes = IdempotencyCodec.key(key);
        return storage.inside(() -> readIdempotency(bytes));
    }

    @Override
    public List<LedgerRow> listLedger(CounterKey key, long fromIndex, int limit) {
        requireLimit(limit);
        byte[] ledger = CounterCodec.key(key);
        byte[] from = LedgerCodec.key(key, Math.max(1, fromIndex));
        return storage.inside(() -> {
            List<LedgerRow> found = new ArrayList<>();
            try (RocksIterator rows = database.rows(Family.LEDGER)) {
                rows.seek(from);
                for (; found.size() < limit && rows.isValid() && Storage.startsWith(rows.key(), ledger); rows.next()) {
                    found.add(storage.decode(Family.LEDGER, rows.key(), rows.value(), LedgerCodec::decode));
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
        storage.inside(() -> {
            storage.visitTables(visitor);
            storage.visit(Family.HEADER, (key, value) -> HeaderCodec.decode(value), id -> {}, visitor);
            storage.visit(Family.DEFINITIONS, DefinitionCodec::decode, visitor::definition, visitor);
            visitCounters(visitor);
            storage.visit(Family.IDEMPOTENCY, IdempotencyCodec::decode, visitor::idempotency, visitor);
            RocksDbEventLog.visit(storage, visitor);
            TransactionalRows.visit(storage, visitor);
            return true;
        });
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
                    Storage.show(Family.COUNTERS, counters, CounterCodec::decode, visitor::counter, visitor);
                    counters.next();
                } else {
                    Storage.show(Family.LEDGER, ledger, LedgerCodec::decode, visitor::ledger, visitor);
                    ledger.next();
                }
            }
            Storage.requireWhole(Family.COUNTERS, counters, visitor);
            Storage.requireWhole(Family.LEDGER, ledger, visitor);
        }
    }

    @Override
    public WriteOutcome apply(Change change) {
        EncodedChange rows = EncodedChange.of(change);
        return storage.inside(() -> {
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
        return storage.inside(() -> {
            long left = 0;
            List<byte[]> expired = new ArrayList<>();
            try (RocksIterator rows = database.rows(Family.IDEMPOTENCY)) {
                for (rows.seekToFirst(); rows.isValid(); rows.next()) {
                    byte[] key = rows.key();
                    if (hasExpired(
                            storage.decode(Family.IDEMPOTENCY, key, rows.value(), IdempotencyCodec::decode), now)) {
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
        return storage.write(batch, true)
                .<WriteOutcome>map(WriteOutcome.Unknown::new)
                .orElseGet(WriteOutcome.Applied::new);
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public Optional<StoreException> failure() {
        return storage.failure();
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
        storage.close();
    }

    private Optional<DefinitionRow> readDefinition(byte[] key) throws RocksDBException {
        return storage.read(Family.DEFINITIONS, key, DefinitionCodec::decode);
    }

    Optional<CounterRow> readCounter(byte[] key) throws RocksDBException {
        return storage.read(Family.COUNTERS, key, CounterCodec::decode);
    }

    private Optional<IdempotencyRow> readIdempotency(byte[] key) throws RocksDBException {
        return storage.read(Family.IDEMPOTENCY, key, IdempotencyCodec::decode);
    }

    private boolean areNew(List<EncodedChange.Row> ledger) throws RocksDBException {
        for (EncodedChange.Row row : ledger) {
            if (storage.read(Family.LEDGER, row.key(), LedgerCodec::decode).isPresent()) {
                return false;
            }
        }
        return true;
    }

    /** Whether a row of the wanted revision goes over what is there; nothing is there at revision 0. */
    private static boolean follows(Optional<Long> wanted, Optional<Long> present) {
        return wanted.isEmpty() || present.orElse(0L) == wanted.get() - 1;
    }

    private static void requireLimit(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1: limit=" + limit);
        }
    }
}
