package io.seriatim.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleConsumer;
import org.HdrHistogram.Histogram;

/** Takes numbers from one sequence as fast as they come, and measures it. The numbers are used up. */
final class Bench {

    /*
     * Each connection is a thread that sends its next call when it has the answer to the last. A latency is what
     * such a caller waits; with a fixed rate of calls it would be longer under overload.
     */

    private static final Duration SHOWN_EVERY = Duration.ofMillis(200);
    private static final int DIGITS = 3;
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(2);

    /**
     * What is to be measured.
     *
     * @param connections calls at the same time
     * @param count numbers a call
     */
    record Plan(String name, Duration duration, int connections, int count) {}

    /** What one thread has seen. */
    private record Seen(Histogram nanos, Map<String, Long> errors) {}

    /**
     * What all have seen.
     *
     * @param nanos of the calls that were answered with numbers
     * @param errors how many calls were answered with which code
     */
    record Result(Plan plan, Duration elapsed, Histogram nanos, Map<String, Long> errors) {

        double callsPerSecond() {
            return nanos.getTotalCount() / (elapsed.toNanos() / 1e9);
        }

        Reply reply() {
            return Reply.json(200, Json.object(out -> {
                out.writeStringProperty("sequence", plan.name());
                out.writeNumberProperty("connections", plan.connections());
                out.writeNumberProperty("count", plan.count());
                out.writeNumberProperty("seconds", rounded(elapsed.toNanos() / 1e9));
                out.writeNumberProperty("calls", nanos.getTotalCount());
                out.writeNumberProperty("callsPerSecond", Math.round(callsPerSecond()));
                out.writeNumberProperty("valuesPerSecond", Math.round(callsPerSecond() * plan.count()));
                out.writeNumberProperty("p50Micros", micros(nanos.getValueAtPercentile(50)));
                out.writeNumberProperty("p90Micros", micros(nanos.getValueAtPercentile(90)));
                out.writeNumberProperty("p99Micros", micros(nanos.getValueAtPercentile(99)));
                out.writeNumberProperty("p999Micros", micros(nanos.getValueAtPercentile(99.9)));
                out.writeNumberProperty("maxMicros", micros(nanos.getMaxValue()));
                out.writeObjectPropertyStart("errors");
                errors.forEach(out::writeNumberProperty);
                out.writeEndObject();
            }));
        }

        private static double micros(long nanos) {
            return rounded(nanos / 1e3);
        }

        private static double rounded(double number) {
            return Math.round(number * 100) / 100.0;
        }
    }

    private final Plan plan;
    private final Target.Session target;
    private final Call call;
    private final LongAdder calls = new LongAdder();

    Bench(Plan plan, Target.Session target) {
        this.plan = plan;
        this.target = target;
        this.call = new Call(
                "POST",
                "/v1/sequences/" + Utf8.percentEncode(plan.name()) + "/next",
                "",
                Map.of(),
                "{\"count\":" + plan.count() + "}");
    }

    /**
     * Runs until the time is over.
     *
     * @param progress is told the part of the time that is over
     * @throws FirstRefused if already the first call is refused
     */
    Result run(DoubleConsumer progress) throws InterruptedException {
        Reply first = target.send(call);
        if (!first.isSuccess()) {
            throw new FirstRefused(first);
        }
        ExecutorService threads = Executors.newFixedThreadPool(plan.connections());
        try {
            long begin = System.nanoTime();
            long end = begin + plan.duration().toNanos();
            List<Future<Seen>> running = new ArrayList<>();
            for (int i = 0; i < plan.connections(); i++) {
                running.add(threads.submit(() -> callUntil(end)));
            }
            Histogram nanos = histogram();
            Map<String, Long> errors = new TreeMap<>();
            for (Future<Seen> one : running) {
                Seen seen = result(one, progress, begin);
                nanos.add(seen.nanos());
                seen.errors().forEach((code, count) -> errors.merge(code, count, Long::sum));
            }
            return new Result(plan, Duration.ofNanos(System.nanoTime() - begin), nanos, errors);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Thrown where the sequence is not there, or no server is: then there is nothing to measure. */
    static final class FirstRefused extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient Reply reply;

        FirstRefused(Reply reply) {
            super(reply.code(), null, false, false);
            this.reply = reply;
        }

        Reply reply() {
            return reply;
        }
    }

    private Seen result(Future<Seen> running, DoubleConsumer progress, long begin) throws InterruptedException {
        while (true) {
            try {
                return running.get(SHOWN_EVERY.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                double part =
                        (System.nanoTime() - begin) / (double) plan.duration().toNanos();
                progress.accept(Math.min(1, part));
            } catch (ExecutionException e) {
                throw new IllegalStateException("a thread of the bench failed", e);
            }
        }
    }

    /** How many calls were answered so far. */
    long calls() {
        return calls.sum();
    }

    private Seen callUntil(long end) {
        Histogram nanos = histogram();
        Map<String, Long> errors = new TreeMap<>();
        for (long before = System.nanoTime(); before < end; ) {
            Reply reply;
            try {
                reply = target.send(call);
            } catch (Refusal e) {
                reply = e.problem().reply();
            }
            long after = System.nanoTime();
            if (reply.isSuccess()) {
                nanos.recordValue(Math.min(after - before, LONGEST_NANOS));
            } else {
                errors.merge(reply.code(), 1L, Long::sum);
            }
            calls.increment();
            before = after;
        }
        return new Seen(nanos, errors);
    }

    private static Histogram histogram() {
        return new Histogram(LONGEST_NANOS, DIGITS);
    }
}
