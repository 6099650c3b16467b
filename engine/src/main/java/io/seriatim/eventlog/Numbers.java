package io.seriatim.eventlog;

import io.seriatim.ErrorCode;
import io.seriatim.store.EventHeader;
import io.seriatim.store.NumberRows;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.WriterMark;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The numbers and offsets of a partition, and the transactions over them: what is right, without threads and time. Used
 * by whoever has the sequencer's turn.
 */
final class Numbers {

    /*
     * The entry of a workspace holds the last number given out, also by transactions that are not flushed: those of the
     * open one are kept apart as they were (before), so that they can be put back; those of a sealed one are copied when
     * it is sealed. Into the rows for the store go only numbers of events that are durable.
     *
     * A number of the store that is not in memory was stored before its entry could leave (WorkspaceCache), so a read of
     * the store brings the last one. An entry that a replay made knows only the sequences that it met: the rest is read
     * when they are asked for.
     */

    static final int MOST_SEALED = 256;

    private final WorkspaceKind[] kinds;
    private final int stride;
    private final WorkspaceCache cache;
    private final PartitionStore store;
    private final long[] read;

    /** Offset of the next transaction; the first to replay before there can be one. */
    private long nextOffset = 1;

    /** What is published and not handed over. */
    private PendingRows pending;
    /** Number of the last row that is stored, or need not be; only rises, whoever says it last. */
    private final AtomicInteger storedThrough = new AtomicInteger();

    // the open transaction
    private boolean open;
    private long workspace;
    private int kind;
    private int at;
    private long changed;
    private final long[] before;

    // sealed ones, in order of offset, from the first on
    private int sealedCount;
    /** How many there ever were: an offset may come again, the number of a seal does not. */
    private long seals;

    private final long[] sealedWorkspaces = new long[MOST_SEALED];
    private final int[] sealedKinds = new int[MOST_SEALED];
    private final long[] sealedChanged = new long[MOST_SEALED];
    private final long[] sealedValues;
    /** The numbers of the last flush. */
    private final Batch batch;

    Numbers(WorkspaceKind[] kinds, SequencerSettings settings, PartitionStore store) {
        this.kinds = kinds;
        this.store = store;
        int widest = 1;
        for (WorkspaceKind each : kinds) {
            widest = Math.max(widest, each.size());
        }
        stride = widest;
        cache = new WorkspaceCache(stride, settings.lruCacheSize(), pinned(settings));
        read = new long[stride];
        before = new long[stride];
        sealedValues = new long[MOST_SEALED * stride];
        batch = new Batch(kinds, stride);
        pending = new PendingRows(kinds, stride);
        pending.begin(1);
    }

    /** Workspaces that can have to stay: of numbers that are unflushed, or were settled, or sealed, or being drawn. */
    private int pinned(SequencerSettings settings) {
        int unflushed = settings.maxUnflushedValues();
        return unflushed + unflushed / 2 + MOST_SEALED + 3 * stride + 4;
    }

    // ---- the open transaction

    void begin(int kind, long workspace) {
        this.kind = kind;
        this.workspace = workspace;
        at = WorkspaceCache.NONE;
        changed = 0;
        open = true;
    }

    boolean isOpen() {
        return open;
    }

    boolean hasSealed() {
        return sealedCount > 0;
    }

    boolean isGroupFull() {
        return sealedCount == MOST_SEALED;
    }

    long openOffset() {
        return nextOffset;
    }

    WorkspaceKind openKind() {
        return kinds[kind];
    }

    /** Whether the numbers of the open transaction's workspace are in memory. */
    boolean isLoaded() {
        return at != WorkspaceCache.NONE;
    }

    /**
     * Brings the numbers of the workspace into memory.
     *
     * @throws io.seriatim.store.StoreException if the store could not be read; nothing has changed
     */
    void load() {
        int found = cache.find(workspace);
        boolean whole = found != WorkspaceCache.NONE && !cache.isPartial(found);
        int bound = 0;
        if (!whole) {
            bound = store.readNumbers(workspace, kinds[kind].ids(), read);
        }
        if (found == WorkspaceCache.NONE) {
            requireKind(bound == 0 ? kinds[kind].id() : bound);
            found = cache.insert(workspace, kind, storedThrough.get());
        } else {
            requireKind(kinds[cache.kind(found)].id());
        }
        if (!whole) {
            for (int place = 0; place < kinds[kind].size(); place++) {
                cache.set(found, place, Math.max(cache.value(found, place), read[place]));
            }
            cache.setPartial(found, false);
        }
        cache.use(found);
        at = found;
    }

