package io.seriatim.verification;

import io.seriatim.store.TransactionalStore;

/** A store with transactions, which can lose its process. */
public interface TransactionalWorld extends AutoCloseable {

    TransactionalStore store();

    UserTransaction begin();

    /** Goes on with what was durable, as after a kill; transactions that were open have never been. */
    void crash();

    @Override
    void close();
}
