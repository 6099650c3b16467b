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
import io.seriatim.transaction.SequenceGenerator;
import io.seriatim.transaction.TransactionException;
import io.seriatim.transaction.TransactionalSequences;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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

    /** Sequences share 256 locks; that of one's own transaction was BUSY however often one tried. */
    @Test
    void generator_ownTransactionHoldsTheLockForAnotherSequence_goesOn() throws SQLException {
        long id = sequences.create();
        long other = sequences.create();
        while (other % 256 != id % 256) {
            other = sequences.create();
        }
        try (Connection connection = world.connect()) {
            sequences.put(store.on(connection), id, 7, 7);
            SequenceGenerator generator = sequences.generator(other, SequenceDefinition.ascending());
            assertThat(generator.next(store.on(connection))).isEqualTo(1);
            connection.commit();
        }
        assertThat(sequences.get(other)).isEqualTo(new VersionedValue(1, 1));
    }

    /** Who waited for a killed process's commit once stood in front of all who put, and they waited with it. */
    @Test
    void put_somebodyWaitsForAnEarlierTransaction_doesNotWaitToo() throws Exception {
        long id = sequences.create();
        ExecutorService waiting = Executors.newSingleThreadExecutor();
        try (Connection earlier = world.connect();
                Connection connection = world.connect()) {
            sequences.put(store.on(earlier), id, 7, 7);
            run(connection, "SET lock_timeout = '1ms'");
            Future<SequenceGenerator> generator = waiting.submit(() -> generator(id));
            for (long version = 100; !generator.isDone() && version < 300; version++) {
                sequences.put(store.on(connection), id, version, version);
                if (version == 150) {
                    earlier.commit();
                }
                connection.commit();
            }
            assertThat(generator.get(30, TimeUnit.SECONDS).state().version()).isGreaterThanOrEqualTo(7);
        } finally {
            waiting.shutdownNow();
        }
    }

    /** As soon as it can be had. */
    private SequenceGenerator generator(long id) {
        while (true) {
            try {
                return sequences.generator(id, SequenceDefinition.ascending());
            } catch (TransactionException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.BUSY);
            }
        }
    }

    /** Whichever object of a connection put something, the table is asked whether it was newer. */
    @Test
    void put_throughTwoObjectsOfOneConnection_notNewerIsToldAllTheSame() throws SQLException {
        long id = sequences.create();
        try (Connection connection = world.connect()) {
            assertThat(sequences.put(store.on(connection), id, 5, 5)).isEqualTo(PutOutcome.WRITTEN);
            assertThat(sequences.put(store.on(connection), id, 4, 4)).isEqualTo(PutOutcome.NOT_NEWER);
            connection.commit();
        }
    }

    /** A statement that deleted all of a bulk load at once ran into its timeout, each time. */
    @Test
    void put_manyRowsAreSuperseded_areDeletedInParts() throws Exception {
        long id = sequences.create();
        try (Connection connection = world.connect()) {
            run(
                    connection,
                    "INSERT INTO " + settings.schema() + ".transactional_put SELECT " + id
                            + ", version, 1, version FROM generate_series(1, 25000) AS version");
            connection.commit();
            PostgresTransaction transaction = store.on(connection);
            for (int version = 30_000; version < 31_000; version++) {
                sequences.put(transaction, id, version, version);
                connection.commit();
            }
        }
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (count("transactional_put") > 10) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
        assertThat(store.failedCleanings()).isZero();
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
