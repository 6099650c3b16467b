package io.seriatim.server;

import io.seriatim.eventlog.ReplayProgress;
import io.seriatim.eventlog.application.Application;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.eventlog.application.Partition;
import io.seriatim.eventlog.application.PartitionState;
import io.seriatim.eventlog.application.PartitionStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A partition that does not carry out commands for now, and why. */
record NotReady(String log, int partition, PartitionState state) {

    /** So many are shown. */
    static final int MOST = 100;

    /** All of them, in order of their logs and numbers. */
    static List<NotReady> in(OpenStore store) {
        List<NotReady> found = new ArrayList<>();
        for (Application application : store.running().map(Applications::list).orElse(List.of())) {
            for (Partition each : application.partitions()) {
                PartitionState state = each.state();
                if (state.status() != PartitionStatus.READY) {
                    found.add(new NotReady(application.name(), each.number(), state));
                }
            }
        }
        return found;
    }

    boolean isRecovering() {
        return state.status() == PartitionStatus.RECOVERING;
    }

    /** As it is shown: how far the reading of its log is, or the first that was found to be different. */
    Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("log", log);
        facts.put("partition", (long) partition);
        facts.put("status", LogJson.word(state));
        if (isRecovering()) {
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
        return facts;
    }

    static List<Map<String, Object>> facts(List<NotReady> all) {
        return all.stream().limit(MOST).map(NotReady::facts).toList();
    }
}
