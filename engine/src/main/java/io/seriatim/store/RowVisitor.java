package io.seriatim.store;

/** Is shown every row of a store, kind by kind: definitions first, then counters, ledger rows, idempotency rows. */
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
