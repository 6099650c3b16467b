package io.seriatim.eventlog.application;

import java.time.Duration;

/**
 * A process as one of several that share a store.
 *
 * @param node its name, unique to this run of the process; 1 to 100 characters
 * @param url where the others reach its server; empty of a process that serves nobody: such a one has partitions only
 *     while no server lives
 * @param lease how long it may give no sign of life before others take its partitions; from 100 ms to an hour. Signs come
 *     five times in a lease, at least once a second
 */
public record ClusterMember(String node, String url, Duration lease) {

    private static final int LONGEST_NAME = 100;
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofHours(1);

    public ClusterMember {
        if (node.isEmpty() || node.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("a node has a name of 1 to " + LONGEST_NAME + " characters: " + node);
        }
        if (lease.compareTo(SHORTEST) < 0 || lease.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a lease is from 100 ms to 1 h: lease=" + lease);
        }
    }
}
