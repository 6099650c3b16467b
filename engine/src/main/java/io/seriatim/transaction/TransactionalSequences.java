package io.seriatim.transaction;

import io.seriatim.ErrorCode;
import io.seriatim.SequenceDefinition;
import io.seriatim.store.Transaction;
import io.seriatim.store.TransactionalStore;
import io.seriatim.store.TransactionalStore.PutOutcome;
import io.seriatim.store.VersionedValue;

/**
 * Any number of sequences of which each remembers one pair of version and value, put by transactions of the user.
 *
 * <p>The promise is: what {@link #get} answers is the durable pair of the greatest version. A pair is durable when the
 * transaction that put it is; a transaction that is aborted, or that a crash cuts off before it is durable, has put nothing.
 * Versions decide and values do not, so the order in which transactions commit does not matter: the lower version loses,
 * whenever it comes. No put ever waits for another transaction.
 *
 * <p>A sequence has one {@link SequenceGenerator} at a time, in one process: two of them give out the same values.
 *
 * <p>Safe for use by many threads; each transaction by one at a time. An error of the store is a {@link
 * TransactionException}; a transaction of another store, or one that has ended, is the caller's mistake.
 */
public final class TransactionalSequences implements AutoCloseable {

    private final TransactionalStore store;

    private TransactionalSequences(TransactionalStore store) {
        this.store = store;
    }

    /** Sequences in a store, which is closed with them. */
    public static TransactionalSequences on(TransactionalStore store) {
        return new TransactionalSequences(store);
    }

    TransactionalStore store() {
        return store;
    }

    /**
     * Makes a sequence, and returns its id, at least 1.
     *
     * <p>Runs in a short transaction of its own: durable on return, and not undone by an abort of the caller's. May be
     * called beside any transactions. After a crash before it returned, there may be a sequence that nobody knows, which
     * costs a row; its id is not given out again.
     *
     * @throws TransactionException STORE_UNAVAILABLE (may be retried), STORE_CORRUPT (final)
     */
    public long create() {
        return StoreCalls.of(store::create);
    }

    /**
     * Registers with a transaction that a sequence has come to a value.
     *
     * <p>Nothing is durable on return; the pair is when the transaction is, and is undone with it. May be called beside any
     * transactions, also such as put to the same sequence: none waits. A sequence that does not exist is noticed by nobody,
     * and {@link #get} will not find it. After a crash the caller may conclude that the pair is there if its commit was
     * acknowledged, and that it may or may not be there if the commit was under way.
     *
     * @param value any value
     * @param version from 1; not newer than one of the same transaction: nothing is put; not newer than a durable one: it
     *     loses when the transaction commits. Two values under one version are the caller's mistake; of two transactions that
     *     commit them at the same time either may win
     * @return {@link PutOutcome#NOT_NEWER} if this transaction has put this version or a newer one to the sequence before
     * @throws IllegalArgumentException if the version is below 1
     * @throws TransactionException STORE_UNAVAILABLE, RETRY_TRANSACTION (run the transaction again), STORE_CORRUPT (final)
     */
    public PutOutcome put(Transaction transaction, long id, long value, long version) {
        if (version < 1) { // a pair without one says that nothing was put
            throw new IllegalArgumentException("version must be at least 1: version=" + version);
        }
        return StoreCalls.of(() -> store.put(transaction, id, new VersionedValue(version, value)));
    }

    /**
     * The durable pair of the greatest version; version 0 and value 0 if nothing was put.
     *
     * <p>Changes nothing. May be called beside any transactions, and sees only what is durable, so not what a transaction
     * has put that is not committed. What it answered once, it answers after a crash too, or a newer pair.
     *
     * @throws TransactionException NOT_FOUND if there is no such sequence or it was deleted (final), STORE_UNAVAILABLE (may
     *     be retried), STORE_CORRUPT (final)
     */
    public VersionedValue get(long id) {
        return StoreCalls.of(() -> store.find(id)).orElseThrow(() -> notFound("with the id " + id));
    }

    /**
     * Deletes a sequence for good; its id is not given out again.
     *
     * <p>Runs in a short transaction of its own: durable on return, and not undone by an abort of the caller's. May be
     * called beside transactions that put to the sequence: they commit, and their puts lead to nothing. After a crash
     * before it returned, the sequence may or may not be there: call it again.
     *
     * @throws TransactionException NOT_FOUND if there is no such sequence or it was deleted (final), STORE_UNAVAILABLE (may
     *     be retried), STORE_CORRUPT (final)
     * @throws IllegalArgumentException if the sequence has a name, and so is dropped by it
     */
    public void delete(long id) {
        if (!StoreCalls.of(() -> store.delete(id))) {
            throw notFound("with the id " + id);
        }
    }

    /**
     * The generator of a sequence, which goes on behind the durable pair of the greatest version. Make one for a sequence,
     * at the start, before transactions draw from it: a second one would give out the values of the first again.
     *
     * @throws io.seriatim.BadDefinitionException if an option is bad, or none of type, start, min, max, increment, cycle;
     *     final
     * @throws TransactionException as {@link #get}; BUSY if a transaction of an earlier process that put to it has not ended
     *     yet (may be retried)
     */
    public SequenceGenerator generator(long id, SequenceDefinition definition) {
        VersionedValue put = StoreCalls.of(() -> store.recover(id)).orElseThrow(() -> notFound("with the id " + id));
        return SequenceGenerator.recover(this::put, id, Long.toString(id), definition, put);
    }

    static TransactionException notFound(String what) {
        return new TransactionException(ErrorCode.NOT_FOUND, "there is no sequence " + what);
    }

    /** Closes the store. May be called twice. */
    @Override
    public void close() {
        store.close();
    }
}
