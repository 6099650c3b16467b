package io.seriatim.eventlog.application;

import io.seriatim.Environment;
import io.seriatim.eventlog.LogCheck;
import io.seriatim.eventlog.WorkspaceKind;
import io.seriatim.eventlog.application.Schema.KindEntry;
import io.seriatim.store.LogEvent;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RegistryRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The check of a partition whose application is known: its bodies are read too, and what follows from them. */
final class BodyCheck {

    /*
     * An id that two events give out: behind the applied offset the registry is asked, which has it from one of them only.
     * From there on nothing is written yet, so the ids of those events are kept in memory; the tail is short.
     */

    /** Ids that are kept; of a tail that has more, those behind are not compared with one another. */
    private static final int MOST_IDS = 1_000_000;

    private record Given(long workspace, long id) {}

    private final Schema.Index schema;
    private final Repair repair;
    private final Map<Given, Long> notApplied = new HashMap<>();

    private BodyCheck(PartitionStore store, Schema.Index schema) {
        this.schema = schema;
        repair = new Repair(store, schema);
    }

    static LogCheck of(PartitionStore store, Schema.Index schema, Environment environment) {
        BodyCheck check = new BodyCheck(store, schema);
        return LogCheck.of(store, environment).comparing(check::numbersOf).comparingRows(check::faults);
    }

    private List<String> faults(LogEvent event, boolean applied) {
        EventBody body;
        try {
            body = EventBody.decode(event.body());
        } catch (IllegalArgumentException e) {
            return List.of(); // told of the body already
        }
        if (applied) {
            return repair.faults(event, body);
        }
        Repair.Finding finding = repair.compare(event, body);
        List<String> faults = givenTwice(event, finding.registered());
        finding.differences().forEach(each -> faults.add(each.what()));
        return faults;
    }

    /** Rows that the registry has already were compared with it. */
    private List<String> givenTwice(LogEvent event, List<RegistryRow> notRegistered) {
        List<String> faults = new ArrayList<>();
        for (RegistryRow row : notRegistered) {
            Given given = new Given(row.workspace(), row.id());
            Long before = notApplied.size() < MOST_IDS
                    ? notApplied.putIfAbsent(given, event.offset())
                    : notApplied.get(given);
            if (before != null) {
                faults.add("it gives out id " + row.id() + " as the event at offset " + before + " does");
            }
        }
        return faults;
    }

    /** The numbers that a body uses. An id from outside is in the header only if it was ahead of its sequence. */
    private Map<Integer, Long> numbersOf(LogEvent event) {
        EventBody body = EventBody.decode(event.body());
        KindEntry kind =
                schema.kind(event.header().kind()).orElseThrow(() -> new IllegalArgumentException("no such kind"));
        Map<Integer, Long> numbers = new HashMap<>(Events.numbers(body, kind, true));
        for (int sequence : List.copyOf(numbers.keySet())) {
            boolean isInHeader = false;
            for (int each : event.header().sequences()) {
                isInHeader |= each == sequence;
            }
            if (!isInHeader) {
                numbers.remove(sequence);
            }
        }
        numbers.putAll(Events.numbers(body, kind, false));
        numbers.put(WorkspaceKind.WLOG_OFFSET, body.wlogOffset());
        return numbers;
    }
}
