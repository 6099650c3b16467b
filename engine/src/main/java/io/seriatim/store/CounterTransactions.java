package io.seriatim.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Counters in transactions of the user: a number and the row that uses it become durable together or not at all. Such a
 * transaction holds the counter from its look until its end; others wait for it.
 *
 * <p>Safe for use by many threads, but each {@link Transaction} by one at a time. A transaction of another store is an
 * {@link IllegalArgumentException}, one that has ended an {@link IllegalStateException}. Both calls throw a {@link
 * StoreException}: {@code BUSY} if another transaction held a row longer than the caller waits, after which the user's
 * transaction is as before; {@code CONFLICT} if the user's transaction has failed and may be run again.
 */
public interface CounterTransactions {

    /**
     * The rows of a counter.
     *
     * @param definition empty where the name was never defined
     * @param counter empty where nothing was taken from it yet
     */
    record Found(Optional<DefinitionRow> definition, Optional<CounterRow> counter) {}

    /**
     * Reads the rows of a counter, and keeps others from changing them until the transaction ends.
     *
     * @param wait at most, for another transaction that holds them
     */
    Found findForUpdate(Transaction transaction, String name, CounterKey key, Duration wait);

    /**
     * Writes a counter row over the revision before its own, and ledger rows where none are; with the transaction.
     *
     * @param wait at most, for another transaction that takes the first value of the counter
     * @return false if another revision is there, and nothing was written: look again
     */
    boolean write(Transaction transaction, CounterRow counter, List<LedgerRow> ledger, Duration wait);
}
