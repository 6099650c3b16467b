package io.seriatim.server;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.eventlog.application.ClusterState;
import java.util.function.ToDoubleFunction;

/** Tells what this node has of the partitions that nodes share, and which calls it has handed on. */
final class ClusterMetrics {

    private ClusterMetrics() {}

    static void addTo(MeterRegistry registry, OpenStore store) {
        Gauge.builder(
                        "seriatim.cluster.nodes",
                        store,
                        ofCluster(state -> state.nodes().stream()
                                .filter(ClusterState.Node::isAlive)
                                .count()))
                .description("Nodes that live, of those that share this store; 0 where none can")
                .register(registry);
        Gauge.builder("seriatim.cluster.partitions.owned", store, ClusterMetrics::owned)
                .description("Partitions that run here")
                .register(registry);
        Gauge.builder(
                        "seriatim.cluster.partitions.waiting",
                        store,
                        ofCluster(state -> state.partitions().stream()
                                .filter(place -> place.owner().isEmpty())
                                .count()))
                .description("Partitions that no living node has")
                .register(registry);
        count(registry, store, "partitions.taken", "Partitions taken by this node", ofCluster(ClusterState::taken));
        count(
                registry,
                store,
                "partitions.taken.over",
                "Partitions taken by this node from a dead one",
                ofCluster(ClusterState::takenFromDead));
        count(
                registry,
                store,
                "partitions.lost",
                "Partitions that another node has taken from this one",
                ofCluster(ClusterState::lost));
        count(
                registry,
                store,
                "calls.forwarded",
                "Calls handed to another node and answered by it",
                its -> its.forwarding().map(Forwarding::answered).orElse(0L));
        count(
                registry,
                store,
                "calls.forwarded.failed",
                "Calls handed to another node without an answer",
                its -> its.forwarding().map(Forwarding::failed).orElse(0L));
    }

    private static double owned(OpenStore store) {
        return store.running()
                .map(applications -> applications.list().stream()
                        .mapToInt(application -> application.partitions().size())
                        .sum())
                .orElse(0);
    }

    private static ToDoubleFunction<OpenStore> ofCluster(ToDoubleFunction<ClusterState> figure) {
        return store -> store.running()
                .flatMap(Applications::cluster)
                .map(figure::applyAsDouble)
                .orElse(0.0);
    }

    private static void count(
            MeterRegistry registry,
            OpenStore store,
            String name,
            String description,
            ToDoubleFunction<OpenStore> count) {
        FunctionCounter.builder("seriatim.cluster." + name, store, count)
                .description(description)
                .register(registry);
    }
}
