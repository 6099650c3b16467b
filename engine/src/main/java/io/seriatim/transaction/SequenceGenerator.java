package io.seriatim.transaction;

import io.seriatim.ErrorCode;
import io.seriatim.SequenceDefinition;
import io.seriatim.SequenceExhaustedException;
import io.seriatim.Succession;
import io.seriatim.store.Transaction;
import io.seriatim.store.TransactionalStore.PutOutcome;
import io.seriatim.store.VersionedValue;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Draws the values of one transactional sequence, from memory.
 *
 * <p>A value that is drawn is not put anywhere: {@link #register} puts how far the generator has come with a transaction.
 * After a crash the generator goes on behind the durable pair of the greatest version, so a value that was drawn comes again
 * unless a transaction that registered it, or a later one, is durable. No value is skipped that was not drawn. A value whose
 * transaction was aborted is not drawn again while the generator lives.
 *
 * <p>So who draws a value and uses it in a row registers in the transaction that writes the row, after the draw; then the
 * row being durable means that the value does not come again.
 *
 * <p>Safe for use by many threads, and waits for none.
 */
public final class SequenceGenerator {

    /*
     * The pair is one object behind one reference. A draw makes the pair that follows and swaps it in if nobody was
     * faster; a failed draw swaps nothing. Version n is the n-th value drawn since the sequence was made, so two generators
     * of one history agree, and a pair says by itself which of two is the later one.
     *
     * Registration reads the newest pair, which may be another transaction's. That is not too much: a put that is ahead of
     * this transaction's own value only makes values of others be skipped after a crash that those others did not survive,
     * and their values were drawn. It is not too little either: the pair read is at least as new as any that this thread
     * drew before.
     */

    /** Where pairs go. */
    interface Puts {
        PutOutcome put(Transaction transaction, long id, long value, long version);
    }

    private final Puts puts;
    private final long id;
    private final String name;
    private final Succession succession;
    private final AtomicReference<VersionedValue> newest;

    private SequenceGenerator(Puts puts, long id, String name, Succession succession, VersionedValue newest) {
        this.puts = puts;
        this.id = id;
        this.name = name;
        this.succession = succession;
        this.newest = new AtomicReference<>(newest);
    }

    /** The generator that goes on behind what was put. */
    static SequenceGenerator recover(
            Puts puts, long id, String name, SequenceDefinition definition, VersionedValue put) {
        Succession succession = Succession.of(definition);
        VersionedValue newest = put.version() == 0 ? new VersionedValue(0, succession.start()) : put;
        return new SequenceGenerator(puts, id, name, succession, newest);
    }

    /** The id of the sequence. */
    public long id() {
        return id;
    }

    /** The definition with each of its options decided. */
    public SequenceDefinition definition() {
        return succession.definition();
    }

    /** The newest pair: the value drawn last, and how many were drawn; version 0 and the start before the first. */
    public VersionedValue state() {
        return Objects.requireNonNull(newest.get());
    }

    /**
     * Draws the next value. Nothing is durable on return; may be called beside any transactions.
     *
     * @throws SequenceExhaustedException if the limit is reached and the sequence does not cycle; nothing was drawn; final
     * @throws TransactionException OUT_OF_RANGE if 2^63 − 1 values were drawn; final
     */
    public long next() {
        return draw().value();
    }

    private VersionedValue draw() {
        while (true) {
            VersionedValue last = state();
            VersionedValue next = after(last);
            if (newest.compareAndSet(last, next)) {
                return next;
            }
        }
    }

    private VersionedValue after(VersionedValue last) {
        if (last.version() == 0) {
            return new VersionedValue(1, succession.start());
        }
        if (last.version() == Long.MAX_VALUE) {
            throw new TransactionException(
                    ErrorCode.OUT_OF_RANGE,
                    "sequence " + name + " has used up its versions: version=" + last.version());
        }
        OptionalLong value = succession.next(last.value());
        if (value.isEmpty()) {
            throw succession.exhausted(name);
        }
        return new VersionedValue(last.version() + 1, value.getAsLong());
    }

    /**
     * Puts the newest pair with a transaction, and returns it. If nothing was ever drawn, nothing is put.
     *
     * <p>Nothing is durable on return; the pair is when the transaction is. May be called once for many draws, after the
     * last of them, and beside any transactions. Once the transaction is durable, no value that was drawn before this call
     * comes again after a crash.
     *
     * @throws TransactionException as {@link TransactionalSequences#put}
     */
    public VersionedValue register(Transaction transaction) {
        VersionedValue pair = state();
        if (pair.version() > 0) {
            PutOutcome unused =
                    puts.put(transaction, id, pair.value(), pair.version()); // not newer: it is there already
        }
        return pair;
    }

    /**
     * Draws the next value and registers with the transaction that it is drawn: {@link #next()}, then {@link #register}.
     *
     * @throws SequenceExhaustedException if the limit is reached and the sequence does not cycle; nothing was drawn; final
     * @throws TransactionException as {@link TransactionalSequences#put}; the value is drawn and not registered
     */
    public long next(Transaction transaction) {
        long value = next();
        VersionedValue unused = register(transaction);
        return value;
    }
}
