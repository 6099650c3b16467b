package io.seriatim.memory;

import io.seriatim.store.ClusterStore;
import io.seriatim.store.LeaseRow;
import io.seriatim.store.NodeRow;
import io.seriatim.store.PartitionKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Keeps nodes and leases in memory. For tests, and for several engines of one process on a store in memory. */
public final class MemoryClusterStore implements ClusterStore {

    private final Object lock = new Object();

    /** Guarded by {@code lock}. */
    private final NavigableMap<String, NodeRow> nodes = new TreeMap<>();

    /** Guarded by {@code lock}. */
    private final NavigableMap<PartitionKey, LeaseRow> leases =
            new TreeMap<>(Comparator.comparingInt(PartitionKey::application).thenComparingInt(PartitionKey::partition));

    @Override
    public Rows read() {
        synchronized (lock) {
            return new Rows(new ArrayList<>(nodes.values()), new ArrayList<>(leases.values()));
        }
    }

    @Override
    public void write(NodeRow node) {
        synchronized (lock) {
            nodes.put(node.node(), node);
        }
    }

    @Override
    public void remove(String node, long beat) {
        synchronized (lock) {
            NodeRow present = nodes.get(node);
            if (present != null && present.beat() == beat) {
                nodes.remove(node);
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
