package io.seriatim.rocksdb;

import io.seriatim.rocksdb.Database.Family;
import io.seriatim.store.CatalogueRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import io.seriatim.store.Transaction;
import io.seriatim.store.TransactionalStore;
import io.seriatim.store.VersionedValue;
import io.seriatim.store.WriterMark;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Transactions over the user's rows and over what is put to transactional sequences, in one folder: both become durable
 * together or not at all.
 *
 * <p>Safe for use by many threads.
 */
public final class RocksDbTransactions implements TransactionalStore {

    /*
     * Ids are counted in memory, from behind the greatest that any row has. An id is durable before it leaves create; one
     * that was reserved for a transaction that came to nothing may come again with the next open, and has left nothing.
     *
     * Order of locks: gate, the storage's gate, then ids or a transaction, never both.
     */

    /** Each holds native memory, and a view of the database that RocksDB must keep. */
    private static final int MOST_OPEN = 10_000;

    private static final int MOST_FAMILIES = 100;

    private final Storage storage;
    private final Database database;
    private final Published published;
    private final Gate gate = new Gate();
    private final long writer = UUID.randomUUID().getMostSignificantBits();
    private final AtomicLong begun = new AtomicLong();
    private final Set<RocksDbTransaction> open = ConcurrentHashMap.newKeySet();

    /** Held by who makes or deletes a sequence or makes a family, from the look at the rows until the write is durable. */
    private final ReentrantLock ids = new ReentrantLock();

    /** The greatest id that was given out; 0 before the rows were asked. Guarded by ids. */
    private long lastId;

    RocksDbTransactions(Storage storage) {
        this.storage = storage;
        this.database = storage.database();
        this.published = new Published(storage);
        storage.beforeClose(this::endAll);
    }

    // ---- the user's transactions and rows

    /**
     * The family of the user's rows of a name, {@code [a-z][a-z0-9_]{0,62}}; made where it is missing, durable on return,
     * and in no transaction. There may be 100.
     *
     * @throws IllegalArgumentException if the name is another one, or there are too many
     * @throws StoreException if it could not be made
     */
    public RowFamily family(String name) {
        RowFamily family = new RowFamily(name);
        return inside(() -> {
            ids.lock();
            try {
                if (database.rowFamily(name) == null) {
                    if (database.rowFamilies() >= MOST_FAMILIES) {
                        throw new IllegalArgumentException("there are " + MOST_FAMILIES + " families already");
                    }
                    requireKnown(storage.createRowFamily(name));
                }
                return family;
            } finally {
                ids.unlock();
            }
        });
    }

    /**
     * Begins a transaction, which sees everything as it is now, whatever others commit meanwhile. The caller closes it.
     *
     * @throws StoreException {@code BUSY} if 10,000 are open, {@code UNAVAILABLE} if this is closed
     */
    public RocksDbTransaction begin() {
        return inside(() -> {
            if (open.size() >= MOST_OPEN) {
                throw new StoreException(Kind.BUSY, "there are " + MOST_OPEN + " open transactions");
            }
            WriterMark mark = new WriterMark(writer, begun.incrementAndGet());
            RocksDbTransaction transaction = new RocksDbTransaction(this, storage, database.begin(), mark);
            open.add(transaction);
            return transaction;
        });
    }

    void ended(RocksDbTransaction transaction) {
        open.remove(transaction);
    }

    Published published() {
        return published;
    }

    // ---- sequences without names

    @Override
    public long create() {
        return inside(() -> {
            ids.lock();
            try {
                long id = takeId();
                write(id, new SequenceCodec.Row(id, false, ""));
                return id;
            } finally {
                ids.unlock();
            }
        });
    }

