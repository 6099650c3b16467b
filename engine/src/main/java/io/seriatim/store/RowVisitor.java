package io.seriatim.store;

/**
 * Is shown every row of a store: definitions first, then each counter with its ledger rows behind it, in their order, then
 * idempotency rows. Ledger rows of no counter come between those of counters. Then rows of event logs, of each kind for
 * itself, the events of a partition in rising order of offset; and of transactional sequences.
 *
 * <p>Who looks at sequences alone leaves the methods of the others as they are: they do nothing.
 */
public interface RowVisitor {

    /** A definition or a tombstone. */
    void definition(DefinitionRow row);

    void counter(CounterRow row);

    void ledger(LedgerRow row);

    void idempotency(IdempotencyRow row);

    // ---- event logs

    default void application(ApplicationRow row) {}

    /** The present epoch of a partition that somebody has taken. */
    default void epoch(PartitionKey partition, long epoch) {}

    default void event(PartitionKey partition, LogEvent row) {}

    default void workspaceEvent(PartitionKey partition, WorkspaceEvent row) {}

    default void record(PartitionKey partition, RecordRow row) {}

    default void registered(PartitionKey partition, RegistryRow row) {}

    default void keyed(PartitionKey partition, KeyRow row) {}

    default void skipped(PartitionKey partition, SkippedRow row) {}

    /** As {@link PartitionStore#appliedOffset} has it. */
    default void applied(PartitionKey partition, long nextOffset) {}

    default void numbers(PartitionKey partition, NumbersRow row) {}

    default void checkpoint(PartitionKey partition, Checkpoint row) {}

    // ---- transactional sequences

    /** A sequence that is there; or one that was deleted, of these only that of the greatest id. */
    default void transactional(TransactionalRow row) {}

    /**
     * Something that cannot be read.
     *
     * @param where the row or the files, as far as the store can tell
     * @param what a sentence
     */
    void damaged(String where, String what);
}
