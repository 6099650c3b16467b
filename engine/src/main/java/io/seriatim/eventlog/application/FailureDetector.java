package io.seriatim.eventlog.application;

import io.seriatim.store.ClusterStore;
import io.seriatim.store.LeaseRow;
import io.seriatim.store.NodeRow;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Which nodes live, as far as their rows show it to this one. For one thread at a time. */
final class FailureDetector {

    /*
     * Each node raises a number in its row, its beat. No clock is compared with another machine's: a node is dead for me when
     * I have seen its row unchanged for as long as its lease is, by my own monotonic clock. What counts is the time from the
     * end of the read that showed the row first to the beginning of the one that shows it still the same; so a pause of
     * mine, wherever it falls, never makes another one dead.
     *
     * Who has just come has not watched. A row that was never seen to change, and is older than its lease by the store's own
     * clock, is silent: its node is shown as dead, is given nothing, and keeps nobody from what is free. What it has is taken
     * when the row has stayed as it is for two beats more, so a step of that clock takes nothing from one that beats.
     */

    private static final Duration LONGEST_BEAT = Duration.ofSeconds(1);
    private static final int BEATS_IN_LEASE = 5;
    /** For so many beats a silent row is watched before its node is dead. */
    private static final int BEATS_WATCHED = 2;
    /** A node is long dead after so many leases. */
    private static final int LEASES_SHOWN = 10;

    private final ClusterMember self;
    /** Of every node that the last look has shown. */
    private final Map<String, Sight> sights = new HashMap<>();

    /**
     * A row as it was first seen, and when that read had ended.
     *
     * @param beat 0 where a node has partitions and no row
     * @param isProven whether an earlier beat was seen: then the node has lived since this one began to look
     */
    private record Sight(long beat, long sinceNanos, boolean isProven) {}

    /**
     * What one look has shown.
     *
     * @param living those that may be writing, this one among them
     * @param silent those that were never seen to beat, and by the store's clock have not done so for their lease
     * @param proven those that were seen to beat
     * @param longDead those whose rows are of no use to anybody
     */
    record Nodes(Set<String> living, Set<String> silent, Set<String> proven, Set<String> longDead) {

        Nodes {
            living = Set.copyOf(living);
            silent = Set.copyOf(silent);
            proven = Set.copyOf(proven);
            longDead = Set.copyOf(longDead);
        }

        boolean lives(String node) {
            return living.contains(node);
        }

        /** Whether it is shown as alive, and may be given something. */
        boolean isShownAlive(String node) {
            return lives(node) && !silent.contains(node);
        }
    }

    FailureDetector(ClusterMember self) {
        this.self = self;
    }

    /** How often a node of this lease beats. */
    static Duration betweenBeats(Duration lease) {
        Duration part = lease.dividedBy(BEATS_IN_LEASE);
        return part.compareTo(LONGEST_BEAT) < 0 ? part : LONGEST_BEAT;
    }

    /**
     * Takes a look.
     *
     * @param beforeNanos when the read of the rows began, by the monotonic clock
     * @param afterNanos when it had ended
     */
    Nodes look(ClusterStore.Rows rows, long beforeNanos, long afterNanos) {
        Map<String, NodeRow> there = new HashMap<>();
        rows.nodes().forEach(row -> there.put(row.node(), row));
        Set<String> known = new HashSet<>(there.keySet());
        rows.leases().stream()
                .map(LeaseRow::owner)
                .filter(owner -> !owner.isEmpty())
                .forEach(known::add);
        sights.keySet().retainAll(known);

        Set<String> living = new HashSet<>(Set.of(self.node()));
        Set<String> silent = new HashSet<>();
        Set<String> proven = new HashSet<>();
        Set<String> longDead = new HashSet<>();
        for (String node : known) {
            NodeRow row = there.get(node);
            Sight sight = sight(node, row == null ? 0 : row.beat(), afterNanos);
            Duration lease = row == null ? self.lease() : row.lease();
            Duration age = row == null ? Duration.ZERO : rows.silences().getOrDefault(node, Duration.ZERO);
            boolean isSelf = node.equals(self.node());
            boolean isSilent = row != null && !isSelf && !sight.isProven() && age.compareTo(lease) >= 0;
            if (sight.isProven()) {
                proven.add(node);
            }
            if (isSilent) {
                silent.add(node);
            }
            Duration watched = Duration.ofNanos(beforeNanos - sight.sinceNanos());
            Duration wait = isSilent ? betweenBeats(lease).multipliedBy(BEATS_WATCHED) : lease;
            if (watched.compareTo(wait) < 0) {
                living.add(node);
            } else if (!isSelf
                    && (isSilent ? age : watched).dividedBy(LEASES_SHOWN).compareTo(lease) >= 0) {
                longDead.add(node);
            }
        }
        return new Nodes(living, silent, proven, longDead);
    }

    private Sight sight(String node, long beat, long nanos) {
        Sight before = sights.get(node);
        if (before != null && before.beat() == beat) {
            return before;
        }
        Sight now = new Sight(beat, nanos, before != null);
        sights.put(node, now);
        return now;
    }
}