    @Override
    public boolean delete(long id) {
        return inside(() -> {
            ids.lock();
            try {
                Optional<SequenceCodec.Row> row = sequence(id).filter(found -> !found.deleted());
                if (row.isEmpty()) {
                    return false;
                }
                if (!row.get().name().isEmpty()) {
                    throw new IllegalArgumentException("a sequence with a name is dropped by it: name="
                            + row.get().name());
                }
                write(id, new SequenceCodec.Row(id, true, ""));
                published.remove(id);
                return true;
            } finally {
                ids.unlock();
            }
        });
    }

    private void write(long id, SequenceCodec.Row row) throws RocksDBException {
        byte[] key = SequenceCodec.key(id);
        try (WriteBatch batch = new WriteBatch()) {
            database.put(batch, Family.SEQUENCES, key, SequenceCodec.value(key, row));
            requireKnown(storage.write(batch, true));
        }
    }

    private static void requireKnown(Optional<Throwable> unknown) {
        if (unknown.isPresent()) {
            throw new StoreException(
                    Kind.FAILED,
                    "a write failed, and whether it is there shows when the store is opened anew: "
                            + unknown.get().getMessage(),
                    unknown.get());
        }
    }

    /** Only under the lock. */
    private long takeId() throws RocksDBException {
        if (lastId == 0) {
            lastId = TransactionalRows.lastId(database);
        }
        lastId = Math.addExact(lastId, 1);
        return lastId;
    }

    private Optional<SequenceCodec.Row> sequence(long id) throws RocksDBException {
        return storage.read(Family.SEQUENCES, SequenceCodec.key(id), SequenceCodec::decode);
    }

    @Override
    public PutOutcome put(Transaction transaction, long id, VersionedValue pair) {
        TransactionalStore.requireVersion(pair);
        return ours(transaction).putPair(id, pair);
    }

    @Override
    public Optional<VersionedValue> find(long id) {
        return inside(() -> {
            boolean there = sequence(id).filter(row -> !row.deleted()).isPresent();
            return there ? Optional.of(published.newest(id)) : Optional.empty();
        });
    }

    /** The folder has one process: transactions of an earlier one are over. */
    @Override
    public Optional<VersionedValue> recover(long id) {
        return find(id);
    }

    // ---- sequences with names

    @Override
    public long reserveId() {
        return inside(() -> {
            ids.lock();
            try {
                return takeId();
            } finally {
                ids.unlock();
            }
        });
    }

    @Override
    public boolean define(Transaction transaction, CatalogueRow row) {
        return ours(transaction).define(row);
    }

    @Override
    public boolean drop(Transaction transaction, CatalogueRow row) {
        return ours(transaction).drop(row);
    }

    @Override
    public Optional<CatalogueRow> findEntry(Transaction transaction, String name) {
        return ours(transaction).findEntry(name);
    }

    @Override
    public Optional<CatalogueRow> findEntry(Transaction transaction, long id) {
        return ours(transaction).findEntry(id);
    }

    @Override
    public List<CatalogueRow> listEntries(Transaction transaction, String after, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1: limit=" + limit);
        }
        return ours(transaction).listEntries(after, limit);
    }

    private RocksDbTransaction ours(Transaction transaction) {
        if (transaction instanceof RocksDbTransaction ours && ours.isOf(this)) {
            return ours;
        }
        throw new IllegalArgumentException("the transaction is of another store");
    }

    // ---- the end

    @Override
    public Optional<StoreException> failure() {
        return storage.failure();
    }

    /** Refuses new calls, waits for those under way and undoes what is open. The folder stays open. May be called twice. */
    @Override
    public void close() {
        gate.shut();
        if (!gate.awaitEmpty(storage.closeBound())) {
            throw storage.hangs();
        }
        try {
            storage.inside(() -> {
                endAll();
                return this;
            });
        } catch (StoreException e) {
            // Closed or stopped: the storage ends them when it is closed.
        }
    }

    private void endAll() {
        open.forEach(RocksDbTransaction::end);
    }

    <T> T inside(Storage.Work<T> work) {
        gate.enter();
        try {
            return storage.inside(work);
        } finally {
            gate.leave();
        }
    }
}
