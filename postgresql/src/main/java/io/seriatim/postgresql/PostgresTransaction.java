package io.seriatim.postgresql;

import io.seriatim.store.Transaction;
import io.seriatim.store.TransactionalStore.PutOutcome;
import io.seriatim.store.VersionedValue;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A caller's connection to PostgreSQL, whose present transaction puts to sequences. Begun, committed, rolled back and closed
 * by the caller alone, and good for all transactions of the connection, one after another. Savepoints of the caller undo
 * puts as they undo rows.
 *
 * <p>Used by one thread at a time, as the connection is.
 */
public final class PostgresTransaction implements Transaction {

    /*
     * Whether a pair is newer than one of the same transaction is known only to the table: the caller commits and rolls
     * back, to a savepoint too, without a word to us. So the greatest version that was put on the connection is but a
     * hint: above it a row is simply inserted, below it the table is asked. The question is not part of each put because a
     * serializable transaction would conflict with every other one that puts to the sequence, by what it has asked.
     */

    private final PostgresTransactions transactions;
    private final Connection connection;

    PostgresTransaction(PostgresTransactions transactions, Connection connection) {
        this.transactions = transactions;
        this.connection = connection;
    }

    boolean isOf(PostgresTransactions others) {
        return transactions == others;
    }

    /** The connection, within a transaction. */
    Connection connection() throws SQLException {
        if (connection.isClosed()) {
            throw new IllegalStateException("the transaction has ended: the connection is closed");
        }
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("there is no transaction: the connection commits each statement by itself");
        }
        return connection;
    }

    PutOutcome put(String schema, long id, VersionedValue pair) throws SQLException {
        Connection within = connection();
        CallersConnections.Known known = transactions.known(within);
        if (pair.version() <= known.mayHavePut(id) && hasPut(within, schema, id, pair.version())) {
            return PutOutcome.NOT_NEWER;
        }
        known.hasPut(id, pair.version()); // before it has, as another thread may look whether anything was
        int written;
        try (PreparedStatement statement = within.prepareStatement(Sql.PUT.formatted(schema))) {
            new Parameters(statement)
                    .number(id)
                    .number(pair.version())
                    .number(pair.value())
                    .text(schema)
                    .number(id);
            written = statement.executeUpdate();
        }
        if (written == 0) {
            requireSynchronousCommit(within);
            return PutOutcome.NOT_NEWER;
        }
        return PutOutcome.WRITTEN;
    }

    private static boolean hasPut(Connection within, String schema, long id, long version) throws SQLException {
        try (PreparedStatement statement = within.prepareStatement(Sql.HAS_PUT.formatted(schema))) {
            new Parameters(statement).number(id).number(version);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    private static void requireSynchronousCommit(Connection within) throws SQLException {
        try (PreparedStatement statement = within.prepareStatement(Sql.SYNCHRONOUS_COMMIT);
                ResultSet row = statement.executeQuery()) {
            row.next();
            String setting = row.getString(1);
            if (!setting.equals("on") && !setting.equals("remote_apply")) {
                throw new IllegalStateException("the connection runs with synchronous_commit = " + setting
                        + ": its commits would not be durable, and values could come again; set it to on");
            }
        }
    }
}
