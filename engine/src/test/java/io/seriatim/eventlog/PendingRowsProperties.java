package io.seriatim.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Rows for the store against a map of maps. */
final class PendingRowsProperties {

    private static final int STRIDE = 64;

    private static WorkspaceKind kind(int id, int sequences) {
        WorkspaceKind kind = WorkspaceKind.of(id);
        for (int i = 1; i < sequences; i++) {
            kind = kind.with(3 * i, 1);
        }
        return kind;
    }

    private static final WorkspaceKind[] KINDS = new WorkspaceKind[250];

    static {
        for (int i = 0; i < KINDS.length; i++) {
            KINDS[i] = kind(i + 1, 1 + i % STRIDE);
        }
    }

    @Property(tries = 200)
    void rows_ofAnyPuts_haveTheLastNumbersOfEachWorkspace(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 80) int workspaces) {
        Random random = new Random(seed);
        PendingRows rows = new PendingRows(KINDS, STRIDE);
        int firstRow = Integer.MAX_VALUE - workspaces;
        Map<Long, Integer> rowOf = new HashMap<>();
        for (int round = 0; round < 3; round++) {
            rows.begin(firstRow);
            fillAndCheck(rows, random, workspaces, rowOf);
            firstRow = rows.endRow(); // row numbers of the round before stay behind, and are of no use
        }
    }

    private static void fillAndCheck(PendingRows rows, Random random, int workspaces, Map<Long, Integer> rowOf) {
        Map<Long, Map<Integer, Long>> model = new HashMap<>();
        int events = random.nextInt(4 * workspaces);
        long offset = random.nextInt(1_000);
        for (int i = 1; i <= events; i++) {
            long workspace = random.nextInt(workspaces) - 5L;
            int place = Math.floorMod(workspace, KINDS.length);
            WorkspaceKind kind = KINDS[place];
            long changed = 1L << random.nextInt(kind.size());
            changed |= 1L << random.nextInt(kind.size());
            long[] from = random.longs(STRIDE + 2, 1, Long.MAX_VALUE).toArray();
            rowOf.put(workspace, rows.put(rowOf.getOrDefault(workspace, -1), workspace, place, changed, from, 2));
            Map<Integer, Long> its = model.computeIfAbsent(workspace, each -> new TreeMap<>());
            for (int number = 0; number < kind.size(); number++) {
                if ((changed >>> number & 1) != 0) {
                    its.put(kind.ids()[number], from[2 + number]);
                }
            }
            rows.cover(++offset);
            assertThat(rows.nextOffset()).isEqualTo(offset + 1);
        }
        assertThat(rows.eventCount()).isEqualTo(events);
        assertThat(rows.valueCount())
                .isEqualTo(model.values().stream().mapToInt(Map::size).sum());
        assertThat(read(rows)).isEqualTo(model);
        assertThat(rows.size()).isEqualTo(model.size());
    }

    private static Map<Long, Map<Integer, Long>> read(PendingRows rows) {
        Map<Long, Map<Integer, Long>> read = new HashMap<>();
        for (int row = 0; row < rows.size(); row++) {
            Map<Integer, Long> numbers = new TreeMap<>();
            for (int i = 0; i < rows.count(row); i++) {
                numbers.put(rows.sequence(row, i), rows.value(row, i));
            }
            assertThat(rows.kind(row)).isEqualTo(Math.floorMod(rows.workspace(row), KINDS.length) + 1);
            read.put(rows.workspace(row), numbers);
        }
        return read;
    }
}
