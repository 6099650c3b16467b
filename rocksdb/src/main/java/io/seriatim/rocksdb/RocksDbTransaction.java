package io.seriatim.rocksdb;

import io.seriatim.rocksdb.Database.Family;
import io.seriatim.store.CatalogueRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import io.seriatim.store.Transaction;
import io.seriatim.store.TransactionalStore.PutOutcome;
import io.seriatim.store.VersionedValue;
import io.seriatim.store.WriterMark;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * A transaction over a folder: the user's rows, and what is put to transactional sequences. It sees everything as it was
 * when it began, and what it has written itself. Nothing is durable before {@link #commit} has returned, and then all is.
 *
 * <p>Rows are not locked. A transaction that wrote or {@link #getForUpdate read for update} a row that another one has
 * changed since it began fails at its commit with {@code CONFLICT}; then it is undone, and may be run again from its
 * beginning. So may one that was open so long that RocksDB no longer knows what was changed meanwhile. Puts to
 * sequences take no part in that: they never conflict.
 *
 * <p>Used by one thread at a time. Every call throws {@link IllegalStateException} after the end, and {@link StoreException}
 * where the store cannot do its work.
 */
public final class RocksDbTransaction implements Transaction, AutoCloseable {

    /*
     * RocksDB's transaction holds the user's rows. What is put to sequences stays in a map, of which only the newest pair of
     * each sequence counts, and becomes rows at the commit, one for each sequence: a transaction that draws a thousand
     * values writes one row. A pair that is not newer than the published one is left out, for it has lost.
     *
     * Native memory is freed once, under this object's monitor, by whoever is first: the commit, the abort, or the end of
     * the store, which comes when nobody is inside. Everything else looks under the monitor whether it is still there.
     */

    /** RocksDB holds the rows of a transaction in memory, once as they are and once in order. */
    private static final long MOST_BYTES = 64 << 20;

    private static final int MOST_SEQUENCES = 100_000;
    private static final int MOST_SAVEPOINTS = 1_000;
    /** Of all savepoints together; each remembers what was put before it. */
    private static final int MOST_REMEMBERED = 1_000_000;

    /** A row of the user. */
    @SuppressWarnings("ArrayRecordComponent") // not copied, and compared by what they hold
    public record Row(byte[] key, byte[] value) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Row that && Arrays.equals(key, that.key) && Arrays.equals(value, that.value);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(key) + Arrays.hashCode(value);
        }

        @Override
        public String toString() {
            return "Row[key of " + key.length + " bytes, value of " + value.length + " bytes]";
        }
    }

    /** What is known beside RocksDB's own savepoint. */
    private record Savepoint(Map<Long, VersionedValue> puts, int dropped, boolean touched, long bytes) {}

    private final RocksDbTransactions transactions;
    private final Storage storage;
    private final Database database;
    private final org.rocksdb.Transaction rows;
    private final ReadOptions reads;
    private final WriterMark mark;

    /** Guarded by this object's monitor, as all below. */
    private Map<Long, VersionedValue> puts = new HashMap<>();

    /** The ids of the sequences that the transaction has dropped. */
    private final List<Long> dropped = new ArrayList<>();

    private final Deque<Savepoint> savepoints = new ArrayDeque<>();

    /** Whether RocksDB has rows to write or to compare. */
    private boolean touched;

    private long bytes;
    private boolean ended;

    RocksDbTransaction(
            RocksDbTransactions transactions, Storage storage, org.rocksdb.Transaction rows, WriterMark mark) {
        this.transactions = transactions;
        this.storage = storage;
        this.database = storage.database();
        this.rows = rows;
        this.reads = new ReadOptions().setSnapshot(rows.getSnapshot());
        this.mark = mark;
    }

    boolean isOf(RocksDbTransactions others) {
        return transactions == others;
    }

    // ---- the user's rows

    /** The value of a row; empty where there is none. */
    public Optional<byte[]> get(RowFamily family, byte[] key) {
        return inside(() -> Optional.ofNullable(rows.get(reads, handle(family), key)));
    }

    /** The same, and the commit fails if another transaction changes the row before it. */
    public Optional<byte[]> getForUpdate(RowFamily family, byte[] key) {
        return inside(() -> {
            change(key.length);
            return Optional.ofNullable(rows.getForUpdate(reads, handle(family), key, true));
        });
    }

    /**
     * Rows in order of their keys, compared as bytes without sign.
     *
     * @param from the first key that may be among them
     * @param limit at least 1
     */
    public List<Row> scan(RowFamily family, byte[] from, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1: limit=" + limit);
        }
        return inside(() -> {
            List<Row> found = new ArrayList<>();
            try (RocksIterator at = rows.getIterator(reads, handle(family))) {
                for (at.seek(from); at.isValid() && found.size() < limit; at.next()) {
                    found.add(new Row(at.key(), at.value()));
                }
                at.status();
            }
            return List.copyOf(found);
        });
    }

    /**
     * Writes a row over whatever is there.
     *
     * @throws IllegalArgumentException if the transaction would hold more than 64 MiB
     */
    public void put(RowFamily family, byte[] key, byte[] value) {
        inside(() -> {
            change((long) key.length + value.length);
            rows.put(handle(family), key, value);
            return this;
        });
    }

    /** Deletes a row, whether it is there or not. */
    public void delete(RowFamily family, byte[] key) {
        inside(() -> {
            change(key.length);
            rows.delete(handle(family), key);
            return this;
        });
    }

    private void change(long more) {
        if (bytes + more > MOST_BYTES) {
            throw new IllegalArgumentException("a transaction holds at most " + MOST_BYTES + " bytes");
        }
        bytes += more;
        touched = true;
    }

    private ColumnFamilyHandle handle(RowFamily family) {
        return Objects.requireNonNull(database.rowFamily(family.name()), () -> "no such family: " + family.name());
    }

    // ---- the end

    /** Marks a point to which {@link #rollbackToSavepoint} goes back; within it there may be others, at most 1,000 in all. */
    public void setSavepoint() {
        inside(() -> {
            if (savepoints.size() >= MOST_SAVEPOINTS) {
                throw new IllegalArgumentException("there are " + MOST_SAVEPOINTS + " savepoints already");
            }
            long remembered =
                    savepoints.stream().mapToLong(each -> each.puts().size()).sum();
            if (remembered + puts.size() > MOST_REMEMBERED) {
                throw new IllegalArgumentException("savepoints remember at most " + MOST_REMEMBERED + " puts");
            }
            rows.setSavePoint();
            savepoints.push(new Savepoint(new HashMap<>(puts), dropped.size(), touched, bytes));
            return this;
        });
    }

    /**
     * Undoes everything since the last savepoint, which is gone then.
     *
     * @throws NoSuchElementException if there is none
     */
    public void rollbackToSavepoint() {
        inside(() -> {
            Savepoint last = savepoints.pop();
            rows.rollbackToSavePoint();
            puts = last.puts();
            dropped.subList(last.dropped(), dropped.size()).clear();
            touched = last.touched();
            bytes = last.bytes();
            return this;
        });
    }

    /**
     * Makes everything that the transaction wrote and put durable, all or nothing, and ends it. Transactions that commit at
     * the same time share one sync. On return it is durable.
     *
     * @throws StoreException {@code CONFLICT} if another transaction was first with a row: nothing is written, this one may
     *     be run again. {@code FAILED} if a write or sync failed: the store has stopped, and whether this transaction is
     *     there shows when it is opened anew. Any other: nothing is written
     */
    public void commit() {
        inside(() -> {
            try {
                write();
            } finally {
                end();
            }
            return this;
        });
    }

    private void write() throws RocksDBException {
        Map<Long, VersionedValue> wanted = new HashMap<>(puts);
        wanted.entrySet()
                .removeIf(put ->
                        !put.getValue().isNewerThan(transactions.published().known(put.getKey())));
        for (Map.Entry<Long, VersionedValue> put : wanted.entrySet()) {
            byte[] key = PutCodec.key(put.getKey(), put.getValue().version(), mark);
            rows.putUntracked(
                    database.handle(Family.PUTS),
                    key,
                    PutCodec.value(key, put.getValue().value()));
        }
        if (wanted.isEmpty() && !touched) {
            return; // nothing to write, and nothing to sync for
        }
        Optional<Throwable> unknown = storage.commit(rows);
        if (unknown.isPresent()) {
            throw new StoreException(
                    Kind.FAILED,
                    "a commit failed, and whether it is there shows when the store is opened anew: "
                            + unknown.get().getMessage(),
                    unknown.get());
        }
        transactions.published().add(wanted, mark);
        transactions.published().removeAll(dropped);
    }

    /** Undoes everything, and ends the transaction. Does nothing after a commit, or a second time. */
    @Override
    public void close() {
        synchronized (this) {
            if (ended) {
                return;
            }
        }
        try {
            storage.inside(() -> {
                end();
                return this;
            });
        } catch (StoreException e) {
            // Closed or stopped: the storage ends it when it is closed, and nothing of it was written.
        }
    }

    /** Frees what is native; whoever calls is inside, or nobody is. */
    synchronized void end() {
        if (!ended) {
            ended = true;
            reads.close();
            rows.close(); // of one that is not committed, nothing is written
            transactions.ended(this);
        }
    }

    private <T> T inside(Storage.Work<T> work) {
        return transactions.inside(() -> {
            synchronized (this) {
                if (ended) {
                    throw new IllegalStateException("the transaction has ended");
                }
                return work.run();
            }
        });
    }

    // ---- sequences

    PutOutcome putPair(long id, VersionedValue pair) {
        return inside(() -> {
            VersionedValue present = puts.get(id);
            if (present != null && !pair.isNewerThan(present)) {
                return PutOutcome.NOT_NEWER;
            }
            if (present == null && puts.size() >= MOST_SEQUENCES) {
                throw new IllegalArgumentException("a transaction puts to at most " + MOST_SEQUENCES + " sequences");
            }
            puts.put(id, pair);
            return PutOutcome.WRITTEN;
        });
    }

    boolean define(CatalogueRow row) {
        byte[] key = CatalogueCodec.key(row.name());
        byte[] value = CatalogueCodec.value(key, row);
        return inside(() -> {
            change(key.length + value.length);
            if (rows.getForUpdate(reads, database.handle(Family.CATALOGUE), key, true) != null) {
                return false;
            }
            rows.put(database.handle(Family.CATALOGUE), key, value);
            writeSequence(new SequenceCodec.Row(row.sequenceId(), false, row.name()));
            return true;
        });
    }

    boolean drop(CatalogueRow row) {
        byte[] key = CatalogueCodec.key(row.name());
        return inside(() -> {
            change(key.length);
            byte[] value = rows.getForUpdate(reads, database.handle(Family.CATALOGUE), key, true);
            if (value == null || entry(key, value).sequenceId() != row.sequenceId()) {
                return false;
            }
            rows.delete(database.handle(Family.CATALOGUE), key);
            writeSequence(new SequenceCodec.Row(row.sequenceId(), true, row.name()));
            dropped.add(row.sequenceId());
            return true;
        });
    }

    /** The row of the name is compared at the commit, and stands for this one too. */
    private void writeSequence(SequenceCodec.Row row) throws RocksDBException {
        byte[] key = SequenceCodec.key(row.id());
        rows.putUntracked(database.handle(Family.SEQUENCES), key, SequenceCodec.value(key, row));
    }

    Optional<CatalogueRow> findEntry(String name) {
        byte[] key = CatalogueCodec.key(name);
        return inside(() -> readEntry(key));
    }

    Optional<CatalogueRow> findEntry(long id) {
        byte[] key = SequenceCodec.key(id);
        return inside(() -> {
            byte @Nullable [] value = rows.get(reads, database.handle(Family.SEQUENCES), key);
            if (value == null) {
                return Optional.empty();
            }
            SequenceCodec.Row row = storage.decode(Family.SEQUENCES, key, value, SequenceCodec::decode);
            return row.deleted() || row.name().isEmpty() ? Optional.empty() : readEntry(CatalogueCodec.key(row.name()));
        });
    }

    private Optional<CatalogueRow> readEntry(byte[] key) throws RocksDBException {
        byte @Nullable [] value = rows.get(reads, database.handle(Family.CATALOGUE), key);
        return value == null ? Optional.empty() : Optional.of(entry(key, value));
    }

    private CatalogueRow entry(byte[] key, byte[] value) {
        return storage.decode(Family.CATALOGUE, key, value, CatalogueCodec::decode);
    }

    List<CatalogueRow> listEntries(String after, int limit) {
        byte[] behind = CatalogueCodec.key(after);
        return inside(() -> {
            List<CatalogueRow> found = new ArrayList<>();
            try (RocksIterator at = rows.getIterator(reads, database.handle(Family.CATALOGUE))) {
                at.seek(behind);
                if (at.isValid() && Arrays.equals(at.key(), behind)) {
                    at.next();
                }
                for (; at.isValid() && found.size() < limit; at.next()) {
                    found.add(entry(at.key(), at.value()));
                }
                at.status();
            }
            return List.copyOf(found);
        });
    }
}
