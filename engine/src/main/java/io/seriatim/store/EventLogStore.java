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

    /** Whether other processes can have this store open at the same time. */
    boolean isShared();

    /** Why this store has stopped for good; empty while it works. Never waits for the storage. */
    Optional<StoreException> failure();

    /** Refuses new calls, waits for those under way and releases the storage. May be called twice. */
    @Override
    void close();
}
