package io.seriatim.eventlog.application;

import io.seriatim.eventlog.application.FailureDetector.Nodes;
import io.seriatim.store.NodeRow;
import io.seriatim.store.PartitionKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Tells what has changed among the nodes, each change once. During a look, but for {@link #trouble}. */
final class ClusterNews {

    private final ClusterMember self;
    private final Consumer<ClusterEvent> listener;

    /** The others that lived at the last look. */
    private Map<String, NodeRow> before = Map.of();
    /** Whose url was complained of. */
    private Set<String> sameUrl = Set.of();
    /** From whom a partition was taken whose epoch is not known yet. */
    private final Map<PartitionKey, String> takenFrom = new HashMap<>();

    private final AtomicBoolean troubled = new AtomicBoolean();

    ClusterNews(ClusterMember self, Consumer<ClusterEvent> listener) {
        this.self = self;
        this.listener = listener;
    }

    void tell(ClusterEvent event) {
        listener.accept(event);
    }

    /**
     * Tells who has come and gone.
     *
     * @param rows all that are there
     */
    void nodes(List<NodeRow> rows, Nodes nodes) {
        Map<String, NodeRow> there = new HashMap<>();
        rows.forEach(row -> there.put(row.node(), row));
        Map<String, NodeRow> now = new HashMap<>();
        for (NodeRow row : rows) {
            if (!row.node().equals(self.node()) && nodes.isShownAlive(row.node())) {
                now.put(row.node(), row);
                if (!before.containsKey(row.node())) {
                    tell(new ClusterEvent.Joined(row.node(), row.url()));
                }
            }
        }
        before.forEach((node, row) -> {
            if (!now.containsKey(node)) {
                tell(
                        there.containsKey(node)
                                ? new ClusterEvent.Died(node, row.url(), row.lease())
                                : new ClusterEvent.Left(node, row.url()));
            }
        });
        before = now;
        urls(nodes.proven());
    }

    /**
     * Tells who says that it is called where this one is.
     *
     * @param proven those that are no leftovers
     */
    private void urls(Set<String> proven) {
        List<String> same = new ArrayList<>();
        for (NodeRow row : before.values()) {
            if (!row.url().isEmpty() && row.url().equals(self.url()) && proven.contains(row.node())) {
                same.add(row.node());
                if (!sameUrl.contains(row.node())) {
                    tell(new ClusterEvent.SameUrl(row.node(), row.url()));
                }
            }
        }
        sameUrl = Set.copyOf(same);
    }

    void taken(PartitionKey key, Optional<String> deadOwner) {
        takenFrom.remove(key);
        deadOwner.ifPresent(owner -> takenFrom.put(key, owner));
    }

    void opened(PartitionKey key, String application, long epoch) {
        tell(new ClusterEvent.Opened(application, key.partition(), epoch, Optional.ofNullable(takenFrom.remove(key))));
    }

    /** Is told after every beat and look; by any thread. */
    void trouble(Optional<String> what) {
        boolean now = what.isPresent();
        if (troubled.compareAndSet(!now, now)) {
            tell(what.<ClusterEvent>map(ClusterEvent.Troubled::new).orElseGet(ClusterEvent.Recovered::new));
        }
    }
}
