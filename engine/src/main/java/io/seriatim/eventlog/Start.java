package io.seriatim.eventlog;

/** What came of a wish to start a transaction: the transaction, or why there is none. */
public sealed interface Start permits SequencingTransaction, Refusal {

    /**
     * Returns the transaction.
     *
     * @throws EventLogException with the code of the refusal if there is none
     */
    SequencingTransaction orThrow();
}
