package io.seriatim.eventlog;

import java.util.Arrays;

/** The numbers of workspaces in memory. Used by one thread at a time. */
final class WorkspaceCache {

    /*
     * A hash table in arrays, without an object for an entry: open addressing with linear probing, and a removal moves
     * the entries behind it back, so that there are no marks of removed ones to clean up. A workspace with two numbers
     * takes 30 bytes, and 38 with the free places that probing needs (docs/performance.md).
     *
     * Room is made by CLOCK: a hand goes round and takes the first entry that was not used since it last came by. It hits
     * as often as an exact order of use does, and needs a bit in place of two links.
     *
     * An entry whose numbers are not stored must stay: a store that is read again would give the older ones. lastRow is
     * the number of the last row that its numbers were put into, on their way to the store; they are there once the rows
     * up to that number are. So nothing has to be cleared when a row is stored. Row numbers are compared as points of a
     * circle; an entry that rests for two thousand million rows is taken for one that must stay, for as many rows again.
     * An entry of a sealed transaction is held.
     *
     * Entries that must stay may exceed the limit. There are never more of them than numbers that may be unflushed, so
     * the table is at its largest when it holds both. It begins small and doubles.
     */

    static final int NONE = -1;

    private static final byte EMPTY = 0;
    private static final byte USED = 1;
    private static final byte PARTIAL = 2;
    private static final byte HELD = 4;
    private static final int FIRST_CAPACITY = 64;
    private static final int LOOKS = 64;

    private final int stride;
    private final int limit;
    private final int most;
    private long[] workspaces;
    private long[] values;
    private int[] lastRows;
    /** Place of the kind plus one; {@link #EMPTY} where nothing is. */
    private byte[] kinds;

    private byte[] flags;
    private int capacity;
    private int size;
    private int hand;

    /**
     * @param stride numbers of a workspace, at most
     * @param limit workspaces to keep
     * @param pinned workspaces that can have to stay, at most
     * @throws IllegalArgumentException if no array is long enough for all their numbers
     */
    WorkspaceCache(int stride, int limit, int pinned) {
        this.stride = stride;
        this.limit = limit;
        most = Math.toIntExact(Math.min(Integer.MAX_VALUE - 8, (limit + (long) pinned) * 5 / 4 + 8));
        if ((long) most * stride > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException(
                    "so many workspaces cannot be kept: workspaces=" + limit + " numbers of each=" + stride);
        }
        allocate(Math.min(FIRST_CAPACITY, most));
    }

    private void allocate(int places) {
        capacity = places;
        workspaces = new long[places];
        values = new long[Math.multiplyExact(places, stride)];
        lastRows = new int[places];
        kinds = new byte[places];
        flags = new byte[places];
        hand = 0;
    }

    int size() {
        return size;
    }

    /** The place of a workspace, good until the next entry comes or goes; NONE if it is not here. */
    int find(long workspace) {
        for (int at = home(workspace); kinds[at] != EMPTY; at = next(at)) {
            if (workspaces[at] == workspace) {
                return at;
            }
        }
        return NONE;
    }

    /**
     * Makes an entry without numbers, for a workspace that has none, and room for it.
     *
     * @param storedThrough number of the last row that is stored
     */
    int insert(long workspace, int kind, int storedThrough) {
        if (size >= limit) {
            makeRoom(storedThrough);
        }
        if (size + 1 > (long) capacity * 4 / 5 && capacity < most) {
            grow();
        }
        if (size + 1 >= capacity) {
            throw new IllegalStateException("more workspaces must stay than numbers may be unflushed: size=" + size);
        }
        int at = freePlace(workspace);
        workspaces[at] = workspace;
        kinds[at] = (byte) (kind + 1);
        flags[at] = 0;
        lastRows[at] = storedThrough;
        Arrays.fill(values, at * stride, (at + 1) * stride, 0);
        size++;
        return at;
    }

