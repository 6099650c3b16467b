package io.seriatim.store;

/**
 * Is shown every row of a store: definitions first, then each counter with its ledger rows behind it, in their order, then
 * idempotency rows. Ledger rows of no counter come between those of counters.
 */
public interface RowVisitor {

    /** A definition or a tombstone. */
    void definition(DefinitionRow row);

    void counter(CounterRow row);

    void ledger(LedgerRow row);

    void idempotency(IdempotencyRow row);

    /**
     * Something that cannot be read.
     *
     * @param where the row or the files, as far as the store can tell
     * @param what a sentence
     */
    void damaged(String where, String what);
}
