package io.seriatim.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What the processes that share a store tell each other: who is there, and who is to have which partition.
 *
 * <p>Safe for use by many threads. A method throws {@link StoreException} when it could not do its work; what it should
 * have written may then be written all the same, and a later {@link #read} tells.
 */
public interface ClusterStore {

    /** What became of a write over a revision. */
    enum Outcome {
        APPLIED,
        /** Nothing was written: another revision is there. */
        REFUSED,
        /** Applied or not, now or later; who reads finds out, as long as nobody has written over it. */
        UNKNOWN
    }

    /**
     * All rows as they were at one moment, each list in order of its key.
     *
     * @param nodes by name
     * @param silences how long ago, by the store's own clock and at most, each node's row was written; never below zero. It
     *     is wrong where somebody has set that clock meanwhile
     * @param leases by application and partition
     */
    record Rows(List<NodeRow> nodes, Map<String, Duration> silences, List<LeaseRow> leases) {
        public Rows {
            nodes = List.copyOf(nodes);
            silences = Map.copyOf(silences);
            leases = List.copyOf(leases);
        }
    }

    Rows read();

    /** Writes the row of a node, over the one that is there if there is one. Only the node itself does so. */
    void write(NodeRow node);

    /** Takes the row of a node away if it still has this beat. */
    void remove(String node, long beat);

    /** Writes a lease over the revision before the row's, or as a new one if that is 0. */
    Outcome write(LeaseRow lease);
}
