package io.seriatim.eventlog.application;

import io.seriatim.Environment;
import io.seriatim.eventlog.LogCheck;
import io.seriatim.eventlog.WorkspaceKind;
import io.seriatim.eventlog.application.Schema.KindEntry;
import io.seriatim.store.LogEvent;
import io.seriatim.store.PartitionStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The check of a partition whose application is known: its bodies are read too, and what follows from them. */
final class BodyCheck {

    private final Schema.Index schema;

    private BodyCheck(Schema.Index schema) {
        this.schema = schema;
    }

    static LogCheck of(PartitionStore store, Schema.Index schema, Environment environment) {
        Repair repair = new Repair(store, schema);
        return LogCheck.of(store, environment)
                .comparing(new BodyCheck(schema)::numbersOf)
                .comparingRows(event -> {
                    try {
                        return repair.faults(event, EventBody.decode(event.body()));
                    } catch (IllegalArgumentException e) {
                        return List.of(); // told of the body already
                    }
                });
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
