package io.seriatim.eventlog;

import io.seriatim.store.LogEvent;
import io.seriatim.store.NumberRows;

/**
 * The one open transaction of a sequencer: an offset, and numbers of one workspace. Used by one thread, the one that
 * started it; a sequencer has one such object, which every start opens anew.
 *
 * <p>It ends by {@link #flush}, {@link #seal}, {@link #discard} or {@link #actualize}; leaving it without any of them, as
 * a try block does when something is thrown, is {@code actualize}. After its end every method but {@link #close} throws
 * {@link IllegalStateException}.
 */
public final class SequencingTransaction implements Start, AutoCloseable {

    private final Sequencer sequencer;

    SequencingTransaction(Sequencer sequencer) {
        this.sequencer = sequencer;
    }

    @Override
    public SequencingTransaction orThrow() {
        return this;
    }

    /** The offset that the event of this transaction must have in the log of the partition. */
    public long plogOffset() {
        return sequencer.opened().openOffset();
    }

    /** The epoch under which the event must be written. */
    public long epoch() {
        sequencer.opened();
        return sequencer.epoch();
    }

    /**
     * Returns the next number of a sequence of the workspace.
     *
     * @param sequence its id in the kind of the workspace
     * @throws EventLogException BAD_REQUEST if the kind has no such sequence, WRONG_KIND if the workspace is of another, EXHAUSTED
     *     at the last number; these are final. STORE_UNAVAILABLE if the numbers could not be read within maxWait: may be
     *     retried. FENCED and CLOSED: final. In all cases nothing was given out and the transaction stays open
     */
    public long next(int sequence) {
        return sequencer.next(sequence);
    }

    /**
     * Moves a sequence up to a number that comes from outside, so that later ones are greater. One that is not above the
     * last number, or below the initial one, changes nothing.
     *
     * @param maxJump how far it may be above the last number
     * @throws EventLogException as {@link #next}; OUT_OF_RANGE, final, if it is above the sequence's max or further ahead
     *     than {@code maxJump}
     */
    public void raise(int sequence, long number, long maxJump) {
        sequencer.raise(sequence, number, maxJump);
    }

    /**
     * The event of this transaction with the numbers drawn so far, ready to be appended. The first event with a number
     * binds its workspace to its kind.
     *
     * @param body what it says
     * @throws EventLogException as {@link #next}, also where no number was drawn and the workspace is of another kind
     */
    public LogEvent event(byte[] body) {
        return event("", body);
    }

    /** The same, with the idempotency key that it is written under. */
    public LogEvent event(String key, byte[] body) {
        return sequencer.event(key, body);
    }

    /**
     * Fixes offset and numbers, so that the next transaction can start before this one's event is durable. At most 256
     * transactions are sealed at a time.
     */
    public SealedTransaction seal() {
        return sequencer.seal();
    }

    /**
     * Ends the transaction, whose event is durable now, and so are those of all that were sealed before it. Its numbers
     * are stored later; until then the log has them.
     *
     * @return the numbers of all transactions that this flush published; good until the next call to the sequencer
     */
    public NumberRows flush() {
        return sequencer.flushOpen();
    }

    /** Ends the transaction, of which nothing went to the log: its numbers and its offset come again. */
    public void discard() {
        sequencer.discard();
    }

    /**
     * Ends the transaction, of which nobody knows whether it is in the log, and all sealed ones. The sequencer takes a
     * new epoch and reads the log, in the background; what is there counts, and the rest comes again.
     */
    public void actualize() {
        sequencer.actualizeOpen();
    }

    /** Does what {@link #actualize} does if the transaction is still open. */
    @Override
    public void close() {
        sequencer.leave();
    }
}