    private void requireKind(int bound) {
        if (bound != kinds[kind].id()) {
            throw new WrongKindException(workspace, bound, kinds[kind].id());
        }
    }

    /** The next number of the sequence at this place, of a workspace that is loaded. */
    long next(int place) {
        WorkspaceKind its = kinds[kind];
        long last = cache.value(at, place);
        if (last >= its.max(place)) {
            throw new EventLogException(
                    ErrorCode.EXHAUSTED,
                    "sequence " + its.ids()[place] + " of workspace " + workspace + " has reached its last number, "
                            + its.max(place));
        }
        long next = Math.max(last + 1, its.initial(place));
        change(place, last, next);
        return next;
    }

    /** Moves a number up to one that was given out elsewhere; one below it changes nothing. */
    void raise(int place, long value) {
        long last = cache.value(at, place);
        if (value > last) {
            change(place, last, value);
        }
    }

    private void change(int place, long last, long value) {
        long bit = 1L << place;
        if ((changed & bit) == 0) {
            before[place] = last;
            changed |= bit;
        }
        cache.set(at, place, value);
    }

    /** The last number of the sequence at this place, of a workspace that is loaded; 0 if there was none. */
    long last(int place) {
        return cache.value(at, place);
    }

    /** What a replay needs of the open transaction. */
    EventHeader header(WriterMark mark, String key) {
        int count = Long.bitCount(changed);
        int[] sequences = new int[count];
        long[] values = new long[count];
        int i = 0;
        for (long left = changed; left != 0; left &= left - 1) {
            int place = Long.numberOfTrailingZeros(left);
            sequences[i] = kinds[kind].ids()[place];
            values[i] = cache.value(at, place);
            i++;
        }
        return new EventHeader(workspace, kinds[kind].id(), mark, key, sequences, values);
    }

    void discard() {
        for (long left = changed; left != 0; left &= left - 1) {
            int place = Long.numberOfTrailingZeros(left);
            cache.set(at, place, before[place]);
        }
        changed = 0;
        end();
    }

    /** Ends the open transaction. A workspace that only it has bound to a kind, without a number, stays unbound. */
    private void end() {
        if (changed == 0 && isLoaded() && hasNoNumbers()) {
            cache.remove(workspace);
        }
        open = false;
    }

