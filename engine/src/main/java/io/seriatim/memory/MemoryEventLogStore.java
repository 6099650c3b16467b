package io.seriatim.memory;

import io.seriatim.store.ApplicationRow;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.StoreException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps all events in memory, each partition under a lock of its own. Its rows end with it: "durable" here means as
 * long as this object lives. For tests, and for logs that may start again with the process.
 */
public final class MemoryEventLogStore implements EventLogStore {

    private final Map<PartitionKey, MemoryPartition> partitions = new ConcurrentHashMap<>();
    private final Object lock = new Object();

    /** By id. Guarded by {@code lock}. */
    private final NavigableMap<Integer, ApplicationRow> applications = new TreeMap<>();

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

    @Override
    public List<ApplicationRow> applications() {
        synchronized (lock) {
            requireOpen();
            return List.copyOf(applications.values());
        }
    }

    @Override
    public LogOutcome write(ApplicationRow row) {
        synchronized (lock) {
            requireOpen();
            Optional<ApplicationRow> present = applications.values().stream()
                    .filter(each -> each.id() == row.id() || each.name().equals(row.name()))
                    .findFirst();
            if (present.isEmpty() && row.revision() != 1) {
                throw new IllegalArgumentException("an application that is not there begins at revision 1: " + row);
            }
            return present.flatMap(there -> landedOrOccupied(row, there)).orElseGet(() -> {
                applications.put(row.id(), row);
                return LogOutcome.Applied.APPLIED;
            });
        }
    }

    /** What a write answers where another row is: empty if it goes over that. */
    private static Optional<LogOutcome> landedOrOccupied(ApplicationRow row, ApplicationRow there) {
        boolean same = there.id() == row.id() && there.name().equals(row.name());
        if (same && there.revision() == row.revision() && there.mark().equals(row.mark())) {
            return Optional.of(LogOutcome.Applied.APPLIED);
        }
        return same && there.revision() == row.revision() - 1
                ? Optional.empty()
                : Optional.of(new LogOutcome.Occupied(there));
    }

    /** It does: a partition compares the epoch under the lock under which it writes. */
    @Override
    public boolean enforcesEpoch() {
        return true;
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
        synchronized (lock) {
            closed = true;
        }
        partitions.values().forEach(MemoryPartition::awaitCall);
    }

    void requireOpen() {
        if (closed) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "the store is closed");
        }
    }
}
