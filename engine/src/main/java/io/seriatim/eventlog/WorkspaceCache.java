package io.seriatim.eventlog;

/** The numbers of workspaces in memory. Used by one thread at a time. */
final class WorkspaceCache {

    /*
     * A hash table in one array, without an object for an entry: open addressing with linear probing, and a removal moves
     * the entries behind it back, so that there are no marks of removed ones to clean up. An entry is the workspace, a
     * word of what else there is to know of it, and its numbers, side by side: with two numbers 32 bytes, which are read
     * from memory at once, and 40 to 43 with the free places that probing needs (docs/performance.md).
     *
     * Room is made by CLOCK: a hand goes round and takes the first entry that was not used since it last came by. It hits
     * as often as an exact order of use does, and needs a bit in place of two links. The hand does not go along the array:
     * what it takes lies behind it, what is new lies anywhere, so the places before it would fill up to one run of
     * thousands, which every probe there would have to walk. It goes from one short block to another that is far away, by a
     * step that meets each block once a round, and the free places stay spread.
     *
     * An entry whose numbers are not stored must stay: a store that is read again would give the older ones. The last row
     * of an entry is the number of the row that its numbers were put into, on their way to the store; they are there once
     * the rows up to that number are. So nothing has to be cleared when a row is stored. Row numbers are compared as
     * points of a circle; an entry that rests for two thousand million rows is taken for one that must stay, for as many
     * rows again. An entry of a sealed transaction is held.
     *
     * Entries that must stay may exceed the limit. How many they can be is known, so the table is at its
     * largest when it holds both. It begins small and doubles.
     *
     * The word: from the lowest bit, eight of the kind's place plus one, 0 where nothing is; eight of flags; and in the
     * upper half the last row.
     */

    static final int NONE = -1;

    private static final int WORD = 1;
    private static final int NUMBERS = 2;

    private static final long KIND = 0xFF;
    private static final long USED = 0x100;
    private static final long PARTIAL = 0x200;
    private static final long HELD = 0x400;
    private static final int ROW_SHIFT = 32;
    private static final long LOWER_HALF = 0xFFFF_FFFFL;

    private static final int FIRST_CAPACITY = 64;
    private static final int LOOKS = 64;

    /** Places that the hand visits before it leaves for another block. */
    private static final int BLOCK = 8;

    private static final double GOLDEN_SECTION = 0.618_033_988_749_895;

    private final int stride;
    private final int width;
    private final int limit;
    private final int most;
    private long[] entries = new long[0];
    private int capacity;
    private int size;
    private int hand;
    private int blockStep;

    /**
     * @param stride numbers of a workspace, at most
     * @param limit workspaces to keep
     * @param pinned workspaces that can have to stay, at most
     * @throws IllegalArgumentException if no array is long enough for all their numbers
     */
    WorkspaceCache(int stride, int limit, int pinned) {
        this.stride = stride;
        this.limit = limit;
        width = NUMBERS + stride;
        long places = (limit + (long) pinned) * 5 / 4 + 8;
        if (places * width > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException(
                    "so many workspaces cannot be kept: workspaces=" + limit + " numbers of each=" + stride);
        }
        most = Math.toIntExact(places);
        allocate(Math.min(FIRST_CAPACITY, most));
    }

    private void allocate(int places) {
        capacity = places;
        entries = new long[places * width];
        hand = 0;
        blockStep = stepThrough(blocks());
    }

    private int blocks() {
        return (capacity + BLOCK - 1) / BLOCK;
    }

    /** A step that meets each of so many blocks once a round, and leaves those of a part of a round far apart. */
    static int stepThrough(int blocks) {
        int step = Math.max(1, (int) (blocks * GOLDEN_SECTION));
        while (greatestCommonDivisor(step, blocks) != 1) {
            step++;
        }
        return step;
    }

    private static int greatestCommonDivisor(int a, int b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }

    int size() {
        return size;
    }

