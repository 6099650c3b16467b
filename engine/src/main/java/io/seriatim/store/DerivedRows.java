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
}
