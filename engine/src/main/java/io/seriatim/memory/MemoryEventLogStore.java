package io.seriatim.memory;

import io.seriatim.store.EventLogStore;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.StoreException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps all events in memory, each partition under a lock of its own. Its rows end with it: "durable" here means as
 * long as this object lives. For tests, and for logs that may start again with the process.
 */
public final class MemoryEventLogStore implements EventLogStore {

    private final Map<PartitionKey, MemoryPartition> partitions = new ConcurrentHashMap<>();
    private volatile boolean closed;

    @Override
    public PartitionStore partition(PartitionKey key) {
        return partitions.computeIfAbsent(key, each -> new MemoryPartition(each, this));
    }

    @Override
    public List<PartitionKey> partitions() {
        return partitions.values().stream()
                .filter(partition -> partition.epoch() > 0)
                .map(MemoryPartition::key)
                .sorted(Comparator.comparingInt(PartitionKey::application).thenComparingInt(PartitionKey::partition))
                .toList();
    }

    /** Several engines of this process can. */
    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public Optional<StoreException> failure() {
        return Optional.empty();
    }

    @Override
    public void close() {
        closed = true;
        partitions.values().forEach(MemoryPartition::awaitCall);
    }

    void requireOpen() {
        if (closed) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "the store is closed");
        }
    }
}
