package io.seriatim.store;

import java.util.List;
import java.util.OptionalLong;

/**
 * What one write says of things that follow from events.
 *
 * @param recordMode for created records, the registry and keys
 * @param workspaceMode for the events of workspaces
 * @param updated records that are always written over what is there
 * @param skipped always written over what is there
 * @param appliedOffset the first offset whose rows are not all written once these are; empty to leave it
 */
public record DerivedRows(
        WriteMode recordMode,
        WriteMode workspaceMode,
        List<RecordRow> created,
        List<RecordRow> updated,
        List<RegistryRow> registered,
        List<KeyRow> keys,
        List<WorkspaceEvent> workspaceEvents,
        List<SkippedRow> skipped,
        OptionalLong appliedOffset) {

    public DerivedRows {
        created = List.copyOf(created);
        updated = List.copyOf(updated);
        registered = List.copyOf(registered);
        keys = List.copyOf(keys);
        workspaceEvents = List.copyOf(workspaceEvents);
        skipped = List.copyOf(skipped);
    }

    /**
     * No rows yet, and the applied offset as it is.
     *
     * @param mode for all that are added
     */
    public static DerivedRows under(WriteMode mode) {
        return new DerivedRows(
                mode, mode, List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), OptionalLong.empty());
    }

    /** The same with what is known of records, in the place of what there was. */
    public DerivedRows withRecords(
            List<RecordRow> itsCreated,
            List<RecordRow> itsUpdated,
            List<RegistryRow> itsRegistered,
            List<KeyRow> itsKeys) {
        return new DerivedRows(
                recordMode,
                workspaceMode,
                itsCreated,
                itsUpdated,
                itsRegistered,
                itsKeys,
                workspaceEvents,
                skipped,
                appliedOffset);
    }

    /** The same with events of workspaces, in the place of those that there were. */
    public DerivedRows withWorkspaceEvents(WriteMode mode, List<WorkspaceEvent> its) {
        return new DerivedRows(recordMode, mode, created, updated, registered, keys, its, skipped, appliedOffset);
    }

    /** The same with what operators let pass, in the place of what there was. */
    public DerivedRows withSkipped(List<SkippedRow> its) {
        return new DerivedRows(
                recordMode, workspaceMode, created, updated, registered, keys, workspaceEvents, its, appliedOffset);
    }

    /** The same, after which this is the first offset whose rows are not all written. */
    public DerivedRows withAppliedOffset(long offset) {
        return new DerivedRows(
                recordMode,
                workspaceMode,
                created,
                updated,
                registered,
                keys,
                workspaceEvents,
                skipped,
                OptionalLong.of(offset));
    }
}
