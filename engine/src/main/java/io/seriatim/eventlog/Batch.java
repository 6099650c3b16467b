package io.seriatim.eventlog;

import io.seriatim.store.NumberRows;

/** The numbers of the transactions that one flush published: of sealed ones, and of the open one, which comes last. */
final class Batch implements NumberRows {

    private final WorkspaceKind[] kinds;
    private final PendingRows sealed;
    private boolean hasLast;
    private long workspace;
    private int kind;
    private long changed;
    /** The numbers of the open transaction, by place from an index on: those of its entry in memory. */
    private long[] values = new long[0];

    private int index;

    Batch(WorkspaceKind[] kinds, int stride) {
        this.kinds = kinds;
        sealed = new PendingRows(kinds, stride);
    }

    void begin() {
        sealed.begin(0);
        hasLast = false;
    }

    void add(long of, int ofKind, long changes, long[] from, int index) {
        int unused = sealed.put(-1, of, ofKind, changes, from, index);
    }

    /** Adds the row of the open transaction, whose numbers are not copied. */
    void setLast(long of, int ofKind, long changes, long[] from, int first) {
        hasLast = true;
        workspace = of;
        kind = ofKind;
        changed = changes;
        values = from;
        index = first;
    }

    private boolean isLast(int row) {
        return hasLast && row == sealed.size();
    }

    @Override
    public int size() {
        return sealed.size() + (hasLast ? 1 : 0);
    }

    @Override
    public long workspace(int row) {
        return isLast(row) ? workspace : sealed.workspace(row);
    }

    @Override
    public int kind(int row) {
        return isLast(row) ? kinds[kind].id() : sealed.kind(row);
    }

    @Override
    public int count(int row) {
        return isLast(row) ? Long.bitCount(changed) : sealed.count(row);
    }

    @Override
    public int sequence(int row, int place) {
        return isLast(row) ? kinds[kind].ids()[PendingRows.bit(changed, place)] : sealed.sequence(row, place);
    }

    @Override
    public long value(int row, int place) {
        return isLast(row) ? values[index + PendingRows.bit(changed, place)] : sealed.value(row, place);
    }
}
