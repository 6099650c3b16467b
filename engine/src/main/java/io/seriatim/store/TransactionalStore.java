package io.seriatim.store;

import java.util.List;
import java.util.Optional;

/**
 * Keeps how far transactional sequences have come, in rows that become durable with transactions of the user.
 *
 * <p>A put is a row of its own, of sequence, version and transaction; nobody overwrites one and nobody waits for one. What
 * a sequence has come to is its row of the greatest version among the durable ones; lower ones are removed some time
 * later. A sequence also has a row that says that it is there or that it was deleted, and with a name one more, with its
 * definition.
 *
 * <p>Safe for use by many threads, but each {@link Transaction} by one at a time. Calls with a transaction see what it has
 * done, and are undone with it. A transaction of another store is an {@link IllegalArgumentException}, one that has ended
 * an {@link IllegalStateException}. Each call may throw a {@link StoreException} if it could not do its work.
 */
public interface TransactionalStore extends AutoCloseable {

    /** What a put came to. */
    enum PutOutcome {
        /** The row is in the transaction. */
        WRITTEN,
        /** The transaction has put this version or a newer one before, which stays. */
        NOT_NEWER
    }

    /**
     * Makes a sequence without a name, in a short transaction of its own; durable on return.
     *
     * @return its id, at least 1; never given to another sequence
     */
    long create();

    /**
     * Deletes a sequence without a name, in a short transaction of its own; durable on return. Puts of transactions that
     * still run are accepted and lead to nothing.
     *
     * @return whether it was there
     * @throws IllegalArgumentException if it has a name: {@link #drop} ends it
     */
    boolean delete(long id);

    /**
     * Puts a pair, with the transaction. Asks nobody whether there is such a sequence, and waits for nobody.
     *
     * @throws IllegalArgumentException as {@link #requireVersion}
     */
    PutOutcome put(Transaction transaction, long id, VersionedValue pair);

    /**
     * Requires a version, which every put has.
     *
     * @throws IllegalArgumentException if it is 0
     */
    static void requireVersion(VersionedValue pair) {
        if (pair.version() < 1) {
            throw new IllegalArgumentException("version must be at least 1: version=" + pair.version());
        }
    }

    /**
     * What a sequence has come to: the durable pair of the greatest version, {@link VersionedValue#NONE} if there is none.
     * Empty if there is no such sequence, or it is deleted.
     */
    Optional<VersionedValue> find(long id);

    /**
     * What a sequence has come to, once no transaction is left that put to it: for who goes on behind it. Waits for such
     * transactions of a process that has ended, whose commit may be under way; for a bounded time, then {@code BUSY}.
     */
    Optional<VersionedValue> recover(long id);

    /** An id for {@link #define}: never given to another sequence, and no trace of it is left if it is not used. */
    long reserveId();

    /**
     * Makes a sequence with a name, with the transaction. Another transaction that makes one of the same name is waited
     * for, or fails ({@code CONFLICT}) at its commit.
     *
     * @return false if the name is taken
     */
    boolean define(Transaction transaction, CatalogueRow row);

    /**
     * Deletes a sequence with a name, with the transaction; the name is free again.
     *
     * @return false if it is not there
     */
    boolean drop(Transaction transaction, CatalogueRow row);

    /** The sequence of a name, as the transaction sees it. */
    Optional<CatalogueRow> findEntry(Transaction transaction, String name);

    /** The sequence of an id, as the transaction sees it; empty if it has no name. */
    Optional<CatalogueRow> findEntry(Transaction transaction, long id);

    /** At most so many sequences with their names behind {@code after}, in order of the code points of their names. */
    List<CatalogueRow> listEntries(Transaction transaction, String after, int limit);

    /** Why this store has stopped for good; empty while it works. Never waits for the storage. */
    Optional<StoreException> failure();

    /** Refuses new calls, waits for those under way and releases what it has. May be called twice. */
    @Override
    void close();
}