    /** Two at a time where there are too many, so that the limit is kept again once entries need not stay. */
    private void makeRoom(int storedThrough) {
        int wanted = size > limit ? 2 : 1;
        boolean last = size + 1 >= (long) most * 4 / 5;
        for (int looks = last ? 2 * capacity : LOOKS; looks > 0 && wanted > 0; looks--) {
            if (kinds[hand] != EMPTY && (flags[hand] & HELD) == 0 && lastRows[hand] - storedThrough <= 0) {
                if ((flags[hand] & USED) == 0) {
                    removeAt(hand); // another one may have moved here
                    wanted--;
                    continue;
                }
                flags[hand] &= (byte) ~USED;
            }
            hand = next(hand);
        }
    }

    void remove(long workspace) {
        int at = find(workspace);
        if (at != NONE) {
            removeAt(at);
        }
    }

    private void removeAt(int place) {
        int hole = place;
        for (int at = next(hole); kinds[at] != EMPTY; at = next(at)) {
            if (distance(home(workspaces[at]), at) >= distance(hole, at)) {
                copy(at, hole);
                hole = at;
            }
        }
        kinds[hole] = EMPTY;
        size--;
    }

    private void copy(int from, int to) {
        workspaces[to] = workspaces[from];
        lastRows[to] = lastRows[from];
        kinds[to] = kinds[from];
        flags[to] = flags[from];
        System.arraycopy(values, from * stride, values, to * stride, stride);
    }

    void clear() {
        allocate(Math.min(FIRST_CAPACITY, most));
        size = 0;
    }

    private void grow() {
        long[] oldWorkspaces = workspaces;
        long[] oldValues = values;
        int[] oldRows = lastRows;
        byte[] oldKinds = kinds;
        byte[] oldFlags = flags;
        int oldCapacity = capacity;
        allocate((int) Math.min(most, 2L * capacity));
        for (int from = 0; from < oldCapacity; from++) {
            if (oldKinds[from] != EMPTY) {
                int at = freePlace(oldWorkspaces[from]);
                workspaces[at] = oldWorkspaces[from];
                lastRows[at] = oldRows[from];
                kinds[at] = oldKinds[from];
                flags[at] = oldFlags[from];
                System.arraycopy(oldValues, from * stride, values, at * stride, stride);
            }
        }
    }

    private int home(long workspace) {
        long mixed = workspace * 0x9E3779B97F4A7C15L;
        mixed ^= mixed >>> 32;
        mixed *= 0xD6E8FEB86659FD93L;
        return (int) ((mixed >>> 32) * capacity >>> 32);
    }

    private int freePlace(long workspace) {
        int at = home(workspace);
        while (kinds[at] != EMPTY) {
            at = next(at);
        }
        return at;
    }

    private int next(int at) {
        return at + 1 == capacity ? 0 : at + 1;
    }

    private int distance(int from, int to) {
        return to >= from ? to - from : to - from + capacity;
    }

    // ---- an entry, by its place

    int kind(int at) {
        return (kinds[at] & 0xFF) - 1; // up to 250 kinds
    }

    long value(int at, int number) {
        return values[at * stride + number];
    }

    void set(int at, int number, long value) {
        values[at * stride + number] = value;
    }

    void copyValues(int at, long[] to, int index) {
        System.arraycopy(values, at * stride, to, index, stride);
    }

    void restore(int at, long[] from) {
        System.arraycopy(from, 0, values, at * stride, stride);
    }

    int lastRow(int at) {
        return lastRows[at];
    }

    void setLastRow(int at, int row) {
        lastRows[at] = row;
    }

    void use(int at) {
        flags[at] |= USED;
    }

    /** Whether only some of its numbers are known: those that a replay has met. */
    boolean isPartial(int at) {
        return (flags[at] & PARTIAL) != 0;
    }

    void setPartial(int at, boolean partial) {
        flags[at] = (byte) (partial ? flags[at] | PARTIAL : flags[at] & ~PARTIAL);
    }

    void setHeld(int at, boolean held) {
        flags[at] = (byte) (held ? flags[at] | HELD : flags[at] & ~HELD);
    }
}
