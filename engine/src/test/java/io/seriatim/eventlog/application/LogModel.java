package io.seriatim.eventlog.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.store.EventLogStore;
import io.seriatim.store.KeyRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RegistryRow;
import io.seriatim.store.WorkspaceEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a log says must be stored, worked out from its events alone, and compared with what is there. */
final class LogModel {

    private record Id(long workspace, long id) {}

    private record Kept(int type, long plogOffset, long wlogOffset, Fields fields) {}

    private final PartitionStore store;
    private final Schema.Index schema;
    private final String where;
    final List<LogEvent> events;
    final List<EventBody> bodies = new ArrayList<>();
    private final Map<Id, RegistryRow> registry = new LinkedHashMap<>();
    private final Map<Id, Kept> records = new LinkedHashMap<>();
    private final Map<Long, Long> lastOffsets = new HashMap<>();
    private final List<WorkspaceEvent> places = new ArrayList<>();
    private final List<KeyRow> keys = new ArrayList<>();

    /** Reads the log, and checks that offsets have no hole and that no id comes twice. */
    static LogModel of(EventLogStore store, Schema schema, int partition, String where) {
        return new LogModel(store.partition(new PartitionKey(schema.id(), partition)), schema, where);
    }

    private LogModel(PartitionStore store, Schema schema, String where) {
        this.store = store;
        this.schema = new Schema.Index(schema);
        this.where = where;
        events = store.events(1, Integer.MAX_VALUE);
        for (LogEvent event : events) {
            add(event);
        }
    }

    private void add(LogEvent event) {
        assertThat(event.offset()).as(where).isEqualTo(bodies.size() + 1);
        EventBody body = EventBody.decode(event.body());
        bodies.add(body);
        long workspace = event.header().workspace();
        long place = lastOffsets.merge(workspace, 1L, Long::sum);
        assertThat(body.wlogOffset()).as(where).isEqualTo(place);
        places.add(new WorkspaceEvent(workspace, place, event.offset()));
        if (!event.header().key().isEmpty()) {
            keys.add(new KeyRow(workspace, event.header().key(), event.offset()));
        }
        body.argument().ifPresent(root -> register(root, workspace, place));
        for (Cud cud : body.cuds()) {
            Id id = new Id(workspace, cud.id());
            if (cud instanceof NewRecord created) {
                register(created, workspace, place);
                records.put(id, new Kept(type(created), event.offset(), place, created.fields()));
            } else {
                Kept before = records.get(id);
                assertThat(before)
                        .as("%s: what event %s updates", where, event.offset())
                        .isNotNull();
                Map<String, Object> merged = new LinkedHashMap<>(before.fields().asMap());
                merged.putAll(cud.fields().asMap());
                records.put(id, new Kept(before.type(), event.offset(), place, Fields.of(merged)));
            }
        }
    }

    private void register(NewRecord record, long workspace, long place) {
        RegistryRow before = registry.put(
                new Id(workspace, record.id()), new RegistryRow(workspace, record.id(), type(record), place));
        assertThat(before).as("%s: the first with id %s", where, record.id()).isNull();
        record.children().values().forEach(its -> its.forEach(child -> register(child, workspace, place)));
    }

    private int type(NewRecord record) {
        return schema.type(record.type()).orElseThrow().id();
    }

    /** What follows from all events is there. */
    void checkRows() {
        registry.forEach((id, row) ->
                assertThat(store.registered(id.workspace(), id.id())).as(where).hasValue(row));
        records.forEach((id, kept) -> assertThat(store.record(id.workspace(), id.id())
                        .map(row -> new Kept(row.type(), row.plogOffset(), row.wlogOffset(), EventRows.fieldsOf(row))))
                .as("%s: record %s", where, id)
                .hasValue(kept));
        lastOffsets.forEach((workspace, last) -> assertThat(store.workspaceEvents(workspace, 1, Integer.MAX_VALUE))
                .as(where)
                .isEqualTo(places.stream()
                        .filter(place -> place.workspace() == workspace)
                        .toList()));
        keys.forEach(row ->
                assertThat(store.keyed(row.workspace(), row.key())).as(where).hasValue(row));
        assertThat(store.appliedOffset().orElse(1)).as(where).isEqualTo(events.size() + 1);
    }

    /** Whether there is an event at an offset, and says what a command says. */
    boolean saysAt(long offset, Command command, Map<Long, Long> ids) {
        int i = (int) offset - 1;
        return i < events.size()
                && events.get(i).header().workspace() == command.workspace()
                && says(bodies.get(i), command, ids);
    }

    private static boolean says(EventBody body, Command command, Map<Long, Long> ids) {
        return body.argument().equals(command.argument().map(root -> resolved(root, ids)))
                && withoutTypes(body.cuds())
                        .equals(withoutTypes(command.cuds().stream()
                                .<Cud>map(cud -> cud instanceof NewRecord created
                                        ? resolved(created, ids)
                                        : new RecordUpdate(Optional.empty(), cud.id(), resolved(cud.fields(), ids)))
                                .toList()));
    }

    private static List<Cud> withoutTypes(List<Cud> cuds) {
        return cuds.stream()
                .map(cud -> cud instanceof RecordUpdate update
                        ? new RecordUpdate(Optional.empty(), update.id(), update.fields())
                        : cud)
                .toList();
    }

    private static NewRecord resolved(NewRecord record, Map<Long, Long> ids) {
        Map<String, List<NewRecord>> children = new LinkedHashMap<>();
        record.children()
                .forEach((container, its) -> children.put(
                        container,
                        its.stream().map(child -> resolved(child, ids)).toList()));
        return new NewRecord(
                record.type(), ids.getOrDefault(record.id(), record.id()), resolved(record.fields(), ids), children);
    }

    private static Fields resolved(Fields fields, Map<Long, Long> ids) {
        return fields.resolved(id -> ids.getOrDefault(id, id));
    }

    /** Which texts of the field "tag" there are, and how often. */
    Map<String, Integer> tags() {
        Map<String, Integer> tags = new HashMap<>();
        for (EventBody body : bodies) {
            Set<String> its = new HashSet<>();
            body.argument().ifPresent(root -> tag(root.fields(), its));
            body.cuds().forEach(cud -> tag(cud.fields(), its));
            its.forEach(tag -> tags.merge(tag, 1, Integer::sum));
        }
        return tags;
    }

    private static void tag(Fields fields, Set<String> tags) {
        if (fields.asMap().get("tag") instanceof String tag) {
            tags.add(tag);
        }
    }
}
