package io.seriatim.eventlog.application;

import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.application.CheckedCommand.Wanted;
import io.seriatim.eventlog.application.Schema.TypeEntry;
import io.seriatim.store.KeyRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RecordRow;
import io.seriatim.store.RegistryRow;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What has happened in a workspace, as far as a command depends on it. Reads applied rows; draws nothing. */
final class Past {

    private final PartitionStore store;
    private final Schema.Index schema;

    Past(PartitionStore store, Schema.Index schema) {
        this.store = store;
        this.schema = schema;
    }

    /**
     * The answer to a command whose key was used before.
     *
     * @throws EventLogException KEY_REUSED if that was another command
     */
    Optional<Appended> earlierAnswer(CheckedCommand checked) {
        Command command = checked.command();
        return command.key().isEmpty()
                ? Optional.empty()
                : store.keyed(command.workspace(), command.key()).map(row -> answer(row, checked));
    }

    private Appended answer(KeyRow row, CheckedCommand checked) {
        long offset = row.plogOffset();
        LogEvent event = Events.at(offset, store)
                .orElseThrow(() -> Events.corrupt("a key names an event that is not there, at offset " + offset));
        EventBody body = Events.bodyOf(event);
        EventBody.Request request = body.request()
                .orElseThrow(() -> Events.corrupt("a key names an event without one, at offset " + offset));
        if (!request.digest().equals(checked.digest())) {
            throw new EventLogException(
                    ErrorCode.KEY_REUSED, "the key was used for another command, whose event is at offset " + offset);
        }
        return new Appended(store.key().partition(), offset, body.wlogOffset(), request.ids());
    }

    /**
     * Requires that what a command says of records holds; returns its updates with the types of their records.
     *
     * @throws EventLogException ALREADY_EXISTS, NOT_FOUND, BAD_REQUEST, OUT_OF_RANGE
     */
    Map<Long, RecordUpdate> requireRecords(CheckedCommand checked) {
        long workspace = checked.command().workspace();
        checked.created().forEach(wanted -> requireNew(workspace, wanted));
        Map<Long, RecordUpdate> updates = new HashMap<>();
        checked.updates().forEach(update -> updates.put(update.id(), typed(workspace, update)));
        return updates;
    }

    private void requireNew(long workspace, Wanted wanted) {
        long id = wanted.wantedId();
        if (id > Schema.MAX_RAW_ID && store.registered(workspace, id).isPresent()) {
            String what = wanted.isSingleton()
                    ? "the workspace has its " + wanted.type().name()
                    : "there is a record";
            throw new EventLogException(ErrorCode.ALREADY_EXISTS, what + " already, with id " + id);
        }
    }

    private RecordUpdate typed(long workspace, RecordUpdate update) {
        RegistryRow row = store.registered(workspace, update.id())
                .orElseThrow(() -> new EventLogException(
                        ErrorCode.NOT_FOUND, "workspace " + workspace + " has no record " + update.id()));
        String type = schema.type(row.type()).map(TypeEntry::name).orElse("");
        boolean changes = schema.type(row.type())
                .filter(its -> !its.type().kind().isOperation())
                .isPresent();
        if (!changes || update.type().filter(wanted -> !wanted.equals(type)).isPresent()) {
            throw new EventLogException(
                    ErrorCode.BAD_REQUEST,
                    "record " + update.id() + " is of type " + type
                            + (changes ? "" : ", which is part of an argument and never changes"));
        }
        requireRoom(workspace, update);
        return new RecordUpdate(Optional.of(type), update.id(), update.fields());
    }

    /** A record that has grown too long for its row would keep its event from ever being applied. */
    private void requireRoom(long workspace, RecordUpdate update) {
        store.record(workspace, update.id()).ifPresent(row -> {
            int most = row.body().length + EventRows.bodyOf(update.fields()).length;
            if (most > EventRows.MAX_RECORD_BYTES && updatedBytes(row, update) > EventRows.MAX_RECORD_BYTES) {
                throw new EventLogException(
                        ErrorCode.OUT_OF_RANGE,
                        "a record has at most " + EventRows.MAX_RECORD_BYTES + " bytes, record " + update.id()
                                + " would have more");
            }
        });
    }

    private static int updatedBytes(RecordRow row, RecordUpdate update) {
        try {
            return EventRows.bodyOf(EventRows.fieldsOf(row).updated(update.fields())).length;
        } catch (IllegalArgumentException e) {
            throw Events.corrupt("record " + row.id() + " is not understood: " + e.getMessage());
        }
    }
}
