package io.seriatim.store;

import java.time.Duration;

/**
 * A process that shares a store, as it says of itself.
 *
 * @param node unique to the process; not empty
 * @param url where its server is reached by the other nodes; empty of a process that serves nobody
 * @param beat rises with each sign of life, from 1 on; the row says nothing about when that was
 * @param lease how long without a sign of life others have to look at this row before they take the node for dead; from
 *     1 ms to an hour
 */
public record NodeRow(String node, String url, long beat, Duration lease) {

    private static final Duration LONGEST = Duration.ofHours(1);

    public NodeRow {
        Text.requireWellFormed("node", node);
        Text.requireWellFormed("url", url);
        if (node.isEmpty() || beat < 1) {
            throw new IllegalArgumentException(
                    "a node has a name, and beats from 1 on: node=" + node + " beat=" + beat);
        }
        if (lease.toMillis() < 1 || lease.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a lease is from 1 ms to 1 h: lease=" + lease);
        }
    }
}
