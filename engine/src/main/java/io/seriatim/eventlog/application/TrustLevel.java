package io.seriatim.eventlog.application;

import io.seriatim.store.WriteMode;

/** What a write looks for before it writes. Records that are updated are always written over. */
public enum TrustLevel {
    /** Events, new records and their registry are written only where nothing is. */
    VERIFY_ALL(WriteMode.INSERT_IF_ABSENT, WriteMode.INSERT_IF_ABSENT),
    /** Events are written only where nothing is, records over whatever is there. */
    VERIFY_EVENTS(WriteMode.INSERT_IF_ABSENT, WriteMode.PUT),
    /** Everything is written over whatever is there; only where the store itself refuses writers of older epochs. */
    TRUST_ALL(WriteMode.PUT, WriteMode.PUT);

    private final WriteMode eventMode;
    private final WriteMode recordMode;

    TrustLevel(WriteMode eventMode, WriteMode recordMode) {
        this.eventMode = eventMode;
        this.recordMode = recordMode;
    }

    /** For the log of the partition and the logs of its workspaces. */
    WriteMode eventMode() {
        return eventMode;
    }

    WriteMode recordMode() {
        return recordMode;
    }
}
