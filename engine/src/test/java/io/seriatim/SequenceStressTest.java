package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.store.CounterKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Eight real threads on the real clocks and threads. */
final class SequenceStressTest {

    private static final int THREADS = 8;

    private final MemoryCounterStore store = new MemoryCounterStore();

    private static <T> List<T> together(int threads, Callable<T> work) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                futures.add(pool.submit(() -> {
                    start.await();
                    return work.call();
                }));
            }
            start.countDown();
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        } finally {
            pool.shutdownNow();
        }
    }

    /** A thread that sees the greatest value that is out, then asks, must get a greater one. */
    @ParameterizedTest
    @ValueSource(strings = {"1", "3", "100", "auto"})
    void next_eightThreads_isUniqueAndInRealTimeOrder(String cache) throws Exception {
        try (Sequences sequences = Sequences.on(new KeptOpen(store), Duration.ofSeconds(20))) {
            Sequence s = sequences.define("s", SequenceDefinition.ascending().with("cache", cache));
            AtomicLong greatestOut = new AtomicLong();
            int each = cache.equals("1") ? 2_000 : 50_000;
            List<long[]> drawn = together(THREADS, () -> {
                long[] values = new long[each];
                for (int i = 0; i < each; i++) {
                    long before = greatestOut.get();
                    values[i] = s.next();
                    if (values[i] <= before) {
                        throw new AssertionError(values[i] + " came after " + before + " was out");
                    }
                    greatestOut.accumulateAndGet(values[i], Math::max);
                }
                return values;
            });
            long[] all = drawn.stream().flatMapToLong(Arrays::stream).sorted().toArray();
            assertThat(all).hasSize(THREADS * each);
            assertThat(all[0]).isEqualTo(1);
            assertThat(all[all.length - 1]).isEqualTo(all.length); // nothing twice, nothing skipped
        }
    }

    /** The same over two processes, where the contract is ordered. */
    @Test
    void next_orderedOverTwoEngines_isUniqueAndInRealTimeOrder() throws Exception {
        Duration wait = Duration.ofSeconds(20);
        try (Sequences here = Sequences.on(new KeptOpen(store), wait);
                Sequences there = Sequences.on(new KeptOpen(store), wait)) {
            here.define("s", SequenceDefinition.ascending().contract(Contract.ORDERED));
            AtomicLong greatestOut = new AtomicLong();
            AtomicLong engines = new AtomicLong();
            int each = 5_000;
            List<long[]> drawn = together(THREADS, () -> {
                Sequence s = (engines.getAndIncrement() % 2 == 0 ? here : there).get("s");
                long[] values = new long[each];
                for (int i = 0; i < each; i++) {
                    long before = greatestOut.get();
                    values[i] = s.next();
                    if (values[i] <= before) {
                        throw new AssertionError(values[i] + " came after " + before + " was out");
                    }
                    greatestOut.accumulateAndGet(values[i], Math::max);
                }
                return values;
            });
            long[] all = drawn.stream().flatMapToLong(Arrays::stream).sorted().toArray();
            assertThat(Arrays.stream(all).distinct()).hasSize(THREADS * each);
            assertThat(all[all.length - 1]).isEqualTo(all.length); // nothing twice, nothing skipped
        }
    }

    @Test
    void everything_eightThreads_isUniqueWithinAGeneration() throws Exception {
        try (Sequences sequences = Sequences.on(new KeptOpen(store), Duration.ofSeconds(20))) {
            Sequence s = sequences.define("s", SequenceDefinition.ascending().cache(16));
            AtomicLong turns = new AtomicLong();
            List<List<Block>> drawn = together(THREADS, () -> {
                List<Block> blocks = new ArrayList<>();
                for (int i = 0; i < 3_000; i++) {
                    long turn = turns.incrementAndGet();
                    if (turn % 500 == 0) {
                        s.alter(SequenceDefinition.changes().cache(8 + turn % 13));
                    } else if (turn % 7 == 0) {
                        blocks.add(s.next(1 + turn % 40));
                    } else if (turn % 11 == 0) {
                        blocks.addAll(s.draw(1 + turn % 60).blocks());
                    } else {
                        blocks.add(new Block(s.next(), 1, 1));
                    }
                }
                return blocks;
            });
            List<Block> all = new ArrayList<>();
            drawn.forEach(all::addAll);
            all.sort((a, b) -> Long.compare(a.first(), b.first()));
            for (int i = 1; i < all.size(); i++) {
                assertThat(all.get(i).first()).isGreaterThan(all.get(i - 1).last());
            }
        }
    }

    @Test
    void close_underLoad_givesBackExactlyWhatWasNotReturned() throws Exception {
        long lastOfAll = 0;
        for (int round = 0; round < 20; round++) {
            Sequences sequences = Sequences.on(new KeptOpen(store), Duration.ofSeconds(20));
            Sequence s = sequences.define("s", SequenceDefinition.ascending().cache(1_000));
            CountDownLatch running = new CountDownLatch(THREADS);
            Thread closer = new Thread(() -> {
                try {
                    running.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                sequences.close();
            });
            closer.start();
            List<Long> greatest = together(THREADS, () -> {
                long last = 0;
                try {
                    for (int i = 0; ; i++) {
                        last = s.next();
                        if (i == 100) {
                            running.countDown();
                        }
                    }
                } catch (IllegalStateException closed) {
                    return last;
                }
            });
            closer.join();
            long max = greatest.stream().mapToLong(Long::longValue).max().orElseThrow();
            long mark = store.findCounter(CounterKey.of(
                            store.findDefinition("s").orElseThrow().sequenceId()))
                    .orElseThrow()
                    .highWaterMark();
            assertThat(mark).isEqualTo(max).isGreaterThan(lastOfAll);
            lastOfAll = max;
        }
    }

    /** Whoever opens a sequence while all are closed gets it before that, and its block goes back, or not at all. */
    @Test
    void close_whileSequencesAreOpened_givesBackExactlyWhatWasNotReturned() throws Exception {
        int names = 50;
        for (int round = 1; round <= 8; round++) {
            Sequences sequences = Sequences.on(new KeptOpen(store), Duration.ofSeconds(20));
            for (int i = 0; i < names; i++) {
                String name = "s-" + round + "-" + i;
                Sequences.on(new KeptOpen(store), new TestEnvironment(), Duration.ofSeconds(20))
                        .define(name, SequenceDefinition.ascending().cache(10));
            }
            int prefix = round;
            AtomicLong opened = new AtomicLong();
            Thread closer = new Thread(() -> {
                while (opened.get() < names / 2) {
                    Thread.onSpinWait();
                }
                sequences.close();
            });
            closer.start();
            List<long[]> drawn = together(THREADS, () -> {
                long[] counts = new long[names];
                try {
                    for (int i = 0; i < names; i++) {
                        sequences.get("s-" + prefix + "-" + i).next();
                        counts[i]++;
                        opened.incrementAndGet();
                    }
                } catch (IllegalStateException | StoreUnavailableException closed) {
                    assertThat(closed.getMessage()).containsAnyOf("closed", "too many calls wait");
                }
                return counts;
            });
            closer.join();
            Sequences after = Sequences.on(new KeptOpen(store), new TestEnvironment(), Duration.ofSeconds(20));
            for (int i = 0; i < names; i++) {
                int at = i;
                long returned = drawn.stream().mapToLong(counts -> counts[at]).sum();
                assertThat(after.get("s-" + round + "-" + i).next()).isEqualTo(returned + 1);
            }
        }
    }

    /** A lease that was closed while a block took the place of its own made the last tickets of that block valid again. */
    @Test
    void leaseClosed_whileTheNextBlockOpens_repeatsNothingAndEveryValueIsAccountedFor() throws Exception {
        Sequences sequences = Sequences.on(new KeptOpen(store), Duration.ofSeconds(20));
        Sequence s = sequences.define("s", SequenceDefinition.ascending().cache(3));
        List<long[]> drawn = together(THREADS, () -> {
            long[] values = new long[4_000];
            for (int i = 0; i < values.length; i++) {
                if (i % 2 == 0) {
                    try (SequenceLease lease = s.lease(3)) {
                        values[i] = lease.next();
                    }
                } else {
                    values[i] = s.next();
                }
            }
            return values;
        });
        long[] all = drawn.stream().flatMapToLong(Arrays::stream).toArray();
        assertThat(Arrays.stream(all).distinct().count()).isEqualTo(all.length);
        sequences.close();
        long mark = store.findCounter(
                        CounterKey.of(store.findDefinition("s").orElseThrow().sequenceId()))
                .orElseThrow()
                .highWaterMark();
        assertThat(all.length + sequences.statistics().skipped()).isEqualTo(mark);
    }
}
