package io.seriatim.memory;

import io.seriatim.store.ClusterStore;
import io.seriatim.store.LeaseRow;
import io.seriatim.store.NodeRow;
import io.seriatim.store.PartitionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** Keeps nodes and leases in memory. For tests, and for several engines of one process on a store in memory. */
public final class MemoryClusterStore implements ClusterStore {

    private final LongSupplier nanoTime;

    private final Object lock = new Object();

    /** Guarded by {@code lock}. */
    private final NavigableMap<String, NodeRow> nodes = new TreeMap<>();

    /** When each of them was written. Guarded by {@code lock}. */
    private final Map<String, Long> writtenNanos = new HashMap<>();

    /** Guarded by {@code lock}. */
    private final NavigableMap<PartitionKey, LeaseRow> leases =
            new TreeMap<>(Comparator.comparingInt(PartitionKey::application).thenComparingInt(PartitionKey::partition));

    /**
     * Makes one without rows.
     *
     * @param nanoTime its clock, as {@link System#nanoTime}
     */
    public MemoryClusterStore(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    public Rows read() {
        synchronized (lock) {
            long now = nanoTime.getAsLong();
            Map<String, Duration> silences = new HashMap<>();
            writtenNanos.forEach((node, written) -> silences.put(node, Duration.ofNanos(now - written)));
            return new Rows(new ArrayList<>(nodes.values()), silences, new ArrayList<>(leases.values()));
        }
    }

    @Override
    public void write(NodeRow node) {
        synchronized (lock) {
            nodes.put(node.node(), node);
            writtenNanos.put(node.node(), nanoTime.getAsLong());
        }
    }

    @Override
    public void remove(String node, long beat) {
        synchronized (lock) {
            NodeRow present = nodes.get(node);
            if (present != null && present.beat() == beat) {
                nodes.remove(node);
                writtenNanos.remove(node);
            }
        }
    }

    @Override
    public Outcome write(LeaseRow lease) {
        synchronized (lock) {
            LeaseRow present = leases.get(lease.key());
            if ((present == null ? 0 : present.revision()) != lease.revision() - 1) {
                return Outcome.REFUSED;
            }
            leases.put(lease.key(), lease);
            return Outcome.APPLIED;
        }
    }
}
