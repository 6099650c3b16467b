package io.seriatim.verification;

import io.seriatim.store.Transaction;

/** A transaction on any store, as its user has it. */
public interface UserTransaction extends AutoCloseable {

    /** What the calls of the store are given. */
    Transaction handle();

    /** Durable on return. */
    void commit();

    /** Marks a point to which {@link #rollbackToSavepoint} goes back. */
    void setSavepoint();

    /** Undoes everything since the last savepoint. */
    void rollbackToSavepoint();

    /** Undoes it; does nothing after its end. */
    @Override
    void close();
}
