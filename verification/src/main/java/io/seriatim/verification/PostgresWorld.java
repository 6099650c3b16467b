package io.seriatim.verification;

import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.postgresql.PostgresTransaction;
import io.seriatim.store.Transaction;
import io.seriatim.store.TransactionalStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayDeque;
import java.util.Deque;

/** A schema of a server; a crash cuts the connections of this process off and opens the store anew. */
public final class PostgresWorld implements TransactionalWorld {

    private final PostgresSettings settings;
    private PostgresStore opened;

    public PostgresWorld(PostgresSettings settings) {
        this.settings = settings;
        this.opened = PostgresStore.open(settings);
    }

    /** What is open in this life. */
    public PostgresStore opened() {
        return opened;
    }

    @Override
    public TransactionalStore store() {
        return opened.transactions();
    }

    /** A connection of the caller's own, with a transaction begun. */
    public Connection connect() {
        try {
            Connection connection = DriverManager.getConnection(settings.url(), settings.user(), settings.password());
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public UserTransaction begin() {
        Connection connection = connect();
        return new OfConnection(connection, opened.transactions().on(connection), new ArrayDeque<>());
    }

    @Override
    public void crash() {
        opened.close();
        opened = PostgresStore.open(settings);
    }

    @Override
    public void close() {
        opened.close();
    }

    private record OfConnection(Connection connection, PostgresTransaction transaction, Deque<Savepoint> savepoints)
            implements UserTransaction {

        /** What may fail in the server. */
        private interface Call {
            void run() throws SQLException;
        }

        private static void call(Call call) {
            try {
                call.run();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public Transaction handle() {
            return transaction;
        }

        @Override
        public void commit() {
            call(connection::commit);
        }

        @Override
        public void setSavepoint() {
            call(() -> savepoints.push(connection.setSavepoint()));
        }

        @Override
        public void rollbackToSavepoint() {
            call(() -> connection.rollback(savepoints.pop()));
        }

        @Override
        public void close() {
            call(connection::close); // the driver's connections roll back what is not committed
        }
    }
}
