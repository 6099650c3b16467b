package io.seriatim.eventlog.application;

import io.seriatim.store.DerivedRows;
import io.seriatim.store.KeyRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RecordRow;
import io.seriatim.store.RegistryRow;
import io.seriatim.store.SkippedRow;
import io.seriatim.store.WorkspaceEvent;
import io.seriatim.store.WriteMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Brings the rows that follow from an event to what the event says, whatever a crash has left of them.
 *
 * <p>A row that the event creates and that is there already must be the same: then it was written before the crash. One
 * that says something else was written by somebody else, and is left as it is for an operator to see.
 */
final class Repair {

    /*
     * A record that the event creates can be there in a later form: the rows of a group are one write, and an update in a
     * later group may have been written while the applied offset was not moved, when a projector had failed in between.
     * Then the registry says that this event created it, and the row names the later event; that one is applied again too.
     */

    private final PartitionStore store;
    private final Schema.Index schema;

    Repair(PartitionStore store, Schema.Index schema) {
        this.store = store;
        this.schema = schema;
    }

    /** What is still to be written of an event, or in what it differs from what is there. */
    record Finding(
            List<RecordRow> created,
            List<RecordRow> updated,
            List<RegistryRow> registered,
            List<KeyRow> keys,
            List<WorkspaceEvent> places,
            List<Difference> differences) {

        /** All but the place of the event in its workspace, which comes last. */
        DerivedRows records(WriteMode mode) {
            return DerivedRows.under(mode).withRecords(created, updated, registered, keys);
        }

        /** What is left when the records are written. */
        DerivedRows end(WriteMode mode, List<SkippedRow> skipped, long appliedOffset) {
            return DerivedRows.under(mode)
                    .withWorkspaceEvents(mode, places)
                    .withSkipped(skipped)
                    .withAppliedOffset(appliedOffset);
        }

        boolean isNothing() {
            return created.isEmpty() && updated.isEmpty() && registered.isEmpty() && keys.isEmpty();
        }
    }

    /**
     * Compares what is stored with an event.
     *
     * @throws io.seriatim.store.StoreException if it cannot be read
     */
    Finding compare(LogEvent event, EventBody body) {
        Comparing comparing = new Comparing(event, body);
        try {
            comparing.run(EventRows.of(event, body, schema));
        } catch (IllegalArgumentException e) {
            comparing.differs(String.valueOf(e.getMessage()));
        }
        return comparing.finding();
    }

    /** What is wrong with the rows of an event that is said to be applied, in sentences. */
    List<String> faults(LogEvent event, EventBody body) {
        Finding finding = compare(event, body);
        List<String> faults = new ArrayList<>();
        finding.differences().forEach(each -> faults.add(each.what()));
        finding.registered().forEach(row -> faults.add("the registry does not have id " + row.id()));
        finding.created().forEach(row -> faults.add("record " + row.id() + " is not there"));
        for (RecordRow row : finding.updated()) {
            store.record(row.workspace(), row.id()).ifPresent(present -> {
                if (present.plogOffset() < event.offset()) {
                    faults.add("record " + row.id() + " is not updated");
                } else if (present.plogOffset() == event.offset() && !EventRows.isSame(present, row)) {
                    faults.add("record " + row.id() + " is stored with other contents than the event gave it");
                }
            });
        }
        finding.keys().forEach(row -> faults.add("its idempotency key is not there"));
        finding.places().forEach(row -> faults.add("it has no place at WLog offset " + row.offset()));
        return faults;
    }

    /** Everything that follows from an event, whatever is there: for an operator who has decided for the log. */
    Finding overwrite(LogEvent event, EventBody body) {
        List<RecordRow> updated = new ArrayList<>();
        List<Difference> differences = new ArrayList<>();
        EventRows rows = EventRows.of(event, body, schema);
        for (RecordUpdate update : rows.updates()) {
            store.record(event.header().workspace(), update.id())
                    .ifPresentOrElse(
                            present -> updated.add(EventRows.updated(present, update, event, body)),
                            () -> differences.add(new Difference(
                                    event.offset(),
                                    "the event at offset " + event.offset() + ": it updates record " + update.id()
                                            + ", which is not there")));
        }
        return new Finding(
                rows.created(),
                updated,
                rows.registered(),
                rows.key().map(List::of).orElse(List.of()),
                List.of(rows.place()),
                differences);
    }

