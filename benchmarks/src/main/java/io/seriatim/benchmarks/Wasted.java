package io.seriatim.benchmarks;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Takes values for some seconds, stops cleanly, and prints what that cost beside how fast it was: calls to the
 * store, and values that were durably taken and never handed out.
 *
 * <p>Argument: seconds a run (default 5).
 */
final class Wasted {

    private static final int[] THREADS = {1, 2, 8};
    /** Values between two looks at the clock. */
    private static final int STRIDE = 4_096;

    private Wasted() {}

    public static void main(String[] arguments) throws InterruptedException {
        Duration time = Duration.ofSeconds(arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5);
        PrintStream out = System.out;
        out.println("| contender | threads | M/s | issued | durable mark | wasted | wasted / issued | store writes |");
        out.println("|---|---|---|---|---|---|---|---|");
        for (int threads : THREADS) {
            for (Contender contender : Contender.values()) {
                out.println(row(contender, threads, time));
                out.flush();
            }
        }
    }

    private static String row(Contender contender, int threads, Duration time) throws InterruptedException {
        CostlyStore store = new CostlyStore();
        Contender.Run run = contender.open(store);
        long begin = System.nanoTime();
        long issued = take(run.next(), threads, begin + time.toNanos());
        double seconds = (System.nanoTime() - begin) / 1e9;
        run.stop().run();
        long mark = run.mark().getAsLong();
        return String.format(
                Locale.ROOT,
                "| %s | %d | %.1f | %,d | %,d | %,d | %.2f | %,d |",
                contender,
                threads,
                issued / seconds / 1e6,
                issued,
                mark,
                mark - issued,
                (double) (mark - issued) / issued,
                store.writes());
    }

    private static long take(LongSupplier next, int threads, long untilNanos) throws InterruptedException {
        LongAdder issued = new LongAdder();
        CountDownLatch done = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            while (System.nanoTime() < untilNanos) {
                                take(next, STRIDE);
                                issued.add(STRIDE);
                            }
                        } finally {
                            done.countDown();
                        }
                    },
                    "taker-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        done.await();
        return issued.sum();
    }

    /** Throws where a value is not greater than the one before, which also keeps the calls from being dropped. */
    private static void take(LongSupplier next, int count) {
        long last = Long.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            long value = next.getAsLong();
            if (value <= last) {
                throw new IllegalStateException("values must rise: last=" + last + " value=" + value);
            }
            last = value;
        }
    }
}
