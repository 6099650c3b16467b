package io.seriatim.benchmarks;

import io.seriatim.Contract;
import io.seriatim.Sequence;
import io.seriatim.SequenceDefinition;
import io.seriatim.Sequences;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.WriteOutcome;
import io.seriatim.store.WriterMark;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Values of an {@code ordered} sequence on a RocksDB store, taken by 1, 16 and 64 callers, beside one synced
 * write a value by one thread: the price that sharing a write is to lower.
 *
 * <p>Arguments: rounds (default 3), seconds a run (default 3), folder for the stores (default the system's
 * temporary one; it must be on the disk that is to be measured).
 */
final class OrderedNext {

    private static final int[] CALLERS = {1, 16, 64};

    private OrderedNext() {}

    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
        Duration time = Duration.ofSeconds(arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3);
        Path near = Path.of(arguments.length > 2 ? arguments[2] : System.getProperty("java.io.tmpdir"));
        PrintStream out = System.out;
        out.println("| round | callers | ordered values/s | one sync a value, values/s | ratio |");
        out.println("|---|---|---|---|---|");
        for (int round = 1; round <= rounds; round++) {
            for (int callers : CALLERS) {
                double base = inNewFolder(near, folder -> oneSyncEach(folder, time));
                double ours = inNewFolder(near, folder -> ordered(folder, callers, time));
                out.printf(
                        Locale.ROOT, "| %d | %d | %,.0f | %,.0f | %.1f |%n", round, callers, ours, base, ours / base);
                out.flush();
            }
        }
    }

    private interface Measurement {
        double run(Path folder) throws InterruptedException;
    }

    private static double inNewFolder(Path near, Measurement measurement) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(near, "seriatim-ordered-");
        try {
            return measurement.run(folder);
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static double ordered(Path folder, int callers, Duration time) throws InterruptedException {
        try (Sequences sequences = Sequences.on(RocksDbStore.open(folder))) {
            Sequence sequence = sequences.define(
                    Contender.NAME, SequenceDefinition.ascending().contract(Contract.ORDERED));
            return rate(sequence::next, callers, time);
        }
    }

    private static double oneSyncEach(Path folder, Duration time) throws InterruptedException {
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            long[] revision = new long[1];
            return rate(() -> write(store, ++revision[0]), 1, time);
        }
    }

    private static long write(RocksDbStore store, long revision) {
        CounterRow row = new CounterRow(CounterKey.of(1), 1, 0, revision, false, revision, new WriterMark(1, revision));
        if (!(store.apply(Change.of(row)) instanceof WriteOutcome.Applied)) {
            throw new IllegalStateException("nobody else writes this row: row=" + row);
        }
        return revision;
    }

    /** Calls a second; each caller is a thread and checks that its values rise. */
    private static double rate(LongSupplier next, int callers, Duration time) throws InterruptedException {
        LongAdder count = new LongAdder();
        CountDownLatch done = new CountDownLatch(callers);
        long begin = System.nanoTime();
        long warm = begin + time.toNanos() / 3;
        long end = begin + time.toNanos();
        for (int i = 0; i < callers; i++) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            call(next, warm, end, count);
                        } finally {
                            done.countDown();
                        }
                    },
                    "caller-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        done.await();
        return count.sum() / ((end - warm) / 1e9);
    }

    private static void call(LongSupplier next, long warm, long end, LongAdder count) {
        long last = 0;
        for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
            long value = next.getAsLong();
            if (value <= last) {
                throw new IllegalStateException("values must rise: last=" + last + " value=" + value);
            }
            last = value;
            if (now >= warm) {
                count.increment();
            }
        }
    }
}
