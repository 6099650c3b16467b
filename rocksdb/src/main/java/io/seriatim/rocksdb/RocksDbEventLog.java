package io.seriatim.rocksdb;

import io.seriatim.store.EventLogStore;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RowVisitor;
import io.seriatim.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** The event logs of a folder. Its end is not the folder's: that is closed by the store that it is of. */
final class RocksDbEventLog implements EventLogStore {

    private final Storage storage;
    private final Gate gate = new Gate();
    private final Map<PartitionKey, RocksDbPartition> partitions = new ConcurrentHashMap<>();

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

    /** Reads every row of event logs and tells the damaged ones. */
    static void visit(Storage storage, RowVisitor visitor) throws RocksDBException {
        storage.visit(Database.Family.PARTITIONS, PartitionCodec::decode, row -> {}, visitor);
        storage.visit(Database.Family.EVENTS, EventCodec::decode, row -> {}, visitor);
        storage.visit(Database.Family.HEADERS, HeadersCodec::decode, row -> {}, visitor);
        storage.visit(Database.Family.WORKSPACE_EVENTS, WorkspaceEventCodec::decode, row -> {}, visitor);
        storage.visit(Database.Family.RECORDS, RecordCodec::decode, row -> {}, visitor);
        storage.visit(Database.Family.REGISTRY, RegistryCodec::decode, row -> {}, visitor);
        storage.visit(Database.Family.NUMBERS, NumbersCodec::decode, row -> {}, visitor);
        try {
            HeaderCheck.check(storage.database(), visitor);
        } catch (RocksDBException e) {
            Storage.requireDamage(e); // told by the visit of its family
        }
    }
}
