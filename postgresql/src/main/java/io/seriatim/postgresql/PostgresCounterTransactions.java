package io.seriatim.postgresql;

import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.CounterTransactions;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.Transaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Counter rows, locked and written on a caller's own connection.
 *
 * <p>Callers queue at an advisory lock and not at the row. PostgreSQL lets who waits for a row wait for the end of the whole
 * transaction that holds it, also when that has gone back to a savepoint and holds the row no longer; and when it then wants
 * the row again, the two wait for each other. A lock goes with the savepoint.
 */
record PostgresCounterTransactions(PostgresTransactions transactions) implements CounterTransactions {

    private String schema() {
        return transactions.schema();
    }

    @Override
    public Found findForUpdate(Transaction transaction, String name, CounterKey key, Duration wait) {
        String folded = DefinitionRow.fold(name);
        Rows.requireKey(folded);
        Rows.requireKey(key.scope(), key.period());
        String queue = key.sequenceId() + "/" + key.scope() + "/" + key.period();
        return transactions.within(
                transaction,
                ours -> BoundedWait.runFirstAt(ours.connection(), wait, schema(), queue, connection -> {
                    try (PreparedStatement statement =
                            connection.prepareStatement(Sql.FIND_FOR_UPDATE.formatted(schema()))) {
                        new Parameters(statement).text(folded).counterKey(key);
                        try (ResultSet row = statement.executeQuery()) {
                            row.next();
                            return new Found(Rows.definition(row), Rows.counter(Optional.of(key), row));
                        }
                    }
                }));
    }

    /** Only the first row of a counter can be waited for: the others are held. */
    @Override
    public boolean write(Transaction transaction, CounterRow counter, List<LedgerRow> ledger, Duration wait) {
        if (ledger.isEmpty()) {
            throw new IllegalArgumentException("a counter is written with what its ledger says of that: " + counter);
        }
        return transactions.within(
                transaction,
                ours -> counter.revision() == 1
                        ? BoundedWait.run(ours.connection(), wait, connection -> write(connection, counter, ledger))
                        : write(ours.connection(), counter, ledger));
    }

    /** The rows of the ledger say whether the counter was written: without any, nobody could. */
    private boolean write(Connection connection, CounterRow counter, List<LedgerRow> ledger) throws SQLException {
        boolean first = counter.revision() == 1;
        String sql = first ? Sql.INSERT_COUNTER_AND_LEDGER : Sql.UPDATE_COUNTER_AND_LEDGER;
        try (PreparedStatement statement = connection.prepareStatement(sql.formatted(schema()))) {
            Parameters parameters =
                    new Parameters(statement).counterState(counter).counterKey(counter.key());
            if (!first) {
                parameters.number(counter.revision() - 1);
            }
            parameters.ledger(ledger);
            return statement.executeUpdate() == ledger.size();
        }
    }
}
