package io.seriatim.eventlog.application;

import io.seriatim.store.PartitionKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which node is to have which partition. */
final class Assignment {

    /*
     * Every node works this out by itself, from the rows that all of them read, and comes to the same: it depends on
     * nothing else. Numbers of partitions differ by one at most. Who has a partition keeps it unless it has too many, so
     * a node that comes or goes moves no more than it must; the odd ones out are left to those that have most already.
     */

    private Assignment() {}

    /**
     * Works it out.
     *
     * @param partitions in order
     * @param nodes those that may have any
     * @param owners who has which now, of these nodes
     * @return the node of each partition; empty if there are no nodes
     */
    static Map<PartitionKey, String> of(
            Collection<PartitionKey> partitions, Collection<String> nodes, Map<PartitionKey, String> owners) {
        Map<PartitionKey, String> assigned = new LinkedHashMap<>();
        if (nodes.isEmpty()) {
            return assigned;
        }
        Map<String, Integer> room = room(partitions, nodes, owners);
        List<PartitionKey> free = new ArrayList<>();
        for (PartitionKey key : partitions) {
            String owner = owners.get(key);
            if (owner != null && room.getOrDefault(owner, 0) > 0) {
                room.merge(owner, -1, Integer::sum);
                assigned.put(key, owner);
            } else {
                free.add(key);
            }
        }
        for (PartitionKey key : free) {
            String emptiest = room.entrySet().stream()
                    .max(Map.Entry.<String, Integer>comparingByValue()
                            .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                    .orElseThrow()
                    .getKey();
            room.merge(emptiest, -1, Integer::sum);
            assigned.put(key, emptiest);
        }
        return assigned;
    }

    /** How many each may have. */
    private static Map<String, Integer> room(
            Collection<PartitionKey> partitions, Collection<String> nodes, Map<PartitionKey, String> owners) {
        Map<String, Integer> has = new HashMap<>();
        for (PartitionKey key : partitions) {
            String owner = owners.get(key);
            if (owner != null) {
                has.merge(owner, 1, Integer::sum);
            }
        }
        List<String> order = new ArrayList<>(nodes);
        order.sort(Comparator.<String>comparingInt(node -> -has.getOrDefault(node, 0))
                .thenComparing(Comparator.naturalOrder()));
        int even = partitions.size() / order.size();
        int odd = partitions.size() % order.size();
        Map<String, Integer> room = new HashMap<>();
        for (int i = 0; i < order.size(); i++) {
            room.put(order.get(i), even + (i < odd ? 1 : 0));
        }
        return room;
    }
}
