package io.seriatim.rocksdb;

import io.seriatim.store.ApplicationRow;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RowVisitor;
import io.seriatim.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/** The event logs of a folder. Its end is not the folder's: that is closed by the store that it is of. */
final class RocksDbEventLog implements EventLogStore {

    /** An epoch is a start of a server, or trouble; no store that is copied back has seen so many since. */
    static final long EPOCHS_OF_A_LIFE = 1_000_000;

    private final Storage storage;
    private final Gate gate = new Gate();
    private final Map<PartitionKey, RocksDbPartition> partitions = new ConcurrentHashMap<>();

    /** Held by who writes an application, from the look at those that are there until the write is durable. */
    private final ReentrantLock deploys = new ReentrantLock();

    RocksDbEventLog(Storage storage) {
        this.storage = storage;
    }

    @Override
    public PartitionStore partition(PartitionKey key) {
        return partitions.computeIfAbsent(key, each -> new RocksDbPartition(each, this, storage));
    }

    @Override
    public List<PartitionKey> partitions() {
        return inside(() -> {
            List<PartitionKey> found = new ArrayList<>();
            try (RocksIterator rows = storage.database().rows(Database.Family.PARTITIONS)) {
                for (rows.seekToFirst(); rows.isValid(); rows.next()) {
                    storage.decode(Database.Family.PARTITIONS, rows.key(), rows.value(), PartitionCodec::ownedPartition)
                            .ifPresent(found::add);
                }
                rows.status();
            }
            return List.copyOf(found);
        });
    }

    @Override
    public List<ApplicationRow> applications() {
        return inside(this::readApplications);
    }

    private List<ApplicationRow> readApplications() throws RocksDBException {
        List<ApplicationRow> found = new ArrayList<>();
        try (RocksIterator rows = storage.database().rows(Database.Family.APPLICATIONS)) {
            for (rows.seekToFirst(); rows.isValid(); rows.next()) {
                found.add(storage.decode(
                        Database.Family.APPLICATIONS, rows.key(), rows.value(), ApplicationCodec::decode));
            }
            rows.status();
        }
        return List.copyOf(found);
    }

    @Override
    public LogOutcome write(ApplicationRow row) {
        byte[] key = ApplicationCodec.key(row.id());
        byte[] value = ApplicationCodec.value(key, row);
        return inside(() -> {
            deploys.lock();
            try {
                Optional<LogOutcome> answer = landedOrOccupied(row, readApplications());
                return answer.isPresent() ? answer.get() : write(key, value);
            } finally {
                deploys.unlock();
            }
        });
    }

    /** What a write answers where an application of its id or its name is: empty if it goes over that, or is new. */
    private static Optional<LogOutcome> landedOrOccupied(ApplicationRow row, List<ApplicationRow> all) {
        Optional<ApplicationRow> present = all.stream()
                .filter(each -> each.id() == row.id() || each.name().equals(row.name()))
                .findFirst();
        if (present.isEmpty()) {
            if (row.revision() != 1) {
                throw new IllegalArgumentException("an application that is not there begins at revision 1: " + row);
            }
            return Optional.empty();
        }
        ApplicationRow there = present.get();
        boolean same = there.id() == row.id() && there.name().equals(row.name());
        if (same && there.revision() == row.revision() && there.mark().equals(row.mark())) {
            return Optional.of(LogOutcome.Applied.APPLIED);
        }
        return same && there.revision() == row.revision() - 1
                ? Optional.empty()
                : Optional.of(new LogOutcome.Occupied(there));
    }

    private LogOutcome write(byte[] key, byte[] value) throws RocksDBException {
        try (WriteBatch batch = new WriteBatch()) {
            storage.database().put(batch, Database.Family.APPLICATIONS, key, value);
            return storage.write(batch, true)
                    .<LogOutcome>map(LogOutcome.Unknown::new)
                    .orElse(LogOutcome.Applied.APPLIED);
        }
    }

    /** Raises the epoch of every partition beyond any that its owners can have come to in another life of the store. */
    void raiseEpochs(WriteBatch batch) throws RocksDBException {
        try (RocksIterator rows = storage.database().rows(Database.Family.PARTITIONS)) {
            for (rows.seekToFirst(); rows.isValid(); rows.next()) {
                byte[] key = rows.key();
                Optional<PartitionKey> partition =
                        storage.decode(Database.Family.PARTITIONS, key, rows.value(), PartitionCodec::ownedPartition);
                if (partition.isPresent()) {
                    long epoch = storage.decode(Database.Family.PARTITIONS, key, rows.value(), PartitionCodec::decode)
                                    .nextOffset()
                            + EPOCHS_OF_A_LIFE;
                    storage.database()
                            .put(batch, Database.Family.PARTITIONS, key, PartitionCodec.value(key, epoch, epoch));
                }
            }
            rows.status();
        }
    }

    /** It does: the folder has one owner, and a partition compares the epoch under the lock under which it writes. */
    @Override
    public boolean enforcesEpoch() {
        return true;
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public Optional<StoreException> failure() {
        return storage.failure();
    }

    @Override
    public void close() {
        gate.shut();
        if (!gate.awaitEmpty(storage.closeBound())) {
            throw storage.hangs();
        }
    }

    <T> T inside(Storage.Work<T> work) {
        gate.enter();
        try {
            return storage.inside(work);
        } finally {
            gate.leave();
        }
    }

    // ---- the check, and the move

    /** A row, and the partition that its key begins with. */
    private record InPartition<T>(PartitionKey partition, T row) {}

    private static <T> Storage.Decoder<InPartition<T>> inPartition(Storage.Decoder<T> decoder) {
        return (key, value) -> {
            T row = decoder.decode(key, value); // refuses a key that is too short
            return new InPartition<>(RowReader.ofKey(key).getPartition(), row);
        };
    }

    private static <T> void visit(
            Storage storage,
            Database.Family family,
            Storage.Decoder<T> decoder,
            BiConsumer<PartitionKey, T> show,
            RowVisitor visitor)
            throws RocksDBException {
        storage.visit(family, inPartition(decoder), row -> show.accept(row.partition(), row.row()), visitor);
    }

    /** Shows every row of event logs, and tells the damaged ones. */
    static void visit(Storage storage, RowVisitor visitor) throws RocksDBException {
        storage.visit(Database.Family.APPLICATIONS, ApplicationCodec::decode, visitor::application, visitor);
        visit(
                storage,
                Database.Family.PARTITIONS,
                PartitionCodec::decodeFact,
                (key, row) -> row.show(key, visitor),
                visitor);
        visit(storage, Database.Family.EVENTS, EventCodec::decode, visitor::event, visitor);
        storage.visit(Database.Family.HEADERS, HeadersCodec::decode, row -> {}, visitor);
        visit(storage, Database.Family.WORKSPACE_EVENTS, WorkspaceEventCodec::decode, visitor::workspaceEvent, visitor);
        visit(storage, Database.Family.RECORDS, RecordCodec::decode, visitor::record, visitor);
        visit(storage, Database.Family.REGISTRY, RegistryCodec::decode, visitor::registered, visitor);
        visit(storage, Database.Family.KEYS, KeyCodec::decode, visitor::keyed, visitor);
        visit(storage, Database.Family.SKIPPED, SkippedCodec::decode, visitor::skipped, visitor);
        visit(storage, Database.Family.NUMBERS, NumbersCodec::decodeRow, visitor::numbers, visitor);
        try {
            HeaderCheck.check(storage.database(), visitor);
        } catch (RocksDBException e) {
            Storage.requireDamage(e); // told by the visit of its family
        }
    }
}
