package io.seriatim.server;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seriatim.ErrorCode;
import io.seriatim.Sequences;
import io.seriatim.Statistics;
import io.seriatim.Warning;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * Counts calls, and tells Prometheus of them, of the sequences and of the event logs.
 *
 * <p>Safe for use by many threads.
 */
final class Metrics implements AutoCloseable {

    /*
     * Every label comes from a closed set: routes as they were added, statuses and codes of our own answers. A
     * name that a caller sends is never one. The exceptions are the sequences of which few values are left, so many
     * at most, whatever counters they have, and only as long as it is so; and the partitions that operators have deployed.
     *
     * What Java tells of itself is asked for at the first scrape: it would make each start a fifth longer.
     *
     * What the sequences tell is read once a scrape, so that its numbers belong together.
     */

    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final Duration[] BUCKETS = {
        micros(50),
        micros(100),
        micros(250),
        micros(500),
        micros(1_000),
        micros(2_500),
        micros(5_000),
        micros(10_000),
        micros(25_000),
        micros(100_000),
        micros(500_000),
        micros(2_500_000),
        micros(10_000_000)
    };

    private record Answer(Route route, int status, String code) {}

    private final Sequences sequences;
    private final LogMetrics logs;
    private final Warnings warnings;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final Map<Answer, Counter> answers = new ConcurrentHashMap<>();
    private final Map<Route, Timer> times = new ConcurrentHashMap<>();
    private final Counter busy;
    private final AtomicBoolean jvmIsAdded = new AtomicBoolean();
    private final MultiGauge remaining;
    private final MultiGauge daysLeft;
    private volatile Statistics statistics;
    private volatile int warned;

    /** @param inFlight how many requests are under way */
    Metrics(OpenStore store, Warnings warnings, LongSupplier inFlight) {
        this.sequences = store.sequences();
        this.logs = new LogMetrics(store, registry);
        ClusterMetrics.addTo(registry, store);
        this.warnings = warnings;
        this.statistics = sequences.statistics();
        this.busy = Counter.builder("seriatim.calls.busy")
                .description("Calls refused with BUSY")
                .register(registry);
        Gauge.builder("seriatim.calls.in.flight", inFlight::getAsLong)
                .description("Requests from their headers to the last byte of their answers")
                .register(registry);
        addSequences();
        Gauge.builder("seriatim.sequences.warned", () -> warned)
                .description("Sequences of which no more values are left than warnAt says")
                .register(registry);
        this.remaining = MultiGauge.builder("seriatim.sequence.remaining")
                .description("Values left, of sequences with no more than warnAt")
                .register(registry);
        this.daysLeft = MultiGauge.builder("seriatim.sequence.days.left")
                .description("Days until nothing is left at the present rate, of the same sequences")
                .register(registry);
    }

    /** Counts who follows events. */
    void countFollowers(IntSupplier followers) {
        Gauge.builder("seriatim.followers", followers::getAsInt)
                .description("Callers that follow events")
                .register(registry);
    }

    private void tellWarnings() {
        List<Warning> all = warnings.all();
        List<Warning> shown = Warnings.shown(all);
        warned = all.size();
        remaining.register(
                shown.stream()
                        .map(warning -> row(warning, (double) warning.remaining()))
                        .toList(),
                true);
        daysLeft.register(
                shown.stream()
                        .filter(warning -> warning.daysLeft().isPresent())
                        .map(warning -> row(warning, warning.daysLeft().getAsDouble()))
                        .toList(),
                true);
    }

    private static MultiGauge.Row<?> row(Warning warning, double value) {
        return MultiGauge.Row.of(Tags.of("sequence", warning.sequence()), value);
    }

    private void addSequences() {
        count("seriatim.values.issued", "Values handed out", Statistics::issued);
        count("seriatim.values.skipped", "Values taken from the store and never handed out", Statistics::skipped);
        count("seriatim.store.reads", "Reads of the store", Statistics::storeReads);
        count("seriatim.store.writes", "Conditional writes sent to the store", Statistics::storeWrites);
        count(
                "seriatim.store.writes.refused",
                "Writes that found another row in their way",
                Statistics::storeWritesRefused);
        count(
                "seriatim.store.writes.unknown",
                "Writes of which nobody knows whether they were applied",
                Statistics::storeWritesUnknown);
        count(
                "seriatim.store.failures",
                "Calls to the store, reads or writes, that ended with an error",
                Statistics::storeFailures);
        count(
                "seriatim.looks.missed",
                "Looks for changes of sequences by other processes that failed",
                Statistics::missedLooks);
        Gauge.builder("seriatim.sequences.open", () -> statistics.openSequences())
                .description("Sequences in memory")
                .register(registry);
        Gauge.builder("seriatim.store.up", () -> sequences.failure().isEmpty() ? 1 : 0)
                .description("1 while the store works, 0 once it has stopped")
                .register(registry);
    }

    private void count(String name, String description, ToDoubleFunction<Statistics> count) {
        FunctionCounter.builder(name, this, metrics -> count.applyAsDouble(metrics.statistics))
                .description(description)
                .register(registry);
    }

    private void addJvm() {
        new JvmMemoryMetrics().bindTo(registry);
        gc.bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    private static Duration micros(long micros) {
        return Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(micros));
    }

    /** Counts an answer. */
    void add(Reply reply, long nanos) {
        Answer answer = new Answer(reply.route(), reply.status(), reply.code());
        Counter counter = answers.get(answer);
        (counter != null ? counter : answers.computeIfAbsent(answer, this::counter)).increment();
        Timer timer = times.get(reply.route());
        (timer != null ? timer : times.computeIfAbsent(reply.route(), this::timer)).record(nanos, TimeUnit.NANOSECONDS);
        if (reply.code().equals(ErrorCode.BUSY.name())) {
            busy.increment();
        }
    }

    private Counter counter(Answer answer) {
        return Counter.builder("seriatim.calls")
                .description("Calls by what they were and how they were answered; code is empty for a success")
                .tag("method", answer.route().method())
                .tag("route", answer.route().path())
                .tag("status", Integer.toString(answer.status()))
                .tag("code", answer.code())
                .register(registry);
    }

    private Timer timer(Route route) {
        return Timer.builder("seriatim.call.duration")
                .description("From a request's headers to the begin of its answer")
                .tag("method", route.method())
                .tag("route", route.path())
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    /** Everything in Prometheus's text format. Never waits for the store. */
    String scrape() {
        if (jvmIsAdded.compareAndSet(false, true)) {
            addJvm();
        }
        statistics = sequences.statistics();
        tellWarnings();
        logs.tell();
        return registry.scrape(CONTENT_TYPE);
    }

    @Override
    public void close() {
        gc.close();
        registry.close();
    }
}
