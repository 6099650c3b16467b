package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.ErrorCode;
import io.seriatim.SequenceDefinition;
import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresTransaction;
import io.seriatim.postgresql.PostgresTransactions;
import io.seriatim.store.TransactionalStore.PutOutcome;
import io.seriatim.store.VersionedValue;
import io.seriatim.transaction.SequenceCatalogue;
import io.seriatim.transaction.TransactionException;
import io.seriatim.transaction.TransactionalSequences;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Puts on a caller's own connection; what all stores promise is in TransactionalStoreContract. */
final class PostgresTransactionsTest {

    private final PostgresServer server = PostgresServer.shared();
    private final PostgresSettings settings =
            server.newSchema().withTimeouts(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofSeconds(3));
    private final PostgresWorld world = new PostgresWorld(settings);
    private final PostgresTransactions store = world.opened().transactions();
    private final TransactionalSequences sequences = TransactionalSequences.on(store);

    @AfterEach
    void close() {
        world.close();
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long count(String table) throws SQLException {
        try (Connection connection = world.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM " + settings.schema() + "." + table)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** The promise: rows of the caller and puts together, or neither. The connection stays the caller's. */
    @Test
    void put_withRowsOfTheCaller_isThereWithThemOrNotAtAll() throws SQLException {
        long id = sequences.create();
        server.run("CREATE TABLE " + settings.schema() + ".orders (number bigint)");
        try (Connection connection = world.connect()) {
            PostgresTransaction transaction = store.on(connection);
            run(connection, "INSERT INTO " + settings.schema() + ".orders VALUES (1)");
            sequences.put(transaction, id, 1, 1);
            connection.rollback();
            assertThat(sequences.get(id)).isEqualTo(VersionedValue.NONE);
            assertThat(count("orders")).isZero();
            run(connection, "INSERT INTO " + settings.schema() + ".orders VALUES (1)");
            assertThat(sequences.put(transaction, id, 1, 1)).isEqualTo(PutOutcome.WRITTEN); // it was undone
            assertThat(sequences.get(id)).isEqualTo(VersionedValue.NONE);
            connection.commit();
            assertThat(sequences.get(id)).isEqualTo(new VersionedValue(1, 1));
            assertThat(count("orders")).isEqualTo(1);
            assertThat(connection.isClosed()).isFalse();
        }
    }

    @Test
    void put_outsideATransaction_isTheCallersMistake() throws SQLException {
        long id = sequences.create();
        PostgresTransaction transaction;
        try (Connection connection = world.connect()) {
            transaction = store.on(connection);
            connection.setAutoCommit(true);
            assertThatThrownBy(() -> sequences.put(transaction, id, 1, 1)).isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(() -> sequences.put(transaction, id, 1, 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void put_commitsWouldNotBeDurable_isRefused() throws SQLException {
        long id = sequences.create();
        for (String setting : new String[] {"off", "local", "remote_write"}) {
            try (Connection connection = world.connect()) {
                run(connection, "SET synchronous_commit = " + setting);
                assertThatThrownBy(() -> sequences.put(store.on(connection), id, 1, 1))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("synchronous_commit = " + setting);
            }
        }
        assertThat(sequences.get(id)).isEqualTo(VersionedValue.NONE);
    }

    @Test
    void put_connectionToAnotherDatabase_isRefused() throws SQLException {
        long id = sequences.create();
        PostgresWorld elsewhere = new PostgresWorld(server.newDatabase().withSchema(settings.schema()));
        try (elsewhere;
                Connection connection = elsewhere.connect()) {
            assertThatThrownBy(() -> sequences.put(store.on(connection), id, 1, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another database");
        }
    }

    @Test
    void put_transactionHasFailed_isTheCallersMistake() throws SQLException {
        long id = sequences.create();
        try (Connection connection = world.connect()) {
            assertThatThrownBy(() -> run(connection, "SELECT 1 / 0")).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> sequences.put(store.on(connection), id, 1, 1))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    /** Serializable transactions fail where they read what others write; a put reads nothing. */
    @Test
    void put_serializableTransactionsOnOneSequence_neverConflict() throws SQLException {
        long id = sequences.create();
        try (Connection first = world.connect();
                Connection second = world.connect()) {
            first.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            second.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            sequences.put(store.on(first), id, 1, 1);
            sequences.put(store.on(second), id, 2, 2);
            second.commit();
            first.commit();
        }
        assertThat(sequences.get(id)).isEqualTo(new VersionedValue(2, 2));
    }

    /** A commit of a killed process may still be on its way; who goes on behind it must not miss what it put. */
    @Test
    void generator_transactionOfAnEarlierProcessIsOpen_busyUntilItHasEnded() throws SQLException {
        long id = sequences.create();
        try (Connection connection = world.connect()) {
            sequences.put(store.on(connection), id, 7, 7);
            assertThatThrownBy(() -> sequences.generator(id, SequenceDefinition.ascending()))
                    .isInstanceOfSatisfying(
                            TransactionException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.BUSY));
            connection.commit();
        }
        assertThat(sequences.generator(id, SequenceDefinition.ascending()).next())
                .isEqualTo(8);
    }

    /** The later of two that make one name waits, a bounded time, and its transaction goes on. */
    @Test
    void define_nameOfAnOpenTransaction_busyAndTheTransactionLives() throws SQLException {
        SequenceCatalogue catalogue = SequenceCatalogue.on(sequences);
        try (Connection first = world.connect();
                Connection second = world.connect()) {
            catalogue.define(store.on(first), "orders", SequenceDefinition.ascending());
            catalogue.define(store.on(second), "items", SequenceDefinition.ascending());
            assertThatThrownBy(() -> catalogue.define(store.on(second), "orders", SequenceDefinition.ascending()))
                    .isInstanceOfSatisfying(
                            TransactionException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.BUSY));
            first.rollback();
            catalogue.define(store.on(second), "orders", SequenceDefinition.ascending());
            second.commit();
            assertThat(catalogue.list(store.on(first), "", 10)).hasSize(2);
        }
    }

    /** About a thousand puts bring a cleaning, which runs beside everything else. */
    @Test
    void put_thousands_leaveFewRows() throws Exception {
        long id = sequences.create();
        try (Connection connection = world.connect()) {
            PostgresTransaction transaction = store.on(connection);
            for (int version = 1; version <= 1_999; version++) {
                sequences.put(transaction, id, version, version);
            }
            connection.commit();
            sequences.put(transaction, id, 2_000, 2_000);
            connection.commit();
        }
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (count("transactional_put") > 10) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
        assertThat(sequences.get(id)).isEqualTo(new VersionedValue(2_000, 2_000));
    }
}