    private final class Comparing {

        private final LogEvent event;
        private final EventBody body;
        private final List<RecordRow> created = new ArrayList<>();
        private final List<RecordRow> updated = new ArrayList<>();
        private final List<RegistryRow> registered = new ArrayList<>();
        private final List<KeyRow> keys = new ArrayList<>();
        private final List<WorkspaceEvent> places = new ArrayList<>();
        private final List<Difference> differences = new ArrayList<>();

        Comparing(LogEvent event, EventBody body) {
            this.event = event;
            this.body = body;
        }

        Finding finding() {
            return new Finding(created, updated, registered, keys, places, differences);
        }

        void run(EventRows rows) {
            rows.registered().forEach(this::registered);
            rows.created().forEach(this::created);
            rows.updates().forEach(this::updated);
            rows.key().ifPresent(this::key);
            place(rows.place());
        }

        private void registered(RegistryRow row) {
            Optional<RegistryRow> present = store.registered(row.workspace(), row.id());
            if (present.isEmpty()) {
                registered.add(row);
            } else if (!present.get().equals(row)) {
                differs("it gives out id " + row.id() + ", which the registry has as type "
                        + present.get().type() + " of WLog offset "
                        + present.get().wlogOffset());
            }
        }

        private void created(RecordRow row) {
            Optional<RecordRow> present = store.record(row.workspace(), row.id());
            if (present.isEmpty()) {
                created.add(row);
            } else if (!EventRows.isSame(present.get(), row) && !isLaterForm(present.get(), row)) {
                differs("record " + row.id() + " is stored with other contents, of type "
                        + present.get().type() + ", PLog offset "
                        + present.get().plogOffset() + ", WLog offset "
                        + present.get().wlogOffset());
            }
        }

        private boolean isLaterForm(RecordRow present, RecordRow row) {
            return present.type() == row.type() && present.plogOffset() > row.plogOffset() && wasUpdated(present);
        }

        /** Whether the event that a row names as its last one does update the record. */
        private boolean wasUpdated(RecordRow present) {
            return Events.at(present.plogOffset(), store).stream()
                    .filter(later -> later.header().workspace() == present.workspace())
                    .flatMap(later -> EventBody.decode(later.body()).cuds().stream())
                    .anyMatch(cud -> cud instanceof RecordUpdate && cud.id() == present.id());
        }

        private void updated(RecordUpdate update) {
            Optional<RecordRow> present = store.record(event.header().workspace(), update.id());
            if (present.isEmpty()) {
                differs("it updates record " + update.id() + ", which is not there");
            } else if (present.get().plogOffset() <= event.offset()) {
                updated.add(EventRows.updated(present.get(), update, event, body));
            } else if (!wasUpdated(present.get())) {
                differs("record " + update.id() + " is stored as of offset "
                        + present.get().plogOffset() + ", and the event there does not update it");
            }
        }

        private void key(KeyRow row) {
            Optional<KeyRow> present = store.keyed(row.workspace(), row.key());
            if (present.isEmpty()) {
                keys.add(row);
            } else if (!present.get().equals(row)) {
                differs("its idempotency key is that of the event at offset "
                        + present.get().plogOffset());
            }
        }

        private void place(WorkspaceEvent row) {
            List<WorkspaceEvent> present = store.workspaceEvents(row.workspace(), row.offset(), 1);
            if (present.isEmpty() || present.get(0).offset() != row.offset()) {
                places.add(row);
            } else if (!present.get(0).equals(row)) {
                differs("at its WLog offset, " + row.offset() + ", stands the event at PLog offset "
                        + present.get(0).plogOffset());
            }
        }

        void differs(String what) {
            differences.add(new Difference(event.offset(), "the event at offset " + event.offset() + ": " + what));
        }
    }
}
