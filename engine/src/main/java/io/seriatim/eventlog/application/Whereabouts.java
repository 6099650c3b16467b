package io.seriatim.eventlog.application;

import io.seriatim.store.PartitionKey;
import java.util.Optional;

/** Where partitions are that do not run here. Never waits. */
interface Whereabouts {

    /** Of a process that has its store for itself. */
    Whereabouts ALONE = new Whereabouts() {
        @Override
        public boolean isShared() {
            return false;
        }

        @Override
        public Optional<ClusterState.Node> owner(PartitionKey key) {
            return Optional.empty();
        }
    };

    /** Whether other processes can have the partitions. */
    boolean isShared();

    /** The other node that has a partition; empty where none is known. */
    Optional<ClusterState.Node> owner(PartitionKey key);
}
