package io.seriatim.benchmarks;

import static java.util.concurrent.TimeUnit.MICROSECONDS;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/**
 * Runs {@link FastNext} with 1, 2 and 8 threads and prints one table: millions of values a second, time against
 * {@code AtomicLong}, bytes allocated a value, and the tail of the latency.
 *
 * <p>Arguments: rounds (default 3) and seconds an iteration (default 1; 0.1 will do to try it).
 */
final class FastNextTable {

    /*
     * A round runs every benchmark once, in a JVM of its own, so that a slow minute of the machine hits all of
     * them; the median of a benchmark's iterations over all rounds is what the table shows, and the best one
     * beside it, because what disturbs a measurement makes it slower and never faster.
     */

    private static final int[] THREADS = {1, 2, 8};
    private static final String BASE = "atomicLong";
    private static final int WARMUPS = 3;
    private static final int ITERATIONS = 5;

    private FastNextTable() {}

    public static void main(String[] arguments) throws RunnerException {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
        double seconds = arguments.length > 1 ? Double.parseDouble(arguments[1]) : 1;
        TimeValue iteration = TimeValue.milliseconds(Math.round(seconds * 1_000));
        PrintStream out = System.out;
        out.println("| benchmark | threads | M/s median | M/s best | time / AtomicLong | B/op | p50 ns | p99.99 ns |");
        out.println("|---|---|---|---|---|---|---|---|");
        for (int threads : THREADS) {
            Map<String, Measured> measured = new LinkedHashMap<>();
            for (int round = 0; round < rounds; round++) {
                add(measured, run(Mode.Throughput, threads, iteration));
                add(measured, run(Mode.SampleTime, threads, iteration));
            }
            Measured base = measured.get(BASE);
            if (base == null) {
                throw new IllegalStateException("no result: benchmark=" + BASE);
            }
            measured.forEach((name, one) -> out.println(one.row(name, threads, base)));
            out.flush();
        }
    }

    private static Collection<RunResult> run(Mode mode, int threads, TimeValue iteration) throws RunnerException {
        Options options = new OptionsBuilder()
                .include("\\." + FastNext.class.getSimpleName() + "\\.")
                .mode(mode)
                .timeUnit(MICROSECONDS)
                .threads(threads)
                .forks(1)
                .warmupIterations(WARMUPS)
                .warmupTime(iteration)
                .measurementIterations(ITERATIONS)
                .measurementTime(iteration)
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build();
        return new Runner(options).run();
    }

    private static void add(Map<String, Measured> measured, Collection<RunResult> results) {
        for (RunResult result : results) {
            String name = result.getPrimaryResult().getLabel();
            Measured one = measured.computeIfAbsent(name, key -> new Measured());
            if (result.getParams().getMode() == Mode.SampleTime) {
                one.addTail(result.getPrimaryResult().getStatistics());
            } else {
                result.getAggregatedResult()
                        .getIterationResults()
                        .forEach(iteration ->
                                one.rates.add(iteration.getPrimaryResult().getScore()));
                result.getSecondaryResults().forEach((label, secondary) -> {
                    if (label.endsWith("gc.alloc.rate.norm")) {
                        one.bytes.add(secondary.getScore());
                    }
                });
            }
        }
    }

    /** What was seen of one benchmark in all rounds. */
    private static final class Measured {
        private final List<Double> rates = new ArrayList<>();
        private final List<Double> bytes = new ArrayList<>();
        private final List<Double> medianMicros = new ArrayList<>();
        private final List<Double> tailMicros = new ArrayList<>();

        void addTail(Statistics micros) {
            medianMicros.add(micros.getPercentile(50));
            tailMicros.add(micros.getPercentile(99.99));
        }

        String row(String name, int threads, Measured base) {
            return String.format(
                    Locale.ROOT,
                    "| %s | %d | %.1f | %.1f | %.2f | %.3f | %.0f | %.0f |",
                    name,
                    threads,
                    median(rates),
                    rates.stream().max(Double::compare).orElseThrow(),
                    median(base.rates) / median(rates),
                    median(bytes),
                    median(medianMicros) * 1_000,
                    median(tailMicros) * 1_000);
        }
    }

    private static double median(List<Double> numbers) {
        return numbers.stream().sorted().skip(numbers.size() / 2).findFirst().orElseThrow();
    }
}
