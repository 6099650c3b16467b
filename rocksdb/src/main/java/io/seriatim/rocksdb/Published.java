package io.seriatim.rocksdb;

import io.seriatim.rocksdb.Database.Family;
import io.seriatim.store.StoreException;
import io.seriatim.store.VersionedValue;
import io.seriatim.store.WriterMark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/** The newest durable put of each sequence. Safe for use by many threads, inside the storage. */
final class Published {

    /*
     * A pair comes here when the sync of its transaction has returned, or is read from its row, which RocksDB shows only
     * after the sync. So whatever is here is durable, and the newest of an id only rises. An entry may be forgotten at any
     * time and is then read again: to forget all of them is how the number of entries is bounded. So the look, the reading
     * and the entry are one step for each id (compute): were they three, an entry could be forgotten between them, and what
     * was then entered alone would be taken for the newest.
     *
     * Of two puts of an id only the newer one is of any use; the row of the other is superseded, and its key is noted.
     * A thousand of those are deleted with one write that is not synced: a power cut may bring them back, and they are
     * superseded still. Rows that a crash has left are noted when their id is read for the first time. So there are about
     * as many rows as there are sequences, however many puts there were, and nobody searches for rows to delete.
     *
     * Of two rows with one version, which only a caller's mistake makes, the one with the lesser mark counts. Under the
     * marks of one process that is the one whose transaction began first.
     */

    private static final int MOST_ENTRIES = 100_000;

    private static final int DELETED_AT_ONCE = 1_000;

    /** Of one id, at its first look; the rest is left for the next first look. */
    private static final int MOST_LEFT_OVER = 10_000;

    private static final WriterMark NOBODY = new WriterMark(0, 0);

    private record Put(VersionedValue pair, WriterMark mark) {

        static final Put NONE = new Put(VersionedValue.NONE, NOBODY);

        boolean isRow() {
            return pair.version() > 0;
        }
    }

    /** A row could not be read, on its way through the map. */
    private static final class Unread extends RuntimeException {

        private static final long serialVersionUID = 1;

        final transient RocksDBException reason;

        Unread(RocksDBException reason) {
            super(reason);
            this.reason = reason;
        }
    }

    private final Storage storage;
    private final int mostEntries;
    private final Map<Long, Put> newest = new ConcurrentHashMap<>();
    private final Queue<byte[]> superseded = new ConcurrentLinkedQueue<>();
    private final AtomicInteger supersededCount = new AtomicInteger();
    private final AtomicBoolean deleting = new AtomicBoolean();

    Published(Storage storage) {
        this(storage, MOST_ENTRIES);
    }

    /** @param mostEntries after which all are forgotten */
    Published(Storage storage, int mostEntries) {
        this.storage = storage;
        this.mostEntries = mostEntries;
    }

    VersionedValue newest(long id) throws RocksDBException {
        Put present = newest.get(id);
        if (present == null) {
            present = raise(id, Put.NONE);
            deleteSuperseded();
        }
        return present.pair();
    }

    /** The same if it is known without a look at the rows, else {@link VersionedValue#NONE}. */
    VersionedValue known(long id) {
        return newest.getOrDefault(id, Put.NONE).pair();
    }

    /**
     * Adds what a transaction has put, once it is durable. What fails here does not make that undone: an id whose rows cannot
     * be read has no entry, so the next look meets the same trouble and tells of it.
     */
    void add(Map<Long, VersionedValue> puts, WriterMark mark) {
        for (Map.Entry<Long, VersionedValue> put : puts.entrySet()) {
            quietly(() -> {
                Put unused = raise(put.getKey(), new Put(put.getValue(), mark));
            });
        }
        quietly(this::deleteSuperseded);
    }

    /** Forgets sequences whose drop is durable. What fails leaves rows that nobody asks for. */
    void removeAll(List<Long> ids) {
        ids.forEach(id -> quietly(() -> remove(id)));
    }

    private interface Step {
        void run() throws RocksDBException;
    }

