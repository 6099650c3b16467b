package io.seriatim.eventlog.application;

import io.seriatim.store.PartitionKey;
import java.util.Optional;

/** Where partitions are that do not run here, and whether those that do can run elsewhere by now. Never waits. */
interface Whereabouts {

    /** Of a process that has its store for itself. */
    Whereabouts ALONE = new Whereabouts() {
        @Override
        public boolean isSure() {
            return true;
        }

        @Override
        public Optional<ClusterState.Node> owner(PartitionKey key) {
            return Optional.empty();
        }
    };

    /** Whether what runs here runs nowhere else. */
    boolean isSure();

    /** The other node that has a partition; empty where none is known. */
    Optional<ClusterState.Node> owner(PartitionKey key);
}
