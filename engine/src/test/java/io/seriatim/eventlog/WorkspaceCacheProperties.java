package io.seriatim.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Random lives of the cache against a map. */
final class WorkspaceCacheProperties {

    private static final int STRIDE = 3;
    private static final int STEPS = 600;
    private static final int KINDS = 250;
    /** So that row numbers pass the largest int in the middle of a life. */
    private static final int FIRST_ROW = Integer.MAX_VALUE - STEPS / 4;

    private static final class Entry {
        int kind;
        long[] values = new long[STRIDE];
        int lastRow;
        boolean held;
        boolean partial;
    }

    /** A cache, the map that says what must be in it, and a row counter. */
    private static final class Life {
        private final Random random;
        private final int limit;
        private final int pinned;
        private final WorkspaceCache cache;
        private final Map<Long, Entry> model = new HashMap<>();
        private int row = FIRST_ROW;
        private int stored = FIRST_ROW;

        Life(long seed, int limit, int pinned) {
            random = new Random(seed);
            this.limit = limit;
            this.pinned = pinned;
            cache = new WorkspaceCache(STRIDE, limit, pinned);
        }

        /** Few of them, some close together, and some at the ends of the range. */
        private long workspace() {
            long small = random.nextInt(3 * (limit + pinned));
            return switch (random.nextInt(4)) {
                case 0 -> Long.MIN_VALUE + small;
                case 1 -> -small << 32;
                default -> small;
            };
        }

        private boolean mustStay(Entry entry) {
            return entry.held || entry.lastRow - stored > 0;
        }

        private long staying() {
            return model.values().stream().filter(this::mustStay).count();
        }

        void step() {
            long workspace = workspace();
            int at = cache.find(workspace);
            assertThat(at != WorkspaceCache.NONE).isEqualTo(model.containsKey(workspace));
            Entry entry = model.get(workspace);
            if (entry == null) {
                insert(workspace);
                return;
            }
            switch (random.nextInt(12)) {
                case 0, 1 -> {
                    cache.remove(workspace);
                    model.remove(workspace);
                    cache.remove(workspace); // is nothing
                }
                case 2, 3 -> stored = row;
                case 4 -> letGo();
                case 5 -> cache.use(at);
                case 6 -> {
                    entry.partial = random.nextBoolean();
                    cache.setPartial(at, entry.partial);
                }
                case 7 -> restore(at, entry);
                case 8 -> pin(at, entry, true);
                default -> pin(at, entry, false);
            }
        }

        private void insert(long workspace) {
            Entry entry = new Entry();
            entry.kind = random.nextInt(KINDS);
            entry.lastRow = stored;
            int at = cache.insert(workspace, entry.kind, stored);
            model.entrySet().removeIf(each -> {
                boolean gone = cache.find(each.getKey()) == WorkspaceCache.NONE;
                assertThat(gone && mustStay(each.getValue()))
                        .as("one that must stay is gone")
                        .isFalse();
                return gone;
            });
            model.put(workspace, entry);
            assertThat(cache.find(workspace)).isEqualTo(at);
            assertThat(cache.isPartial(at)).isFalse();
        }

        private void pin(int at, Entry entry, boolean hold) {
            if (staying() >= pinned && !mustStay(entry)) {
                return;
            }
            if (hold) {
                entry.held = true;
                cache.setHeld(at, true);
                return;
            }
            int number = random.nextInt(STRIDE);
            entry.values[number] = random.nextLong();
            cache.set(at, number, entry.values[number]);
            entry.lastRow = ++row;
            cache.setLastRow(at, row);
        }

        private void restore(int at, Entry entry) {
            long before = cache.value(at, 0);
            cache.set(at, 0, 77);
            assertThat(cache.array()[cache.index(at)]).isEqualTo(77);
            cache.set(at, 0, before);
            assertThat(before).isEqualTo(entry.values[0]);
        }

        private void letGo() {
            model.forEach((workspace, entry) -> {
                entry.held = false;
                cache.setHeld(cache.find(workspace), false);
            });
        }

        void check() {
            assertThat(cache.size()).isEqualTo(model.size()).isLessThanOrEqualTo(limit + pinned);
            model.forEach((workspace, entry) -> {
                int at = cache.find(workspace);
                long[] values = new long[STRIDE];
                cache.copyValues(at, values, 0);
                assertThat(values).isEqualTo(entry.values);
                assertThat(cache.kind(at)).isEqualTo(entry.kind);
                assertThat(cache.lastRow(at)).isEqualTo(entry.lastRow);
                assertThat(cache.isPartial(at)).isEqualTo(entry.partial);
            });
        }

        /** Once nothing must stay, so many new ones bring the cache back to its limit. */
        void comeBackToTheLimit() {
            stored = row;
            letGo();
            for (int i = 0; i < 2 * (limit + pinned) + 2; i++) {
                insert(1_000_000L + i);
            }
            assertThat(cache.size()).isEqualTo(limit);
            check();
        }

        void clear() {
            cache.clear();
            model.keySet()
                    .forEach(workspace -> assertThat(cache.find(workspace)).isEqualTo(WorkspaceCache.NONE));
            model.clear();
            check();
        }
    }

    @Property(tries = 150)
    void cache_inAnyLife_isAMapThatForgetsOnlyWhatIsStored(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 60) int limit,
            @ForAll @IntRange(min = 2, max = 60) int pinned) {
        Life life = new Life(seed, limit, pinned);
        for (int i = 0; i < STEPS; i++) {
            life.step();
            if (i % 16 == 0) {
                life.check();
            }
        }
        life.comeBackToTheLimit();
        life.clear();
        life.step();
        life.check();
    }

    /**
     * The hand that makes room once went along the array: behind it the places were free, before it they filled up to runs
     * of thousands, each of which every look there had to walk. Its way must meet each block once, and far apart.
     */
    @Property(tries = 200)
    void stepThrough_anyBlocks_meetsEachOnceAndSpreadsEarlyOnes(@ForAll @IntRange(min = 1, max = 20_000) int blocks) {
        int step = WorkspaceCache.stepThrough(blocks);
        BitSet met = new BitSet(blocks);
        int[] early = new int[4];
        for (int i = 0, block = 0; i < blocks; i++, block = (int) ((block + (long) step) % blocks)) {
            assertThat(met.get(block)).isFalse();
            met.set(block);
            if (i < blocks / 4) {
                early[(int) (4L * block / blocks)]++;
            }
        }
        assertThat(met.cardinality()).isEqualTo(blocks);
        if (blocks >= 1_000) {
            for (int count : early) {
                assertThat(count).isBetween(blocks / 20, blocks / 13);
            }
        }
    }
}
