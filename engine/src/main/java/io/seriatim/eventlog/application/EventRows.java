package io.seriatim.eventlog.application;

import io.seriatim.store.KeyRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.RecordRow;
import io.seriatim.store.RegistryRow;
import io.seriatim.store.WorkspaceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rows that follow from one event. Pure: the same event gives the same rows, today and in a repair.
 *
 * @param created records; those of the argument have no row of their own, they are read in the event
 * @param updates records whose rows take up fields
 */
record EventRows(
        List<RecordRow> created,
        List<RecordUpdate> updates,
        List<RegistryRow> registered,
        Optional<KeyRow> key,
        WorkspaceEvent place) {

    /** The greatest record, as it is stored. */
    static final int MAX_RECORD_BYTES = 1 << 20;

    /**
     * Says what follows from an event.
     *
     * @throws IllegalArgumentException if the event names a type that the schema does not have
     */
    static EventRows of(LogEvent event, EventBody body, Schema.Index schema) {
        long workspace = event.header().workspace();
        List<RecordRow> created = new ArrayList<>();
        List<RecordUpdate> updates = new ArrayList<>();
        List<RegistryRow> registered = new ArrayList<>();
        body.argument().ifPresent(root -> register(root, workspace, body.wlogOffset(), schema, registered));
        for (Cud cud : body.cuds()) {
            if (cud instanceof RecordUpdate update) {
                updates.add(update);
            } else if (cud instanceof NewRecord record) {
                register(record, workspace, body.wlogOffset(), schema, registered);
                created.add(new RecordRow(
                        workspace,
                        record.id(),
                        typeId(record, schema),
                        event.offset(),
                        body.wlogOffset(),
                        bodyOf(record.fields())));
            }
        }
        String key = event.header().key();
        return new EventRows(
                created,
                updates,
                registered,
                key.isEmpty() ? Optional.empty() : Optional.of(new KeyRow(workspace, key, event.offset())),
                new WorkspaceEvent(workspace, body.wlogOffset(), event.offset()));
    }

    private static void register(
            NewRecord record, long workspace, long wlogOffset, Schema.Index schema, List<RegistryRow> registered) {
        registered.add(new RegistryRow(workspace, record.id(), typeId(record, schema), wlogOffset));
        record.children()
                .values()
                .forEach(records ->
                        records.forEach(child -> register(child, workspace, wlogOffset, schema, registered)));
    }

    private static int typeId(NewRecord record, Schema.Index schema) {
        return schema.type(record.type())
                .orElseThrow(() -> new IllegalArgumentException("no such type: " + record.type()))
                .id();
    }

    /** A record's row after an update by this event. */
    static RecordRow updated(RecordRow before, RecordUpdate update, LogEvent event, EventBody body) {
        return new RecordRow(
                before.workspace(),
                before.id(),
                before.type(),
                event.offset(),
                body.wlogOffset(),
                bodyOf(fieldsOf(before).updated(update.fields())));
    }

    static byte[] bodyOf(Fields fields) {
        return Json.object(out -> {
            out.writeName("fields");
            Json.writeFields(out, fields);
        });
    }

    /**
     * What a record's row holds.
     *
     * @throws IllegalArgumentException if it is nothing that was written here
     */
    static Fields fieldsOf(RecordRow row) {
        return Fields.of(Json.objectOf(Json.read(row.body()), "fields"));
    }

    /** Whether two rows say the same, in whatever words. */
    static boolean isSame(RecordRow one, RecordRow other) {
        if (one.equals(other)) {
            return true;
        }
        try {
            return one.workspace() == other.workspace()
                    && one.id() == other.id()
                    && one.type() == other.type()
                    && one.plogOffset() == other.plogOffset()
                    && one.wlogOffset() == other.wlogOffset()
                    && fieldsOf(one).equals(fieldsOf(other));
        } catch (IllegalArgumentException e) {
            return false; // one of them is not even a record
        }
    }
}