    /** The place of a workspace, good until the next entry comes or goes; NONE if it is not here. */
    int find(long workspace) {
        for (int at = home(workspace); !isEmpty(at); at = next(at)) {
            if (entries[at * width] == workspace) {
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
        int base = at * width;
        entries[base] = workspace;
        entries[base + WORD] = (long) storedThrough << ROW_SHIFT | kind + 1;
        for (int number = 0; number < stride; number++) {
            entries[base + NUMBERS + number] = 0;
        }
        size++;
        return at;
    }

    /** Two at a time where there are too many, so that the limit is kept again once entries need not stay. */
    private void makeRoom(int storedThrough) {
        int wanted = size > limit ? 2 : 1;
        boolean last = size + 1 >= (long) most * 4 / 5;
        for (int looks = last ? 2 * capacity : LOOKS; looks > 0 && wanted > 0; looks--) {
            long word = word(hand);
            boolean mayLeave = word != 0 && (word & HELD) == 0 && (int) (word >> ROW_SHIFT) - storedThrough <= 0;
            if (mayLeave && (word & USED) == 0) {
                removeAt(hand); // another one may have moved here
                wanted--;
            } else {
                if (mayLeave) {
                    setWord(hand, word & ~USED);
                }
                moveHand();
            }
        }
    }

    private void moveHand() {
        hand++;
        if (hand == capacity || hand % BLOCK == 0) {
            int block = (int) (((hand - 1) / BLOCK + (long) blockStep) % blocks());
            hand = block * BLOCK;
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
        for (int at = next(hole); !isEmpty(at); at = next(at)) {
            if (distance(home(entries[at * width]), at) >= distance(hole, at)) {
                System.arraycopy(entries, at * width, entries, hole * width, width);
                hole = at;
            }
        }
        setWord(hole, 0);
        size--;
    }

    void clear() {
        allocate(Math.min(FIRST_CAPACITY, most));
        size = 0;
    }

    private void grow() {
        long[] old = entries;
        allocate((int) Math.min(most, 2L * capacity));
        for (int from = 0; from < old.length; from += width) {
            if (old[from + WORD] != 0) {
                System.arraycopy(old, from, entries, freePlace(old[from]) * width, width);
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
        while (!isEmpty(at)) {
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

    private boolean isEmpty(int at) {
        return word(at) == 0;
    }

    private long word(int at) {
        return entries[at * width + WORD];
    }

    private void setWord(int at, long word) {
        entries[at * width + WORD] = word;
    }

    // ---- an entry, by its place

    int kind(int at) {
        return (int) (word(at) & KIND) - 1;
    }

    long value(int at, int number) {
        return entries[at * width + NUMBERS + number];
    }

    void set(int at, int number, long value) {
        entries[at * width + NUMBERS + number] = value;
    }

    void copyValues(int at, long[] to, int index) {
        for (int i = 0, from = at * width + NUMBERS; i < stride; i++) { // few: a call would cost more
            to[index + i] = entries[from + i];
        }
    }

    /** Where the numbers of all entries are; not to be changed. */
    long[] array() {
        return entries;
    }

    /** Where in it those of an entry begin. */
    int index(int at) {
        return at * width + NUMBERS;
    }

    int lastRow(int at) {
        return (int) (word(at) >> ROW_SHIFT);
    }

    void setLastRow(int at, int row) {
        long word = word(at);
        if ((int) (word >> ROW_SHIFT) != row) {
            setWord(at, (long) row << ROW_SHIFT | word & LOWER_HALF);
        }
    }

    void use(int at) {
        long word = word(at);
        if ((word & USED) == 0) {
            setWord(at, word | USED);
        }
    }

    /** Whether only some of its numbers are known: those that a replay has met. */
    boolean isPartial(int at) {
        return (word(at) & PARTIAL) != 0;
    }

    void setPartial(int at, boolean partial) {
        set(at, PARTIAL, partial);
    }

    void setHeld(int at, boolean held) {
        set(at, HELD, held);
    }

    private void set(int at, long flag, boolean on) {
        setWord(at, on ? word(at) | flag : word(at) & ~flag);
    }
}
