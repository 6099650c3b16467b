package io.seriatim.eventlog;

import io.seriatim.store.NumberRows;

/** A transaction whose offset and numbers are fixed, and whose event is on its way to the log. */
public final class SealedTransaction {

    private final Sequencer sequencer;
    private final long plogOffset;
    private final long seal;

    SealedTransaction(Sequencer sequencer, long plogOffset, long seal) {
        this.sequencer = sequencer;
        this.plogOffset = plogOffset;
        this.seal = seal;
    }

    public long plogOffset() {
        return plogOffset;
    }

    /**
     * Says that the events of this transaction, and of all that were sealed before it, are durable. By the thread that
     * starts the transactions; one may be open.
     *
     * @return the numbers of the transactions that this flush published; good until the next call to the sequencer
     * @throws IllegalStateException if this transaction is not sealed any more
     */
    public NumberRows flush() {
        return sequencer.flushSealed(seal);
    }
}
