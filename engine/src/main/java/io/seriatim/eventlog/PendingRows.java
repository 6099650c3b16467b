package io.seriatim.eventlog;

import io.seriatim.store.NumberRows;
import java.util.Arrays;

/**
 * Numbers on their way to the store, and the offset that they reach. Filled by one thread, then handed over whole; a
 * workspace that changes again before that goes into its old row.
 */
final class PendingRows implements NumberRows {

    private static final int FIRST_ROWS = 16;

    private final WorkspaceKind[] kinds;
    private final int stride;
    private long[] workspaces = new long[FIRST_ROWS];
    private byte[] rowKinds = new byte[FIRST_ROWS];
    /** Which numbers a row has, a bit for each place of its kind. */
    private long[] places = new long[FIRST_ROWS];

    private long[] values;
    private int size;
    private int firstRow;
    private int valueCount;
    private int eventCount;
    /** Of them, how many do not count as unflushed. */
    private int settledValues;

    private int settledEvents;
    private long nextOffset;

    PendingRows(WorkspaceKind[] kinds, int stride) {
        this.kinds = kinds;
        this.stride = stride;
        values = new long[FIRST_ROWS * stride];
    }

    /** @param firstRow number of the first row to come */
    void begin(int firstRow) {
        this.firstRow = firstRow;
        size = 0;
        valueCount = 0;
        eventCount = 0;
        settledValues = 0;
        settledEvents = 0;
    }

    /** Lets what a replay has brought count as no more than this: no transaction has to wait for it. */
    void settle(int values, int events) {
        settledValues = Math.max(0, valueCount - values);
        settledEvents = Math.max(0, eventCount - events);
    }

    int unflushedValues() {
        return valueCount - settledValues;
    }

    int unflushedEvents() {
        return eventCount - settledEvents;
    }

    /** Puts numbers into the workspace's row of this number, or into a new one; says which it is in. */
    int put(int row, long workspace, int kind, long changed, long[] from, int index) {
        int at = row - firstRow;
        if (at < 0 || at >= size || workspaces[at] != workspace) {
            at = add(workspace, kind);
        }
        for (long left = changed; left != 0; left &= left - 1) {
            int place = Long.numberOfTrailingZeros(left);
            values[at * stride + place] = from[index + place];
        }
        valueCount += Long.bitCount(changed & ~places[at]);
        places[at] |= changed;
        return firstRow + at;
    }

    private int add(long workspace, int kind) {
        if (size == workspaces.length) {
            int rows = Math.addExact(size, size >> 1);
            workspaces = Arrays.copyOf(workspaces, rows);
            rowKinds = Arrays.copyOf(rowKinds, rows);
            places = Arrays.copyOf(places, rows);
            values = Arrays.copyOf(values, Math.multiplyExact(rows, stride));
        }
        workspaces[size] = workspace;
        rowKinds[size] = (byte) kind;
        places[size] = 0;
        return size++;
    }

    /** Says that the numbers of one more event are here. */
    void cover(long offset) {
        nextOffset = offset + 1;
        eventCount++;
    }

    /** The first offset that is not covered; nothing of a buffer without events. */
    long nextOffset() {
        return nextOffset;
    }

    int eventCount() {
        return eventCount;
    }

    int valueCount() {
        return valueCount;
    }

    /** Number of the row that would come next. */
    int endRow() {
        return firstRow + size;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public long workspace(int row) {
        return workspaces[row];
    }

    @Override
    public int kind(int row) {
        return kindOf(row).id();
    }

    @Override
    public int count(int row) {
        return Long.bitCount(places[row]);
    }

    @Override
    public int sequence(int row, int place) {
        return kindOf(row).ids()[bit(places[row], place)];
    }

    @Override
    public long value(int row, int place) {
        return values[row * stride + bit(places[row], place)];
    }

    private WorkspaceKind kindOf(int row) {
        return kinds[rowKinds[row] & 0xFF];
    }

    /** The place in its kind of the number at an index of those that a row has. */
    static int bit(long places, int index) {
        long left = places;
        for (int i = 0; i < index; i++) {
            left &= left - 1;
        }
        return Long.numberOfTrailingZeros(left);
    }
}