    private boolean hasNoNumbers() {
        for (int place = 0; place < stride; place++) {
            if (cache.value(at, place) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Keeps the numbers of the open transaction for a flush to come, and ends it; says which seal this was. */
    long seal() {
        int i = sealedCount++;
        sealedWorkspaces[i] = workspace;
        sealedKinds[i] = kind;
        sealedChanged[i] = changed;
        if (changed != 0) {
            cache.copyValues(at, sealedValues, i * stride);
            cache.setHeld(at, true);
        }
        nextOffset++;
        end();
        return ++seals;
    }

    /** Publishes all sealed transactions, and the open one. */
    NumberRows flushOpen() {
        batch.begin();
        publishSealed(sealedCount);
        if (changed != 0) {
            long[] from = cache.array();
            int index = cache.index(at);
            batch.setLast(workspace, kind, changed, from, index);
            cache.setLastRow(at, pending.put(cache.lastRow(at), workspace, kind, changed, from, index));
        }
        pending.cover(nextOffset);
        nextOffset++;
        end();
        return batch;
    }

    /** Whether the transaction of this seal is neither flushed nor dropped. */
    boolean isSealed(long seal) {
        return seal > seals - sealedCount && seal <= seals;
    }

    /** Publishes sealed transactions up to and including the one of this seal. */
    NumberRows flushSealed(long seal) {
        batch.begin();
        publishSealed((int) (seal - (seals - sealedCount)));
        return batch;
    }

    private void publishSealed(int count) {
        if (count == 0) {
            return;
        }
        long offset = nextOffset - sealedCount;
        for (int i = 0; i < count; i++) {
            publishSealedAt(i);
            pending.cover(offset + i);
        }
        int left = sealedCount - count;
        System.arraycopy(sealedWorkspaces, count, sealedWorkspaces, 0, left);
        System.arraycopy(sealedKinds, count, sealedKinds, 0, left);
        System.arraycopy(sealedChanged, count, sealedChanged, 0, left);
        System.arraycopy(sealedValues, count * stride, sealedValues, 0, left * stride);
        sealedCount = left;
        release();
    }

    private void publishSealedAt(int i) {
        long changes = sealedChanged[i];
        if (changes != 0) {
            int found = cache.find(sealedWorkspaces[i]);
            int row = pending.put(
                    cache.lastRow(found), sealedWorkspaces[i], sealedKinds[i], changes, sealedValues, i * stride);
            cache.setLastRow(found, row);
            batch.add(sealedWorkspaces[i], sealedKinds[i], changes, sealedValues, i * stride);
        }
    }

    /** Lets go of the entries of published transactions which no sealed one has. */
    private void release() {
        for (int row = 0; row < batch.size(); row++) {
            int found = cache.find(batch.workspace(row));
            if (found != WorkspaceCache.NONE) {
                cache.setHeld(found, hasSealed(batch.workspace(row)));
            }
        }
    }

    private boolean hasSealed(long searched) {
        for (int i = 0; i < sealedCount; i++) {
            if (sealedWorkspaces[i] == searched) {
                return true;
            }
        }
        return false;
    }

    // ---- actualize

    /** Empties the entries of all transactions that are open or sealed, and ends those. */
    void dropTransactions() {
        if (open) {
            cache.remove(workspace);
        }
        for (int i = 0; i < sealedCount; i++) {
            cache.remove(sealedWorkspaces[i]);
        }
        nextOffset -= sealedCount;
        sealedCount = 0;
        open = false;
    }

    /** Forgets what is pending: all of it is in the log behind the checkpoint, and is met again. */
    void beginReplay(long fromOffset) {
        int row = pending.endRow();
        raiseStoredThrough(row - 1);
        pending = new PendingRows(kinds, stride);
        pending.begin(row);
        nextOffset = fromOffset;
    }

    void forgetAll() {
        cache.clear();
    }

    /**
     * Takes over the numbers of an event of the log.
     *
     * @throws CorruptLogException if it is not the next one, or of a kind or sequence that is not declared
     */
    void replay(long offset, long of, int kindId, int count, int[] sequences, long[] values)
            throws CorruptLogException {
        if (offset != nextOffset) {
            throw new CorruptLogException("the log has no event at offset " + nextOffset + ", and one at " + offset);
        }
        int its = kindOf(kindId);
        if (its < 0) {
            throw new CorruptLogException(
                    "the event at offset " + offset + " is of kind " + kindId + ", which is not declared");
        }
        if (count > 0) {
            int found = cache.find(of);
            if (found == WorkspaceCache.NONE) {
                found = cache.insert(of, its, storedThrough.get());
                cache.setPartial(found, true);
            } else if (cache.kind(found) != its) {
                throw new CorruptLogException("the event at offset " + offset + " is of kind " + kindId
                        + ", its workspace " + of + " of another one");
            }
            long met = 0;
            for (int i = 0; i < count; i++) {
                int place = kinds[its].placeOf(sequences[i]);
                if (place < 0) {
                    throw new CorruptLogException("the event at offset " + offset + " has a number of sequence "
                            + sequences[i] + ", which kind " + kindId + " does not declare");
                }
                cache.set(found, place, Math.max(cache.value(found, place), values[i]));
                met |= 1L << place;
            }
            cache.copyValues(found, read, 0);
            cache.setLastRow(found, pending.put(cache.lastRow(found), of, its, met, read, 0));
        }
        pending.cover(offset);
        nextOffset = offset + 1;
    }

    private int kindOf(int id) {
        for (int i = 0; i < kinds.length; i++) {
            if (kinds[i].id() == id) {
                return i;
            }
        }
        return -1;
    }

    // ---- on the way to the store

    PendingRows pending() {
        return pending;
    }

    /** Takes what is pending, and goes on with rows that are empty. */
    PendingRows handOver(PendingRows empty) {
        PendingRows full = pending;
        empty.begin(full.endRow());
        pending = empty;
        return full;
    }

    PendingRows emptyRows() {
        return new PendingRows(kinds, stride);
    }

    /** Says that rows are stored; from any thread, in their order. */
    void stored(PendingRows rows) {
        raiseStoredThrough(rows.endRow() - 1);
    }

    /** A write that was abandoned may still come through, and say so after a replay has begun. */
    private void raiseStoredThrough(int row) {
        int unused = storedThrough.accumulateAndGet(row, (was, is) -> is - was > 0 ? is : was);
    }

    int cachedWorkspaces() {
        return cache.size();
    }
}
