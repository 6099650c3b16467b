package io.seriatim.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Keeps definitions and counters, and changes them by one conditional write.
 *
 * <p>Safe for use by many threads. What a find returns is durable: a row that could still be lost is never
 * shown. Every method throws {@link StoreException}, whose kind says whether the same call may be retried.
 */
public interface CounterStore extends AutoCloseable {

    /**
     * Returns the definition row of a name, ignoring the case of ASCII letters; the row may be the tombstone
     * of a dropped sequence.
     */
    Optional<DefinitionRow> findDefinition(String name);

    /**
     * Returns live definitions whose name starts with {@code prefix} (case-sensitive), in order of the code
     * points of {@link DefinitionRow#foldedName()}, beginning behind the name {@code after}, whatever its case
     * and whether or not it exists (empty: at the first).
     *
     * @param limit most rows to return, at least 1
     */
    List<DefinitionRow> listDefinitions(String prefix, String after, int limit);

    /** Returns the counter row of a key. */
    Optional<CounterRow> findCounter(CounterKey key);

    /**
     * Returns counter rows of a sequence, in an order of the store's own that never changes, beginning behind its
     * key {@code after}, whether or not there is a row of it (empty: at the first).
     *
     * @param limit most rows to return, at least 1
     */
    List<CounterRow> listCounters(long sequenceId, Optional<CounterKey> after, int limit);

    /** Returns the stored answer of an idempotency key. */
    Optional<IdempotencyRow> findIdempotency(IdempotencyKey key);

    /**
     * Returns ledger rows of a counter in order of their index.
     *
     * @param fromIndex the first index wanted
     * @param limit most rows to return, at least 1
     */
    List<LedgerRow> listLedger(CounterKey key, long fromIndex, int limit);

    /**
     * Writes all rows of the change or none. On {@link WriteOutcome.Applied} they are durable.
     *
     * <p>A definition or counter row goes in only over the row with the revision before its own (revision 1:
     * over nothing); a ledger or idempotency row only where none is. A write that may have reached the disk
     * although it failed is {@link WriteOutcome.Unknown}; one that certainly did not throws a
     * {@link StoreException}.
     */
    WriteOutcome apply(Change change);

    /**
     * Removes idempotency rows that expired before {@code now}, and returns how many rows are left. Rows that come
     * and go meanwhile may be counted or not. Need not be durable on return.
     */
    long sweepIdempotency(Instant now);

    /** Counters of this store in transactions of the user; empty where it has none. */
    default Optional<CounterTransactions> inTransactions() {
        return Optional.empty();
    }

    /** Whether other processes can have this store open at the same time. */
    boolean isShared();

    /** Why this store has stopped for good; empty while it works. Never waits for the storage. */
    Optional<StoreException> failure();

    /** Refuses new calls, waits for those under way and releases the storage. May be called twice. */
    @Override
    void close();
}
