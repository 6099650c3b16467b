package io.seriatim.server;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.seriatim.eventlog.application.Application;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.eventlog.application.Partition;
import io.seriatim.eventlog.application.PartitionState;
import io.seriatim.eventlog.application.PartitionStatistics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Tells of the partitions that run, each by its log and number: as many as operators have deployed. */
final class LogMetrics {

    private record Key(String log, int partition) {
        Tags tags() {
            return Tags.of("log", log, "partition", Integer.toString(partition));
        }
    }

    /** What one partition said at the last scrape, so that its numbers belong together. */
    private static final class Told {
        volatile PartitionState state;
        volatile PartitionStatistics statistics;
        final List<Meter> meters = new ArrayList<>();

        Told(Partition partition) {
            state = partition.state();
            statistics = partition.statistics();
        }

        void tell(Partition partition) {
            state = partition.state();
            statistics = partition.statistics();
        }
    }

    private final OpenStore store;
    private final MeterRegistry registry;
    private final MultiGauge status;
    /** Guarded by this. */
    private final Map<Key, Told> all = new HashMap<>();

    LogMetrics(OpenStore store, MeterRegistry registry) {
        this.store = store;
        this.registry = registry;
        this.status = MultiGauge.builder("seriatim.log.status")
                .description("1 for what a partition is doing")
                .register(registry);
    }

    /** Before a scrape: reads what there is to tell. Never waits for the store. */
    synchronized void tell() {
        Map<Key, Partition> running = new HashMap<>();
        for (Application application : store.running().map(Applications::list).orElse(List.of())) {
            application.partitions().forEach(each -> running.put(new Key(application.name(), each.number()), each));
        }
        all.entrySet().removeIf(entry -> {
            boolean gone = !running.containsKey(entry.getKey());
            if (gone) {
                entry.getValue().meters.forEach(registry::remove);
            }
            return gone;
        });
        running.forEach((key, partition) -> {
            Told told = all.get(key);
            if (told == null) {
                all.put(key, added(key, new Told(partition)));
            } else {
                told.tell(partition);
            }
        });
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        all.forEach((key, told) -> rows.add(MultiGauge.Row.of(key.tags().and("status", LogJson.word(told.state)), 1)));
        status.register(rows, true);
    }

    private Told added(Key key, Told told) {
        count(key, told, "commands", "Commands taken to wait for their turn", its -> its.statistics.commands());
        count(key, told, "events", "Events appended", its -> its.statistics.events());
        count(
                key,
                told,
                "groups",
                "Appends: events through groups is how many share one",
                its -> its.statistics.groups());
        count(
                key,
                told,
                "broken.turns",
                "Times that something was thrown which nobody expected",
                its -> its.statistics.brokenTurns());
        count(
                key,
                told,
                "store.failures",
                "Calls of the sequencer to the store that failed",
                its -> its.state.sequencer().storeFailures());
        gauge(key, told, "backlog.commands", "Commands that wait", its -> its.state.waiting());
        gauge(
                key,
                told,
                "backlog.events",
                "Events whose numbers are not all stored",
                its -> its.state.sequencer().unflushedEvents());
        gauge(
                key,
                told,
                "backlog.values",
                "Numbers that are not stored yet",
                its -> its.state.sequencer().unflushedValues());
        gauge(
                key,
                told,
                "checkpoint.lag",
                "Events that a restart would read again",
                its -> its.state.sequencer().nextOffset()
                        - its.state.sequencer().checkpoint());
        gauge(
                key,
                told,
                "workspaces.cached",
                "Workspaces in memory",
                its -> its.state.sequencer().cachedWorkspaces());
        return told;
    }

    private void count(Key key, Told told, String name, String description, ToDoubleFunction<Told> count) {
        told.meters.add(FunctionCounter.builder("seriatim.log." + name, told, count)
                .description(description)
                .tags(key.tags())
                .register(registry));
    }

    private void gauge(Key key, Told told, String name, String description, ToDoubleFunction<Told> value) {
        told.meters.add(Gauge.builder("seriatim.log." + name, told, value)
                .description(description)
                .tags(key.tags())
                .register(registry));
    }
}
