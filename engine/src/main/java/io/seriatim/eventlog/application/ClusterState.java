package io.seriatim.eventlog.application;

import io.seriatim.store.PartitionKey;
import java.util.List;
import java.util.Optional;

/**
 * What a node knows of the others, as of its last look, and what it has done.
 *
 * @param node this one
 * @param nodes in order of their names
 * @param partitions of deployed applications, in order of application and partition
 * @param taken how often this node has taken a partition since it started
 * @param takenFromDead how often of these its owner was dead
 * @param lost how often another node has taken a partition from this one
 * @param trouble why the last look or sign of life has failed, where it has
 */
public record ClusterState(
        String node,
        List<Node> nodes,
        List<Place> partitions,
        long taken,
        long takenFromDead,
        long lost,
        Optional<String> trouble) {

    /**
     * A process that shares the store.
     *
     * @param url where its server is reached; empty of a process that serves nobody
     * @param isAlive as far as this node knows: it has given a sign of life within its lease
     */
    public record Node(String name, String url, boolean isAlive) {}

    /**
     * Who is to have a partition.
     *
     * @param owner empty where nobody has it, or its owner is dead
     * @param epoch as the owner last said; 0 where none is known
     */
    public record Place(PartitionKey key, Optional<Node> owner, long epoch) {}

    public ClusterState {
        nodes = List.copyOf(nodes);
        partitions = List.copyOf(partitions);
    }

    /** Who is to have a partition; empty where nobody has it. */
    public Optional<Node> owner(PartitionKey key) {
        return partitions.stream()
                .filter(place -> place.key().equals(key))
                .findFirst()
                .flatMap(Place::owner);
    }
}
