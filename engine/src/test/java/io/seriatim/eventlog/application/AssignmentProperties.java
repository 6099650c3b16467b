package io.seriatim.eventlog.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.store.PartitionKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** What {@link Assignment} promises, whoever has what. */
class AssignmentProperties {

    @Property
    void of_isEven_andKeepsWhatItCan(
            @ForAll @IntRange(max = 40) int count,
            @ForAll @Size(max = 6) Set<@IntRange(max = 9) Integer> nodeNumbers,
            @ForAll @Size(40) List<@IntRange(min = -1, max = 9) Integer> ownerNumbers) {
        List<PartitionKey> partitions = partitions(count);
        Set<String> nodes = new TreeSet<>();
        nodeNumbers.forEach(number -> nodes.add("n" + number));
        Map<PartitionKey, String> owners = new HashMap<>();
        for (int i = 0; i < count; i++) {
            if (nodes.contains("n" + ownerNumbers.get(i))) {
                owners.put(partitions.get(i), "n" + ownerNumbers.get(i));
            }
        }

        Map<PartitionKey, String> assigned = Assignment.of(partitions, nodes, owners);

        if (nodes.isEmpty()) {
            assertThat(assigned).isEmpty();
            return;
        }
        assertThat(assigned.keySet()).containsExactlyInAnyOrderElementsOf(partitions);
        assertThat(nodes).containsAll(assigned.values());
        List<Integer> counts = nodes.stream()
                .map(node -> Collections.frequency(assigned.values(), node))
                .toList();
        int most = Collections.max(counts);
        assertThat(most - Collections.min(counts)).isLessThanOrEqualTo(1);
        for (String node : nodes) {
            long had = Collections.frequency(owners.values(), node);
            long kept = partitions.stream()
                    .filter(key -> node.equals(owners.get(key)) && node.equals(assigned.get(key)))
                    .count();
            long has = Collections.frequency(assigned.values(), node);
            assertThat(kept).as("kept by " + node).isEqualTo(Math.min(had, has));
        }
        assertThat(Assignment.of(partitions, reversed(nodes), assigned))
                .as("of what was assigned")
                .isEqualTo(assigned);
    }

    @Example
    void of_ofFreshApplications_spreadsEach() {
        Map<PartitionKey, String> assigned = Assignment.of(
                List.of(new PartitionKey(1, 0), new PartitionKey(1, 1), new PartitionKey(2, 0), new PartitionKey(2, 1)),
                List.of("b", "a"),
                Map.of());
        assertThat(assigned.values()).containsExactly("a", "b", "a", "b");
    }

    private static List<PartitionKey> partitions(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new PartitionKey(1 + i / 7, i % 7))
                .toList();
    }

    private static List<String> reversed(Set<String> nodes) {
        List<String> other = new ArrayList<>(nodes);
        Collections.reverse(other);
        return other;
    }
}
