package io.seriatim.server;

import io.seriatim.eventlog.application.Application;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.eventlog.application.ClusterState;
import io.seriatim.eventlog.application.Partition;
import io.seriatim.store.PartitionKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shows the nodes that share the store, and who has which partition. */
final class ClusterCalls {

    private final OpenStore store;

    ClusterCalls(OpenStore store) {
        this.store = store;
    }

    void addTo(Routes routes) {
        routes.add("GET", "/v1/cluster", (call, names) -> {
            Query.of(call);
            return Reply.json(200, json(store.keepsLogs() ? Optional.of(store.applications()) : Optional.empty()));
        });
    }

    private String json(Optional<Applications> applications) {
        List<Application> deployed = applications.map(Applications::list).orElse(List.of());
        ClusterState state = applications
                .flatMap(Applications::cluster)
                .orElseGet(() -> alone(store.sequences().node(), deployed));
        Map<PartitionKey, Partition> here = here(deployed);
        Map<Integer, String> logs = new HashMap<>();
        deployed.forEach(application -> logs.put(application.id(), application.name()));
        return Json.object(out -> {
            out.writeStringProperty("node", state.node());
            out.writeArrayPropertyStart("nodes");
            for (ClusterState.Node node : state.nodes()) {
                out.writeStartObject();
                out.writeStringProperty("node", node.name());
                if (node.url().isEmpty()) {
                    out.writeNullProperty("url");
                } else {
                    out.writeStringProperty("url", node.url());
                }
                out.writeBooleanProperty("alive", node.isAlive());
                out.writeNumberProperty("partitions", count(state, node));
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeArrayPropertyStart("partitions");
            for (ClusterState.Place place : state.partitions()) {
                Optional<String> log = Optional.ofNullable(logs.get(place.key().application()));
                if (log.isEmpty()) {
                    continue; // undeployed since the last look
                }
                out.writeStartObject();
                out.writeStringProperty("log", log.get());
                out.writeNumberProperty("partition", place.key().partition());
                Optional<Partition> running = Optional.ofNullable(here.get(place.key()));
                if (place.owner().isPresent()) {
                    out.writeStringProperty("owner", place.owner().get().name());
                } else {
                    out.writeNullProperty("owner");
                }
                out.writeNumberProperty(
                        "epoch",
                        Math.max(place.epoch(), running.map(ClusterCalls::epoch).orElse(0L)));
                if (running.isPresent()) {
                    out.writeStringProperty("status", LogJson.word(running.get().state()));
                } else {
                    out.writeNullProperty("status");
                }
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeNumberProperty("taken", state.taken());
            out.writeNumberProperty("takenFromDead", state.takenFromDead());
            out.writeNumberProperty("lost", state.lost());
            if (state.trouble().isPresent()) {
                out.writeStringProperty("trouble", state.trouble().get());
            } else {
                out.writeNullProperty("trouble");
            }
        });
    }

    /** A process that has its store for itself. */
    private ClusterState alone(String node, List<Application> deployed) {
        ClusterState.Node self = new ClusterState.Node(node, store.url(), true);
        List<ClusterState.Place> places = new ArrayList<>();
        here(deployed)
                .forEach((key, partition) ->
                        places.add(new ClusterState.Place(key, Optional.of(self), epoch(partition))));
        places.sort((a, b) -> a.key().application() == b.key().application()
                ? Integer.compare(a.key().partition(), b.key().partition())
                : Integer.compare(a.key().application(), b.key().application()));
        return new ClusterState(node, List.of(self), places, 0, 0, 0, Optional.empty());
    }

    private static Map<PartitionKey, Partition> here(List<Application> deployed) {
        Map<PartitionKey, Partition> here = new HashMap<>();
        for (Application application : deployed) {
            for (Partition partition : application.partitions()) {
                here.put(new PartitionKey(application.id(), partition.number()), partition);
            }
        }
        return here;
    }

    private static long epoch(Partition partition) {
        return partition.state().sequencer().epoch();
    }

    private static long count(ClusterState state, ClusterState.Node node) {
        return state.partitions().stream()
                .filter(place -> place.owner().filter(node::equals).isPresent())
                .count();
    }
}
