package io.seriatim.postgresql;

import io.seriatim.postgresql.Rows.DamagedRowException;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.RowVisitor;
import io.seriatim.store.StateCopy;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads and writes the tables of sequences whole, in one transaction of a connection. */
final class StateTables {

    /*
     * Rows are read through a cursor, a page at a time, in a transaction that sees one moment. They are written in batches,
     * in a transaction that holds the tables until it commits: nobody sees some of them, and what breaks off leaves none.
     */

    private static final int PAGE = 1_000;

    private final Connection connection;

    StateTables(Connection connection) {
        this.connection = connection;
    }

    // ---- reading

    /** Shows every row as it is at one moment. */
    void show(RowVisitor visitor) throws SQLException, DamagedRowException {
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(false); // the pool undoes both when it gets the connection back
        execute(StateSql.NO_TIMEOUT);
        showAll(visitor);
        connection.rollback();
    }

    private void showAll(RowVisitor visitor) throws SQLException, DamagedRowException {
        each(StateSql.DEFINITIONS, row -> Rows.definition(row).ifPresent(visitor::definition));
        each(StateSql.COUNTERS, row -> visitor.counter(Rows.counter(row.getLong(12), row)));
        each(
                StateSql.LEDGER,
                row -> visitor.ledger(
                        Rows.ledger(new CounterKey(row.getLong(3), Rows.text(row, 4), Rows.text(row, 5)), row)));
        each(StateSql.IDEMPOTENCY, row -> visitor.idempotency(Rows.idempotency(row)));
    }

    private interface Taker {
        void take(ResultSet row) throws SQLException, DamagedRowException;
    }

    private void each(String query, Taker taker) throws SQLException, DamagedRowException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setFetchSize(PAGE);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    taker.take(rows);
                }
            }
        }
    }

    /** Roles that own tables which this one does not. */
    List<String> otherOwners() throws SQLException {
        return texts(StateSql.OTHER_OWNERS);
    }

    private List<String> texts(String query) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(query);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                texts.add(Rows.text(rows, 1));
            }
        }
        return List.copyOf(texts);
    }

    /** Tables with rows that are of no sequence. */
    List<String> others() throws SQLException {
        List<String> filled = new ArrayList<>();
        for (String table : texts(StateSql.OTHER_TABLES)) {
            if (yes(StateSql.HAS_ROWS.formatted(table))) {
                filled.add(table);
            }
        }
        return List.copyOf(filled);
    }

    boolean isMoved() throws SQLException {
        return yes(StateSql.IS_MOVED);
    }

    private boolean yes(String question) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(question);
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    private void execute(String script) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(script);
        }
    }

    // ---- writing

    /** Lets nobody write any more. */
    void move() throws SQLException {
        if (!isMoved()) {
            connection.setAutoCommit(false);
            execute(StateSql.NO_TIMEOUT);
            execute(StateSql.MOVE);
            connection.commit();
        }
    }

    /** Takes rows into empty tables, all or none. */
    void load(StateCopy copy) throws SQLException, DamagedRowException {
        connection.setAutoCommit(false);
        execute(StateSql.NO_TIMEOUT);
        execute(StateSql.LOCK);
        requireEmpty();
        try (Inserts inserts = new Inserts(connection)) {
            copy.showTo(inserts);
            inserts.flush();
        } catch (Unsent e) {
            throw e.reason;
        }
        try {
            copy.check(this::showAllUnchecked);
        } catch (Unsent e) {
            throw e.reason;
        } catch (Unread e) {
            throw e.reason;
        }
        connection.commit();
    }

    private void requireEmpty() throws SQLException {
        List<String> filled = new ArrayList<>(others());
        for (String table : List.of("definition", "counter", "ledger", "idempotency")) {
            if (yes(StateSql.HAS_ROWS.formatted(table))) {
                filled.add(table);
            }
        }
        if (!filled.isEmpty()) {
            throw new StoreException(
                    Kind.CONFLICT, "the store is not empty: there are rows in " + String.join(", ", filled));
        }
    }

    private void showAllUnchecked(RowVisitor visitor) {
        try {
            showAll(visitor);
        } catch (SQLException e) {
            throw new Unsent(e);
        } catch (DamagedRowException e) {
            throw new Unread(e);
        }
    }

    /** An error on its way through somebody else's code. */
    private static final class Unsent extends RuntimeException {
        private static final long serialVersionUID = 1;

        final transient SQLException reason;

        Unsent(SQLException reason) {
            super(reason);
            this.reason = reason;
        }
    }

    /** A damaged row on its way through somebody else's code. */
    private static final class Unread extends RuntimeException {
        private static final long serialVersionUID = 1;

        final transient DamagedRowException reason;

        Unread(DamagedRowException reason) {
            super(reason);
            this.reason = reason;
        }
    }

    /** Rows in batches, one statement a table. */
    private static final class Inserts implements RowVisitor, AutoCloseable {

        private final PreparedStatement definitions;
        private final PreparedStatement counters;
        private final PreparedStatement ledger;
        private final PreparedStatement idempotency;
        private int waiting;

        Inserts(Connection connection) throws SQLException {
            definitions = connection.prepareStatement(StateSql.INSERT_DEFINITION);
            counters = connection.prepareStatement(StateSql.INSERT_COUNTER);
            ledger = connection.prepareStatement(StateSql.INSERT_LEDGER);
            idempotency = connection.prepareStatement(StateSql.INSERT_IDEMPOTENCY);
        }

        private interface Filling {
            Parameters fill(Parameters parameters) throws SQLException;
        }

        private void add(PreparedStatement statement, Filling filling) {
            try {
                Parameters unused = filling.fill(new Parameters(statement));
                statement.addBatch();
                if (++waiting == PAGE) {
                    flush();
                }
            } catch (SQLException e) {
                throw new Unsent(e);
            }
        }

        void flush() throws SQLException {
            for (PreparedStatement each : List.of(definitions, counters, ledger, idempotency)) {
                int[] unused = each.executeBatch();
            }
            waiting = 0;
        }

        @Override
        public void definition(DefinitionRow row) {
            Rows.requireKey(row.foldedName());
            add(definitions, parameters -> parameters.definition(Optional.of(row)));
        }

        @Override
        public void counter(CounterRow row) {
            Rows.requireKey(row.key().scope(), row.key().period());
            add(counters, parameters -> parameters.counter(Optional.of(row)));
        }

        @Override
        public void ledger(LedgerRow row) {
            Rows.requireKey(row.counter().scope(), row.counter().period());
            add(
                    ledger,
                    parameters -> parameters
                            .counterKey(row.counter())
                            .number(row.index())
                            .text(row.entry()));
        }

        @Override
        public void idempotency(IdempotencyRow row) {
            IdempotencyKey key = row.key();
            Rows.requireKey(key.caller(), key.key());
            add(idempotency, parameters -> parameters.idempotency(Optional.of(row)));
        }

        @Override
        public void damaged(String where, String what) {
            throw new StoreException(Kind.CORRUPT, "a row cannot be taken: " + where + ": " + what);
        }

        @Override
        public void close() throws SQLException {
            for (PreparedStatement each : List.of(definitions, counters, ledger, idempotency)) {
                each.close();
            }
        }
    }
}
