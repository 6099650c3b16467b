package io.seriatim.server;

import io.seriatim.eventlog.ReplayProgress;
import io.seriatim.eventlog.application.Application;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.eventlog.application.ClusterState;
import io.seriatim.eventlog.application.Partition;
import io.seriatim.eventlog.application.PartitionState;
import io.seriatim.eventlog.application.PartitionStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A partition that does not carry out commands for now, and why.
 *
 * @param state what it tells of itself; empty of one that has no owner yet
 */
record NotReady(String log, int partition, Optional<PartitionState> state) {

    /** So many are shown. */
    static final int MOST = 100;

    /** All of them, in order of their logs and numbers. */
    static List<NotReady> in(OpenStore store) {
        List<NotReady> found = new ArrayList<>();
        for (Application application : store.running().map(Applications::list).orElse(List.of())) {
            for (Partition each : application.partitions()) {
                PartitionState state = each.state();
                if (state.status() != PartitionStatus.READY) {
                    found.add(new NotReady(application.name(), each.number(), Optional.of(state)));
                }
            }
        }
        store.running().flatMap(Applications::cluster).ifPresent(state -> addWaiting(store, state, found));
        return found;
    }

    /** Those that nobody has, of several nodes; their last owner is dead, or the next one is about to take them. */
    private static void addWaiting(OpenStore store, ClusterState state, List<NotReady> found) {
        for (Application application : store.running().map(Applications::list).orElse(List.of())) {
            for (ClusterState.Place place : state.partitions()) {
                if (place.key().application() == application.id()
                        && place.owner().isEmpty()) {
                    found.add(new NotReady(application.name(), place.key().partition(), Optional.empty()));
                }
            }
        }
    }

    boolean isRecovering() {
        return state.filter(each -> each.status() == PartitionStatus.RECOVERING).isPresent();
    }

    /** As it is shown: how far the reading of its log is, or the first that was found to be different. */
    Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("log", log);
        facts.put("partition", (long) partition);
        facts.put("status", state.map(LogJson::word).orElse("waiting"));
        state.ifPresent(its -> add(its, facts));
        return facts;
    }

    private static void add(PartitionState state, Map<String, Object> facts) {
        if (state.status() == PartitionStatus.RECOVERING) {
            ReplayProgress replay = state.sequencer().replay();
            facts.put("events", replay.events());
            facts.put("total", replay.total());
            facts.put("percent", (long) replay.percent());
            facts.put("eventsPerSecond", replay.eventsPerSecond());
            replay.left().ifPresent(left -> facts.put("millisLeft", left.toMillis()));
        }
        if (!state.differences().isEmpty()) {
            facts.put("differences", LogJson.facts(state.differences(), 1));
        }
    }

    static List<Map<String, Object>> facts(List<NotReady> all) {
        return all.stream().limit(MOST).map(NotReady::facts).toList();
    }
}
