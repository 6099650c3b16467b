package io.seriatim.benchmarks;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * How long it takes to wake 16 and 64 threads that wait, and nothing else: the price that a group of {@code ordered}
 * calls pays beside its one write, however it is answered.
 *
 * <p>Arguments: rounds (default 2000).
 */
final class WakeUp {

    private static final int[] THREADS = {1, 16, 64};
    private static final int WARM_UP = 500;

    private WakeUp() {}

    public static void main(String[] arguments) throws InterruptedException {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2_000;
        PrintStream out = System.out;
        out.println("| threads | all unparked after µs | all have run after µs |");
        out.println("|---|---|---|");
        for (int threads : THREADS) {
            double[] nanos = measure(threads, rounds);
            out.printf(Locale.ROOT, "| %d | %,.0f | %,.0f |%n", threads, nanos[0] / 1e3, nanos[1] / 1e3);
        }
    }

    private static double[] measure(int threads, int rounds) throws InterruptedException {
        AtomicInteger awake = new AtomicInteger();
        AtomicLongArray calls = new AtomicLongArray(threads);
        Thread[] sleepers = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            int index = i;
            sleepers[i] = new Thread(() -> sleep(calls, index, awake), "sleeper-" + i);
            sleepers[i].setDaemon(true);
            sleepers[i].start();
        }
        double[] nanos = new double[2];
        for (int round = 1; round <= WARM_UP + rounds; round++) {
            Thread.sleep(1); // all of them wait again
            awake.set(0);
            long begin = System.nanoTime();
            for (int i = 0; i < threads; i++) {
                calls.set(i, round);
                LockSupport.unpark(sleepers[i]);
            }
            long unparked = System.nanoTime();
            while (awake.get() < threads) {
                Thread.onSpinWait();
            }
            long ran = System.nanoTime();
            if (round > WARM_UP) {
                nanos[0] += (double) (unparked - begin) / rounds;
                nanos[1] += (double) (ran - begin) / rounds;
            }
        }
        return nanos;
    }

    private static void sleep(AtomicLongArray calls, int index, AtomicInteger awake) {
        for (long seen = 0; ; seen = calls.get(index)) {
            while (calls.get(index) == seen) {
                LockSupport.park();
            }
            awake.incrementAndGet();
        }
    }
}