    private static void quietly(Step step) {
        try {
            step.run();
        } catch (RocksDBException | StoreException e) {
            // Told by the next look; what is damaged has stopped the store, and is told by its failure.
        }
    }

    /** Forgets a sequence that is durably deleted; its rows are of no use any more. */
    void remove(long id) throws RocksDBException {
        Put last = read(id);
        if (last.isRow()) {
            note(PutCodec.key(id, last.pair().version(), last.mark()));
        }
        newest.remove(id);
        deleteSuperseded();
    }

    /** The newest put of an id, which may be the given one, and lies in its row if it is one. */
    private Put raise(long id, Put put) throws RocksDBException {
        if (newest.size() >= mostEntries && !newest.containsKey(id)) {
            newest.clear();
        }
        try {
            return newest.compute(id, (its, present) -> supersede(id, present == null ? readWithin(id) : present, put));
        } catch (Unread e) {
            throw e.reason;
        }
    }

    private Put readWithin(long id) {
        try {
            return read(id);
        } catch (RocksDBException e) {
            throw new Unread(e);
        }
    }

    private Put supersede(long id, Put present, Put other) {
        Put newer = newer(present, other);
        Put older = newer.equals(present) ? other : present;
        if (older.isRow() && !older.equals(newer)) {
            note(PutCodec.key(id, older.pair().version(), older.mark()));
        }
        return newer;
    }

    private static Put newer(Put one, Put other) {
        if (one.pair().version() != other.pair().version()) {
            return one.pair().isNewerThan(other.pair()) ? one : other;
        }
        return isLess(other.mark(), one.mark()) ? other : one;
    }

    /** In the order of keys. */
    private static boolean isLess(WriterMark one, WriterMark other) {
        int byWriter = Long.compareUnsigned(one.writer(), other.writer());
        return byWriter < 0 || byWriter == 0 && Long.compareUnsigned(one.write(), other.write()) < 0;
    }

    /** The newest row of an id; notes the others. */
    private Put read(long id) throws RocksDBException {
        byte[] prefix = PutCodec.prefix(id);
        Put found = Put.NONE;
        int noted = 0;
        try (RocksIterator rows = storage.database().rows(Family.PUTS)) {
            rows.seekForPrev(PutCodec.end(id));
            for (; rows.isValid() && Storage.startsWith(rows.key(), prefix) && noted < MOST_LEFT_OVER; rows.prev()) {
                PutCodec.Row row = storage.decode(Family.PUTS, rows.key(), rows.value(), PutCodec::decode);
                Put put = new Put(row.pair(), row.mark());
                if (found.isRow()) {
                    noted++;
                }
                found = found.isRow() ? supersede(id, found, put) : put;
            }
            rows.status();
        }
        return found;
    }

    private void note(byte[] key) {
        superseded.add(key);
        supersededCount.incrementAndGet();
    }

    /** Deletes what was noted, if it is enough to be worth a write, and nobody else is about it. */
    private void deleteSuperseded() throws RocksDBException {
        while (supersededCount.get() >= DELETED_AT_ONCE && deleting.compareAndSet(false, true)) {
            deleteSome();
        }
    }

    private void deleteSome() throws RocksDBException {
        try {
            List<byte[]> keys = new ArrayList<>(DELETED_AT_ONCE);
            for (byte[] key = superseded.poll(); key != null; key = superseded.poll()) {
                keys.add(key);
                if (keys.size() == DELETED_AT_ONCE) {
                    break;
                }
            }
            supersededCount.addAndGet(-keys.size());
            delete(keys);
        } finally {
            deleting.set(false);
        }
    }

    private void delete(List<byte[]> keys) throws RocksDBException {
        try (WriteBatch batch = new WriteBatch()) {
            for (byte[] key : keys) {
                storage.database().delete(batch, Family.PUTS, key);
            }
            Optional<Throwable> unused =
                    storage.write(batch, false); // a failure has stopped the store, and is told by it
        }
    }
}
