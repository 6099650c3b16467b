package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.Contract;
import io.seriatim.ErrorCode;
import io.seriatim.LedgerEntry;
import io.seriatim.Sequence;
import io.seriatim.SequenceDefinition;
import io.seriatim.Sequences;
import io.seriatim.StoreUnavailableException;
import io.seriatim.numbering.Ask;
import io.seriatim.numbering.FormatDefinition;
import io.seriatim.numbering.NumberSequence;
import io.seriatim.numbering.Numbering;
import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.postgresql.PostgresTransaction;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Invoices whose numbers are drawn in the transaction that inserts them. */
final class GaplessInTransactionTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final PostgresServer server = PostgresServer.shared();
    private final PostgresSettings settings = server.newSchema();
    private final PostgresStore store = PostgresStore.open(settings);
    private final Sequences sequences = Sequences.on(store);
    private final Numbering numbering = Numbering.on(sequences);
    private final NumberSequence invoices = numbering.define(
            "invoices", SequenceDefinition.ascending().contract(Contract.GAPLESS), FormatDefinition.of("I{seq:4}"));
    private final Sequence counter = invoices.sequence().counter("", "");

    @BeforeEach
    void makeTable() throws SQLException {
        server.run("CREATE TABLE " + settings.schema() + ".invoice (number text PRIMARY KEY, value bigint NOT NULL)");
    }

    @AfterEach
    void close() {
        sequences.close();
    }

    private Connection connect() throws SQLException {
        Connection connection = DriverManager.getConnection(settings.url(), settings.user(), settings.password());
        connection.setAutoCommit(false);
        return connection;
    }

    private PostgresTransaction on(Connection connection) {
        return store.transactions().on(connection);
    }

    private void insert(Connection connection, Duration wait) throws SQLException {
        var number = invoices.next(on(connection), Ask.NOW, wait);
        try (PreparedStatement statement =
                connection.prepareStatement("INSERT INTO " + settings.schema() + ".invoice VALUES (?, ?)")) {
            statement.setString(1, number.text());
            statement.setLong(2, number.value());
            statement.executeUpdate();
        }
    }

    private List<Long> values() throws SQLException {
        List<Long> values = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT value FROM " + settings.schema() + ".invoice ORDER BY value")) {
            while (row.next()) {
                values.add(row.getLong(1));
            }
        }
        return values;
    }

    private static void assertCode(ErrorCode code, Throwable thrown) {
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        e -> assertThat(e.code()).isEqualTo(code));
    }

    /** The promise: 1 to n, whatever is rolled back. */
    @Test
    void next_eightThreadsWithRandomRollbacks_leaveNeitherHoleNorDouble() throws Exception {
        AtomicInteger committed = new AtomicInteger();
        long seed = Long.getLong("seriatim.seed", System.nanoTime());
        System.out.println("gapless in transactions: seed=" + seed);
        Together.run(8, thread -> {
            SplittableRandom random = new SplittableRandom(seed + thread);
            try (Connection connection = connect()) {
                for (int i = 0; i < Integer.getInteger("seriatim.invoices", 25); i++) {
                    Savepoint before = connection.setSavepoint();
                    insert(connection, LONG);
                    switch (random.nextInt(4)) {
                        case 0 -> connection.rollback();
                        case 1 -> {
                            connection.rollback(before);
                            insert(connection, LONG);
                            connection.commit();
                            committed.incrementAndGet();
                        }
                        default -> {
                            connection.commit();
                            committed.incrementAndGet();
                        }
                    }
                }
            }
        });
        List<Long> all = LongStream.rangeClosed(1, committed.get()).boxed().toList();
        assertThat(values()).isEqualTo(all);
        assertThat(counter.gaps(true).gaps()).isEmpty();
        assertThat(counter.verify(Optional.empty()).isSound()).isTrue();
        assertThat(invoices.next().value()).isEqualTo(committed.get() + 1);
    }

    /** Numbers from outside any transaction come from the same counter, and released ones come first. */
    @Test
    void next_besideReservations_goesOnWithThem() throws SQLException {
        assertThat(invoices.next().value()).isEqualTo(1);
        String reserved = invoices.reserve(Ask.NOW).id();
        try (Connection connection = connect()) {
            insert(connection, LONG);
            connection.commit();
            invoices.cancel(reserved);
            insert(connection, LONG);
            connection.commit();
            assertThat(values()).containsExactly(2L, 3L); // 3 was new, 2 came back
        }
        assertThat(invoices.next().value()).isEqualTo(4);
        assertThat(invoices.find("I0002").entries())
                .extracting(LedgerEntry::state)
                .containsExactly(LedgerEntry.State.RESERVED, LedgerEntry.State.RELEASED, LedgerEntry.State.CONFIRMED);
        assertThat(counter.verify(Optional.empty()).isSound()).isTrue();
    }

    /** The wait is bounded, and the caller's transaction survives it. */
    @Test
    void next_counterIsHeld_busyAndTheTransactionGoesOn() throws SQLException {
        for (boolean first : new boolean[] {true, false}) {
            try (Connection holder = connect();
                    Connection other = connect()) {
                insert(holder, LONG);
                assertThatThrownBy(() -> insert(other, SHORT)).satisfies(e -> assertCode(ErrorCode.BUSY, e));
                holder.commit();
                insert(other, SHORT);
                other.commit();
            }
            assertThat(values()).hasSize(first ? 2 : 4);
        }
    }

    @Test
    void next_serializableTransactionCameTooLate_isToBeRunAgain() throws SQLException {
        try (Connection first = connect();
                Connection late = connect()) {
            insert(first, LONG);
            first.commit();
            late.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            try (Statement statement = late.createStatement()) {
                statement.execute("SELECT count(*) FROM " + settings.schema() + ".invoice");
            }
            insert(first, LONG);
            first.commit();
            assertThatThrownBy(() -> insert(late, LONG)).satisfies(e -> assertCode(ErrorCode.RETRY_TRANSACTION, e));
            late.rollback();
            insert(late, LONG);
            late.commit();
        }
        assertThat(values()).containsExactly(1L, 2L, 3L);
    }

    @Test
    void next_underAnotherContract_isTheCallersMistake() throws SQLException {
        NumberSequence orders =
                numbering.define("orders", SequenceDefinition.ascending(), FormatDefinition.of("O{seq}"));
        try (Connection connection = connect()) {
            assertThatThrownBy(() -> orders.next(on(connection), Ask.NOW, LONG))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("gapless");
        }
    }
}
