package io.seriatim.store;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The rows of one partition. Every write names the epoch of its writer and is refused ({@link LogOutcome.Fenced}) unless
 * that is the epoch of the partition: who takes the partition raises it, and shuts out all writers before. An owner's
 * epoch is at least 1.
 *
 * <p>Whether offsets follow one another is the sequencer's business; a store keeps what it is given. Safe for use by
 * many threads. A method that does not say otherwise throws {@link StoreException} when it could not do its work, and
 * then nothing was written.
 */
public interface PartitionStore {

    /** Bytes of bodies after which {@link #events} returns no further event. */
    long PAGE_BYTES = 4 << 20;

    PartitionKey key();

    // ---- ownership

    /** The present epoch; 0 of a partition that nobody ever took. */
    long epoch();

    /**
     * Raises the epoch by one, whoever had the partition, and returns the new one; durable on return. Where it throws it may
     * have been raised: then it was taken for nobody.
     */
    long take();

    /**
     * Raises the epoch of its present owner by one; durable on {@link LogOutcome.Applied}. Then each earlier write of this
     * owner has landed or never will.
     *
     * @param epoch the owner's; the next one is its epoch plus 1
     */
    LogOutcome renew(long epoch);

    // ---- the log of the partition

    /**
     * Writes events, all or none; durable on {@link LogOutcome.Applied}. Under {@link WriteMode#INSERT_IF_ABSENT} an
     * event at one of the offsets is {@link LogOutcome.Occupied}, unless all of them are there with the marks of these:
     * those have landed earlier, which is {@code Applied}.
     *
     * @param events at least one, in rising order of offset
     */
    LogOutcome append(long epoch, WriteMode mode, List<LogEvent> events);

    /**
     * Returns durable events in order of offset: at least one if there is any, and none behind those whose bodies have
     * {@link #PAGE_BYTES} together. So fewer than the limit need not be all.
     *
     * @param fromOffset the first offset wanted
     * @param limit most events to return, at least 1
     */
    List<LogEvent> events(long fromOffset, int limit);

    /**
     * Shows the headers of durable events in order of offset, without reading their bodies.
     *
     * @param fromOffset the first offset wanted
     * @param limit most events to show, at least 1
     * @return how many were shown; fewer than the limit only at the end of the log
     */
    int replay(long fromOffset, int limit, HeaderVisitor visitor);

    /** The offset of the last durable event; empty where there is none. */
    OptionalLong lastOffset();

    // ---- what follows from events

    /**
     * Writes rows, all or none. Under {@link WriteMode#INSERT_IF_ABSENT} a row in the way is {@link
     * LogOutcome.Occupied} even if it is equal: such rows have no mark. The rows need not be durable on return, as the
     * events bring them back, but they are never durable without the events that they follow from, and they are there as
     * long as their writer lives: only a start looks for what is missing. A store that can fall alone makes them durable.
     */
    LogOutcome derive(long epoch, DerivedRows rows);

    /** The first offset whose rows are not all written, as {@link #derive} was last told; empty where it never was. */
    OptionalLong appliedOffset();

    /**
     * Returns the places of a workspace's events in order of WLog offset.
     *
     * @param fromOffset the first WLog offset wanted
     * @param limit most to return, at least 1
     */
    List<WorkspaceEvent> workspaceEvents(long workspace, long fromOffset, int limit);

    Optional<RecordRow> record(long workspace, long id);

    Optional<RegistryRow> registered(long workspace, long id);

    /** The event that was written under a key; empty also for a text that no row can have. */
    Optional<KeyRow> keyed(long workspace, String key);

    /**
     * Returns what operators let pass, in order of offset and of the code points of the projector's name.
     *
     * @param fromOffset the first PLog offset wanted
     * @param limit most to return, at least 1
     */
    List<SkippedRow> skipped(long fromOffset, int limit);

    // ---- the projection of the numbers

    /** How far the stored numbers reach; empty of a partition that has none. */
    Optional<Checkpoint> checkpoint();

    /**
     * Reads numbers of a workspace.
     *
     * @param sequences ids
     * @param values gets the last number of each, 0 where there is none
     * @return the kind that the workspace is bound to, 0 if to none yet
     */
    int readNumbers(long workspace, int[] sequences, long[] values);

    /**
     * Raises numbers and checkpoint in one write, all or none. A number or an offset below the stored one leaves that as
     * it is, and so does another kind: the first one binds the workspace. Need not be durable on return, but is never
     * durable without the events below the offset, and is there as long as its writer lives, as with {@link #derive}.
     *
     * @param nextOffset the first offset that the numbers do not cover
     */
    LogOutcome writeNumbers(long epoch, NumberRows rows, long nextOffset);

    /** Sets the checkpoint back to offset 1 and leaves the numbers as they are: the log is to be replayed whole. */
    LogOutcome resetCheckpoint(long epoch);
}
