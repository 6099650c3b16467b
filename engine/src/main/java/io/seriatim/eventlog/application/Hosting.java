package io.seriatim.eventlog.application;

import io.seriatim.store.PartitionKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The partitions that a node runs, for whoever decides which these are. */
interface Hosting {

    /** Looks which applications are deployed, and runs them as they are deployed now. */
    void refresh();

    /** The partitions of all deployed applications, in order. */
    List<PartitionKey> partitions();

    /** The name of the application that a partition is of; its id where it is not known here. */
    String name(PartitionKey key);

    /** Those that this node was told to run. */
    Set<PartitionKey> running();

    /** Runs a partition, now or as soon as its application is deployed. */
    void open(PartitionKey key);

    /** Runs it no more: commands under way are answered, and what is not stored is stored, within a bound. */
    void close(PartitionKey key);

    /** Runs nothing more, side by side within the bound of one; {@link #running} stays as it is. */
    void closeAll();

    /** What a partition that runs here tells of itself. */
    Optional<PartitionState> state(PartitionKey key);
}
