package io.seriatim.eventlog;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/** Which sequences a workspace has. Immutable. */
public final class WorkspaceKind {

    /** The sequence of every kind that counts the events of a workspace, from 1 on. */
    public static final int WLOG_OFFSET = 0;

    private static final int MOST_SEQUENCES = 64;

    private final int id;
    private final List<KindSequence> sequences;
    private final OptionalInt recordIds;
    private final OptionalInt cRecordIds;
    /** Of the sequences, by their place. */
    private final int[] ids;

    private final long[] initials;
    private final long[] maxima;

    private WorkspaceKind(int id, List<KindSequence> sequences, OptionalInt recordIds, OptionalInt cRecordIds) {
        this.id = id;
        this.sequences = sequences;
        this.recordIds = recordIds;
        this.cRecordIds = cRecordIds;
        ids = sequences.stream().mapToInt(KindSequence::id).toArray();
        initials = sequences.stream().mapToLong(KindSequence::initial).toArray();
        maxima = sequences.stream().mapToLong(KindSequence::max).toArray();
    }

    /**
     * A kind that has no sequence but the offsets of its events.
     *
     * @param id at least 1; stays with the kind for ever
     */
    public static WorkspaceKind of(int id) {
        if (id < 1) {
            throw new IllegalArgumentException("an id is at least 1: id=" + id);
        }
        KindSequence offsets = new KindSequence(WLOG_OFFSET, 1, Long.MAX_VALUE);
        return new WorkspaceKind(id, List.of(offsets), OptionalInt.empty(), OptionalInt.empty());
    }

    /** The same with a further sequence, which has no other end than that of 64 bits. */
    public WorkspaceKind with(int sequence, long initial) {
        return with(new KindSequence(sequence, initial, Long.MAX_VALUE));
    }

    /**
     * The same with a further sequence.
     *
     * @throws IllegalArgumentException if the kind has one of this id, or 63 already
     */
    public WorkspaceKind with(KindSequence sequence) {
        if (placeOf(sequence.id()) >= 0 || sequences.size() == MOST_SEQUENCES) {
            throw new IllegalArgumentException("a kind has each sequence once, and at most " + (MOST_SEQUENCES - 1)
                    + ": id=" + sequence.id() + " kind=" + id);
        }
        List<KindSequence> more = new ArrayList<>(sequences);
        more.add(sequence);
        more.sort(Comparator.comparingInt(KindSequence::id));
        return new WorkspaceKind(id, List.copyOf(more), recordIds, cRecordIds);
    }

    /** The same, with the sequence that the ids of records come from. */
    public WorkspaceKind recordIdsFrom(int sequence) {
        return new WorkspaceKind(id, sequences, OptionalInt.of(declared(sequence)), cRecordIds);
    }

    /** The same, with the sequence that the ids of CDocs and CRecords come from, if not from that of all records. */
    public WorkspaceKind cRecordIdsFrom(int sequence) {
        return new WorkspaceKind(id, sequences, recordIds, OptionalInt.of(declared(sequence)));
    }

    private int declared(int sequence) {
        if (placeOf(sequence) < 0) {
            throw new IllegalArgumentException("kind " + id + " has no sequence " + sequence);
        }
        return sequence;
    }

    public int id() {
        return id;
    }

    /** All its sequences in order of their ids. */
    public List<KindSequence> sequences() {
        return sequences;
    }

    OptionalInt recordIds() {
        return recordIds;
    }

    OptionalInt cRecordIds() {
        return cRecordIds.isPresent() ? cRecordIds : recordIds;
    }

    int size() {
        return ids.length;
    }

    /** The ids by place; not to be changed. */
    int[] ids() {
        return ids;
    }

    long initial(int place) {
        return initials[place];
    }

    long max(int place) {
        return maxima[place];
    }

    /** The place of a sequence; negative if the kind has none of this id. */
    int placeOf(int sequence) {
        for (int place = 0; place < ids.length; place++) {
            if (ids[place] == sequence) {
                return place;
            }
        }
        return -1;
    }

    @Override
    public String toString() {
        return "WorkspaceKind[id=" + id + ", sequences=" + sequences + "]";
    }
}
