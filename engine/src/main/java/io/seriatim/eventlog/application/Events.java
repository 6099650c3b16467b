package io.seriatim.eventlog.application;

import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.application.Schema.KindEntry;
import io.seriatim.store.LogEvent;
import io.seriatim.store.PartitionStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Events of a log as readers see them. */
final class Events {

    private Events() {}

    /** The event at an offset, if there is one. */
    static Optional<LogEvent> at(long offset, PartitionStore store) {
        return store.events(offset, 1).stream()
                .filter(each -> each.offset() == offset)
                .findFirst();
    }

    /**
     * What an event of this log says.
     *
     * @throws EventLogException STORE_CORRUPT if it is not understood
     */
    static EventBody bodyOf(LogEvent event) {
        try {
            return EventBody.decode(event.body());
        } catch (IllegalArgumentException e) {
            throw notUnderstood(event, e);
        }
    }

    static EventLogException notUnderstood(LogEvent event, IllegalArgumentException why) {
        return corrupt("the event at offset " + event.offset() + " is not understood: " + why.getMessage());
    }

    /** What readers are told where the store says something that nobody here has written. */
    static EventLogException corrupt(String what) {
        return new EventLogException(ErrorCode.STORE_CORRUPT, what);
    }

    /**
     * An event with its body.
     *
     * @throws IllegalArgumentException if its kind is not one of the schema
     */
    static Event of(LogEvent event, EventBody body, Schema.Index schema) {
        KindEntry kind = schema.kind(event.header().kind())
                .orElseThrow(() -> new IllegalArgumentException(
                        "no such kind: id=" + event.header().kind()));
        return new Event(
                event.offset(),
                event.header().workspace(),
                kind.name(),
                body.wlogOffset(),
                body.time(),
                body.argument(),
                body.cuds());
    }

    /** A record of an event's argument, which is read there and nowhere else. */
    static Optional<StoredRecord> inArgument(Event event, long id) {
        return event.argument().flatMap(root -> find(root, OptionalLong.empty(), event, id));
    }

    private static Optional<StoredRecord> find(NewRecord record, OptionalLong parent, Event event, long id) {
        if (record.id() == id) {
            return Optional.of(new StoredRecord(
                    id, record.type(), event.plogOffset(), event.wlogOffset(), record.fields(), parent));
        }
        for (List<NewRecord> children : record.children().values()) {
            for (NewRecord child : children) {
                Optional<StoredRecord> found = find(child, OptionalLong.of(record.id()), event, id);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /**
     * The greatest id of each sequence among the new records of an event.
     *
     * @param fromOutside whether of the ids from outside, or of those that were drawn
     */
    static Map<Integer, Long> numbers(EventBody body, KindEntry kind, boolean fromOutside) {
        Map<Integer, Long> numbers = new HashMap<>();
        for (NewRecord record : created(body)) {
            if (body.fromOutside().contains(record.id()) == fromOutside) {
                kind.feeding(record.id()).ifPresent(source -> numbers.merge(source.id(), record.id(), Math::max));
            }
        }
        return numbers;
    }

    private static List<NewRecord> created(EventBody body) {
        List<NewRecord> created = new ArrayList<>();
        body.argument().ifPresent(root -> collect(root, created));
        for (Cud cud : body.cuds()) {
            if (cud instanceof NewRecord record) {
                created.add(record);
            }
        }
        return created;
    }

    private static void collect(NewRecord record, List<NewRecord> all) {
        all.add(record);
        record.children().values().forEach(records -> records.forEach(child -> collect(child, all)));
    }
}
