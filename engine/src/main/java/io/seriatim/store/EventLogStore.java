package io.seriatim.store;

import java.util.List;
import java.util.Optional;

/**
 * Keeps the events of logs, one log for each partition of an application, and what follows from the events: records and
 * the numbers that the sequencer has reached.
 *
 * <p>Safe for use by many threads.
 */
public interface EventLogStore extends AutoCloseable {

    /** The rows of one partition. Reads nothing; a partition that was never written has no rows. */
    PartitionStore partition(PartitionKey key);

    /** The partitions that somebody has taken, in order of application and partition. */
    List<PartitionKey> partitions();

    /** The applications that were ever deployed, in order of their ids. */
    List<ApplicationRow> applications();

    /**
     * Writes an application over the revision before the row's, or as a new one if that is 0; durable on {@link
     * LogOutcome.Applied}. It is {@link LogOutcome.Occupied} by what is there of its name or its id under another
     * revision, another name or another id; but if the row itself is there, with its mark, it has landed earlier, which is
     * {@code Applied}. Never fenced: an application has no epoch.
     *
     * @throws IllegalArgumentException if it would go over a revision and nothing is there
     * @throws StoreException if it could not do its work; nothing was written
     */
    LogOutcome write(ApplicationRow row);

    /** Whether the storage itself refuses a write under an older epoch, whoever sends it and however late. */
    boolean enforcesEpoch();

    /** Whether other processes can have this store open at the same time. */
    boolean isShared();

    /** Why this store has stopped for good; empty while it works. Never waits for the storage. */
    Optional<StoreException> failure();

    /** Refuses new calls, waits for those under way and releases the storage. May be called twice. */
    @Override
    void close();
}
