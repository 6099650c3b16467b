package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.application.ApplicationDefinition;
import io.seriatim.eventlog.application.ApplicationSettings;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.eventlog.application.RecordKind;
import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.store.DerivedRows;
import io.seriatim.store.EventHeader;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.StoreException;
import io.seriatim.store.WorkspaceEvent;
import io.seriatim.store.WriteMode;
import io.seriatim.store.WriterMark;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What becomes of events when a statement, a connection or the way to the server fails. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class PostgresLogFaultsTest {

    static final ApplicationDefinition SHOP = ApplicationDefinition.ofPartitions(1)
            .kind("shop", ApplicationDefinition.RECORD_ID, 200_001)
            .type("customer", RecordKind.CDOC);

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final PartitionKey KEY = new PartitionKey(1, 0);

    private final PostgresServer server = PostgresServer.shared();
    private final PostgresSettings settings = server.newSchema().withTimeouts(LONG, LONG, LONG.plusSeconds(1));
    private final ExecutorService callers = Executors.newCachedThreadPool();

    @AfterEach
    void endCallers() throws InterruptedException {
        callers.shutdown();
        assertThat(callers.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
    }

    private static LogEvent event(long offset) {
        return new LogEvent(
                offset,
                1,
                new EventHeader(7, 1, new WriterMark(9, offset), "", new int[] {0}, new long[] {offset}),
                new byte[] {1});
    }

    private static LogOutcome append(PartitionStore log, long epoch, long offset) {
        return log.append(epoch, WriteMode.INSERT_IF_ABSENT, List.of(event(offset)));
    }

    private static DerivedRows place(long offset) {
        return DerivedRows.under(WriteMode.INSERT_IF_ABSENT)
                .withWorkspaceEvents(WriteMode.INSERT_IF_ABSENT, List.of(new WorkspaceEvent(7, offset, offset)))
                .withAppliedOffset(offset + 1);
    }

    private static void applied(LogOutcome outcome) {
        assertThat(outcome).isEqualTo(LogOutcome.Applied.APPLIED);
    }

    private static void unknown(LogOutcome outcome) {
        assertThat(outcome).isInstanceOf(LogOutcome.Unknown.class);
    }

    /** Holds the row of the partition until it is closed. */
    private Connection holdPartition() throws SQLException {
        Connection other = server.connect();
        other.setAutoCommit(false);
        try (Statement statement = other.createStatement()) {
            statement.execute("SELECT FROM " + settings.schema() + ".log_partition FOR UPDATE");
        }
        return other;
    }

    /** Waits until a statement of a store waits for a row, and returns the server process that runs it. */
    private int awaitBlocked() throws SQLException {
        long deadline = System.nanoTime() + LONG.toNanos();
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            while (System.nanoTime() < deadline) {
                try (ResultSet row = statement.executeQuery("SELECT pid FROM pg_stat_activity"
                        + " WHERE application_name = 'seriatim' AND wait_event_type = 'Lock'")) {
                    if (row.next()) {
                        return row.getInt(1);
                    }
                }
                Thread.onSpinWait();
            }
        }
        throw new AssertionError("nobody waits for the row");
    }

    @Test
    void everyWrite_partitionHeldByAnotherSession_endsByTheStatementTimeoutAndChangesNothing() throws Exception {
        PostgresSettings impatient = settings.withTimeouts(LONG, Duration.ofMillis(200), LONG);
        try (PostgresStore store = PostgresStore.open(impatient)) {
            PartitionStore log = store.eventLog().partition(KEY);
            assertThat(log.take()).isEqualTo(1);
            try (Connection other = holdPartition()) {
                List<Runnable> writes = List.of(
                        () -> append(log, 1, 1),
                        () -> log.derive(1, place(1)),
                        () -> log.writeNumbers(1, new NumberList().with(7, 1, 0, 1), 2),
                        () -> log.resetCheckpoint(1),
                        () -> log.renew(1),
                        log::take);
                for (Runnable write : writes) {
                    assertThatThrownBy(write::run)
                            .isInstanceOfSatisfying(
                                    StoreException.class,
                                    e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNAVAILABLE))
                            .hasMessageContaining("57014");
                }
                other.rollback();
            }
            assertThat(log.epoch()).isEqualTo(1);
            assertThat(log.lastOffset()).isEmpty();
            assertThat(log.appliedOffset()).isEmpty();
            assertThat(log.checkpoint()).isEmpty();
            applied(append(log, 1, 1));
        }
    }

    @Test
    void everyWrite_connectionTerminatedMeanwhile_isUnknown() throws Exception {
        try (PostgresStore store = PostgresStore.open(settings)) {
            PartitionStore log = store.eventLog().partition(KEY);
            assertThat(log.take()).isEqualTo(1);
            applied(append(log, 1, 1));
            try (Connection other = holdPartition()) {
                Future<LogOutcome> appending = callers.submit(() -> append(log, 1, 2));
                server.run("SELECT pg_terminate_backend(" + awaitBlocked() + ")");
                unknown(appending.get());
                Future<LogOutcome> deriving = callers.submit(() -> log.derive(1, place(1)));
                server.run("SELECT pg_terminate_backend(" + awaitBlocked() + ")");
                unknown(deriving.get());
                Future<LogOutcome> renewing = callers.submit(() -> log.renew(1));
                server.run("SELECT pg_terminate_backend(" + awaitBlocked() + ")");
                unknown(renewing.get());
                other.rollback();
            }
            assertThat(log.take()).isEqualTo(2);
            assertThat(log.lastOffset()).hasValue(1);
            assertThat(log.appliedOffset()).isEmpty();
            assertThat(store.eventLog().failure()).isEmpty();
        }
    }

    /** A new epoch, and the log says what became of it. */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "REQUEST")
    void everyWrite_replyLost_isUnknownAndThere(TcpProxy.Loss loss) throws Exception {
        try (TcpProxy proxy = new TcpProxy(server.port());
                PostgresStore store = PostgresStore.open(PostgresFaultsTest.through(proxy, server, settings))) {
            PartitionStore log = store.eventLog().partition(KEY);
            assertThat(log.take()).isEqualTo(1);
            proxy.lose("SELECT log_append(", loss);
            unknown(append(log, 1, 1));
            applied(log.renew(1));
            assertThat(log.events(1, 10)).containsExactly(event(1));
            applied(append(log, 2, 1)); // by its mark

            proxy.lose("SELECT log_derive(", loss);
            unknown(log.derive(2, place(1)));
            assertThat(log.appliedOffset()).hasValue(2);
            proxy.lose("SELECT log_write_numbers(", loss);
            unknown(log.writeNumbers(2, new NumberList().with(7, 1, 0, 1), 2));
            assertThat(log.checkpoint()).isPresent();
            assertThat(store.eventLog().failure()).isEmpty();
        }
    }

    /** Else an owner would be shut out by itself. */
    @ParameterizedTest
    @EnumSource(TcpProxy.Loss.class)
    void renew_requestOrReplyLost_isAppliedWhenItIsAskedAgain(TcpProxy.Loss loss) throws Exception {
        try (TcpProxy proxy = new TcpProxy(server.port());
                PostgresStore store = PostgresStore.open(PostgresFaultsTest.through(proxy, server, settings));
                PostgresStore other = PostgresStore.open(settings)) {
            PartitionStore log = store.eventLog().partition(KEY);
            assertThat(log.take()).isEqualTo(1);
            proxy.lose("UPDATE log_partition", loss);
            unknown(log.renew(1));
            applied(store.eventLog().partition(KEY).renew(1));
            assertThat(log.epoch()).isEqualTo(2);
            assertThat(log.renew(1)).isEqualTo(new LogOutcome.Fenced(2));

            proxy.lose("UPDATE log_partition", loss);
            unknown(log.renew(2));
            long taken = other.eventLog().partition(KEY).take();
            assertThat(log.renew(2)).isEqualTo(new LogOutcome.Fenced(taken));
        }
    }

    @Test
    void append_requestLost_isUnknownAndNotThere() throws Exception {
        try (TcpProxy proxy = new TcpProxy(server.port());
                PostgresStore store = PostgresStore.open(PostgresFaultsTest.through(proxy, server, settings))) {
            PartitionStore log = store.eventLog().partition(KEY);
            assertThat(log.take()).isEqualTo(1);
            proxy.lose("SELECT log_append(", TcpProxy.Loss.REQUEST);
            unknown(append(log, 1, 1));
            applied(log.renew(1));
            assertThat(log.events(1, 10)).isEmpty();
            applied(append(log, 2, 1));
        }
    }

    @Test
    void commands_connectionsTerminatedOverAndOver_eachIsOneEvent() throws Exception {
        try (PostgresStore store = PostgresStore.open(settings);
                SystemEnvironment environment = new SystemEnvironment();
                Applications applications =
                        Applications.on(store.eventLog(), ApplicationSettings.usual(), environment)) {
            KeyedCallers commands =
                    KeyedCallers.start(applications.deploy("shop", SHOP).application());
            for (int i = 0; i < 15; i++) {
                commands.awaitAnswers(10);
                server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE application_name = 'seriatim'");
            }
            commands.endAndCheck();
        }
    }
}
