package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.ErrorCode;
import io.seriatim.Sequence;
import io.seriatim.SequenceDefinition;
import io.seriatim.Sequences;
import io.seriatim.StoreUnavailableException;
import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.CounterStore;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import io.seriatim.store.WriteOutcome;
import io.seriatim.store.WriterMark;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What a store on PostgreSQL says when a statement, a connection or the way to the server fails. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class PostgresFaultsTest {

    /** Long enough for a busy machine. */
    private static final Duration LONG = Duration.ofMinutes(1);

    private final PostgresServer server = PostgresServer.shared();
    private final PostgresSettings settings = server.newSchema().withTimeouts(LONG, LONG, LONG.plusSeconds(1));
    private final ExecutorService callers = Executors.newCachedThreadPool();

    @AfterEach
    void endCallers() throws InterruptedException {
        callers.shutdown();
        assertThat(callers.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
    }

    static CounterRow counter(long revision) {
        return new CounterRow(CounterKey.of(1), 1, 0, revision * 100, false, revision, new WriterMark(7, revision));
    }

    static DefinitionRow definition(long revision) {
        return new DefinitionRow(
                "orders",
                1,
                1,
                revision,
                Map.of("increment", "1"),
                false,
                Instant.EPOCH,
                Instant.EPOCH,
                new WriterMark(7, revision));
    }

    static void write(CounterStore store, Change change) {
        assertThat(store.apply(change)).isEqualTo(new WriteOutcome.Applied());
    }

    static void assertUnavailable(CounterStore store, ThrowingCallable call, String words) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
                .hasMessageContaining(words);
        assertThat(store.failure()).isEmpty();
    }

    /** The counter, as soon as it can be read. */
    static CounterRow eventually(CounterStore store) {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (true) {
            try {
                return store.findCounter(CounterKey.of(1)).orElseThrow();
            } catch (StoreException e) {
                assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE);
                assertThat(System.nanoTime()).isLessThan(deadline);
            }
        }
    }

    /** Holds the counter row of a store's schema until it is closed. */
    private Connection holdRow() throws SQLException {
        Connection other = server.connect();
        other.setAutoCommit(false);
        try (Statement statement = other.createStatement()) {
            statement.execute("SELECT FROM " + settings.schema() + ".counter FOR UPDATE");
        }
        return other;
    }

    /** Waits until a statement of a store waits for a row, and returns the server process that runs it. */
    private static int awaitBlocked(Connection other) throws SQLException {
        long deadline = System.nanoTime() + LONG.toNanos();
        try (Connection third = PostgresServer.shared().connect();
                Statement statement = third.createStatement()) {
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
        throw new AssertionError("nobody waits for the row of " + other);
    }

    // ---- statements

    @Test
    void apply_rowHeldByAnotherSession_endsByTheStatementTimeoutAndChangesNothing() throws Exception {
        PostgresSettings impatient = settings.withTimeouts(LONG, Duration.ofMillis(200), LONG);
        try (PostgresStore store = PostgresStore.open(impatient)) {
            write(store, Change.of(counter(1)).with(definition(1)));
            try (Connection other = holdRow()) {
                assertUnavailable(store, () -> store.apply(Change.of(counter(2))), "57014");
                assertUnavailable(store, () -> store.apply(Change.of(counter(2)).with(definition(2))), "57014");
                other.rollback();
            }
            assertThat(store.findCounter(CounterKey.of(1))).contains(counter(1));
            assertThat(store.findDefinition("orders")).contains(definition(1));
            write(store, Change.of(counter(2)).with(definition(2)));
        }
    }

    /** The holder of the row wins: who waited for it is refused by what it left. */
    @Test
    void apply_rowChangedByWhoHeldIt_refusedWithTheNewRow() throws Exception {
        try (PostgresStore store = PostgresStore.open(settings)) {
            write(store, Change.of(counter(1)).with(definition(1)));
            for (boolean alone : new boolean[] {true, false}) {
                long next = store.findCounter(CounterKey.of(1)).orElseThrow().revision() + 1;
                Change change = alone
                        ? Change.of(counter(next))
                        : Change.of(counter(next)).with(definition(2));
                try (Connection other = holdRow();
                        Statement statement = other.createStatement()) {
                    Future<WriteOutcome> waiting = callers.submit(() -> store.apply(change));
                    awaitBlocked(other);
                    statement.execute("UPDATE " + settings.schema() + ".counter SET revision = revision + 1");
                    other.commit();
                    assertThat(waiting.get())
                            .isInstanceOfSatisfying(
                                    WriteOutcome.Refused.class,
                                    refused -> assertThat(refused.counter()
                                                    .orElseThrow()
                                                    .revision())
                                            .isEqualTo(next));
                }
                assertThat(store.findDefinition("orders")).contains(definition(1)); // rolled back with the counter
            }
        }
    }

    @Test
    void everyCall_allConnectionsTaken_isUnavailableAfterTheWait() throws Exception {
        PostgresSettings one =
                settings.withConnections(1).withTimeouts(Duration.ofMillis(250), LONG, LONG.plusSeconds(1));
        try (PostgresStore store = PostgresStore.open(one)) {
            write(store, Change.of(counter(1)));
            try (Connection other = holdRow()) {
                Future<WriteOutcome> waiting = callers.submit(() -> store.apply(Change.of(counter(2))));
                awaitBlocked(other);
                assertUnavailable(store, () -> store.findCounter(CounterKey.of(1)), "timed out");
                assertUnavailable(store, () -> store.apply(Change.of(counter(2))), "timed out");
                other.rollback();
                assertThat(waiting.get()).isEqualTo(new WriteOutcome.Applied());
            }
            write(store, Change.of(counter(3)));
        }
    }

    // ---- connections

    @Test
    void apply_connectionTerminatedMeanwhile_isUnknown() throws Exception {
        try (PostgresStore store = PostgresStore.open(settings)) {
            write(store, Change.of(counter(1)));
            for (Change change :
                    new Change[] {Change.of(counter(2)), Change.of(counter(2)).with(definition(1))}) {
                try (Connection other = holdRow()) {
                    Future<WriteOutcome> waiting = callers.submit(() -> store.apply(change));
                    server.run("SELECT pg_terminate_backend(" + awaitBlocked(other) + ")");
                    assertThat(waiting.get()).isInstanceOf(WriteOutcome.Unknown.class);
                }
            }
            assertThat(store.failure()).isEmpty();
            write(store, Change.of(counter(2)));
        }
    }

    @Test
    void apply_connectionsTerminatedAllTheTime_everyAcknowledgedWriteIsThere() throws Exception {
        try (PostgresStore store = PostgresStore.open(settings)) {
            write(store, Change.of(counter(1)));
            Future<Long> writer = callers.submit(() -> writeOn(store, 1, 300));
            while (!writer.isDone()) {
                server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE application_name = 'seriatim'");
            }
            assertThat(eventually(store).revision()).isEqualTo(writer.get());
        }
    }

    /** Writes one revision after another, whatever comes in between; an unknown one is settled by its mark. */
    private static long writeOn(CounterStore store, long from, int times) {
        long revision = from;
        while (revision < from + times) {
            try {
                WriteOutcome outcome = store.apply(Change.of(counter(revision + 1)));
                if (outcome instanceof WriteOutcome.Applied
                        || store.findCounter(CounterKey.of(1)).orElseThrow().equals(counter(revision + 1))) {
                    revision++;
                } else {
                    assertThat(outcome).isInstanceOf(WriteOutcome.Unknown.class);
                    assertThat(store.findCounter(CounterKey.of(1))).contains(counter(revision));
                }
            } catch (StoreException e) {
                assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE);
            }
        }
        return revision;
    }

    /** What it is all for: two processes share a sequence, sessions end at any moment, and no value comes twice. */
    @Test
    void next_twoEnginesAndConnectionsTerminatedAllTheTime_noValueTwice() throws Exception {
        Set<Long> values = ConcurrentHashMap.newKeySet();
        try (Sequences one = Sequences.on(PostgresStore.open(settings));
                Sequences other = Sequences.on(PostgresStore.open(settings))) {
            one.define("orders", SequenceDefinition.ascending().cache(5));
            List<Future<?>> drawing = new ArrayList<>();
            for (Sequences sequences : List.of(one, other, one, other)) {
                Sequence orders = sequences.get("orders");
                drawing.add(callers.submit(() -> draw(orders, 1_000, values)));
            }
            while (!drawing.stream().allMatch(Future::isDone)) {
                server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE application_name = 'seriatim'");
            }
            for (Future<?> each : drawing) {
                each.get();
            }
        }
        assertThat(values).hasSize(4_000);
    }

    private static void draw(Sequence sequence, int count, Set<Long> values) {
        int drawn = 0;
        while (drawn < count) {
            try {
                long value = sequence.next();
                assertThat(values.add(value)).as("%d came before", value).isTrue();
                drawn++;
            } catch (StoreUnavailableException e) {
                assertThat(e.code()).isIn(ErrorCode.STORE_UNAVAILABLE, ErrorCode.BUSY);
            }
        }
    }

    // ---- the way to the server

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "REQUEST")
    void apply_replyLost_isUnknownAndFoundByItsMark(TcpProxy.Loss loss) throws Exception {
        try (TcpProxy proxy = new TcpProxy(server.port());
                PostgresStore store = PostgresStore.open(through(proxy))) {
            write(store, Change.of(counter(1)));
            proxy.lose("UPDATE counter", loss);
            assertThat(store.apply(Change.of(counter(2)))).isInstanceOf(WriteOutcome.Unknown.class);
            assertThat(store.findCounter(CounterKey.of(1))).contains(counter(2));

            proxy.lose("SELECT apply(", loss);
            assertThat(store.apply(Change.of(counter(3)).with(definition(1)))).isInstanceOf(WriteOutcome.Unknown.class);
            assertThat(store.findCounter(CounterKey.of(1))).contains(counter(3));
            assertThat(store.findDefinition("orders")).contains(definition(1));
            assertThat(store.failure()).isEmpty();
        }
    }

    @Test
    void apply_requestLost_isUnknownAndNotThere() throws Exception {
        try (TcpProxy proxy = new TcpProxy(server.port());
                PostgresStore store = PostgresStore.open(through(proxy))) {
            write(store, Change.of(counter(1)));
            proxy.lose("UPDATE counter", TcpProxy.Loss.REQUEST);
            assertThat(store.apply(Change.of(counter(2)))).isInstanceOf(WriteOutcome.Unknown.class);
            assertThat(store.findCounter(CounterKey.of(1))).contains(counter(1));
            write(store, Change.of(counter(2)));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SILENCE")
    void find_requestOrReplyLost_isAskedAgain(TcpProxy.Loss loss) throws Exception {
        try (TcpProxy proxy = new TcpProxy(server.port());
                PostgresStore store = PostgresStore.open(through(proxy))) {
            write(store, Change.of(counter(1)));
            proxy.lose("LEFT JOIN definition", loss);
            assertThat(store.findCounter(CounterKey.of(1))).contains(counter(1));
        }
    }

    @Test
    void find_noReply_isUnavailableAndTheNextSucceeds() throws Exception {
        try (TcpProxy proxy = new TcpProxy(server.port());
                PostgresStore store = PostgresStore.open(through(proxy))) {
            write(store, Change.of(counter(1)));
            proxy.lose("LEFT JOIN definition", TcpProxy.Loss.SILENCE);
            assertUnavailable(store, () -> store.findCounter(CounterKey.of(1)), "not available");
            assertThat(store.findCounter(CounterKey.of(1))).contains(counter(1));
        }
    }

    /** As a restart of the server does to every connection that lies in the pool: each failed one call, reads too. */
    @Test
    void find_everyConnectionOfThePoolTerminated_isAnswered() throws Exception {
        try (PostgresStore store = PostgresStore.open(settings)) {
            write(store, Change.of(counter(1)));
            List<Future<?>> writes = new ArrayList<>();
            try (Connection other = holdRow()) {
                for (int i = 0; i < 4; i++) {
                    writes.add(callers.submit(() -> store.apply(Change.of(counter(2)))));
                }
                awaitBlocked(other);
                other.rollback();
            }
            for (Future<?> each : writes) {
                each.get();
            }
            server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'seriatim'");
            assertThat(store.findCounter(CounterKey.of(1))).contains(counter(2));
        }
    }

    /** The refusal is known, what stands in the way is not: nothing was written, the call may be repeated. */
    @Test
    void apply_refusedAndThePresentRowsUnreadable_isUnavailable() throws Exception {
        try (TcpProxy proxy = new TcpProxy(server.port());
                PostgresStore store = PostgresStore.open(through(proxy))) {
            write(store, Change.of(counter(1)));
            proxy.lose("LEFT JOIN definition", TcpProxy.Loss.SILENCE);
            assertUnavailable(store, () -> store.apply(Change.of(counter(1))), "not available");
        }
    }

    @Test
    void close_callWithoutAnswer_waitsForItsBoundAndEnds() throws Exception {
        try (TcpProxy proxy = new TcpProxy(server.port())) {
            PostgresStore store = PostgresStore.open(through(proxy));
            write(store, Change.of(counter(1)));
            proxy.lose("UPDATE counter", TcpProxy.Loss.SILENCE);
            Future<WriteOutcome> waiting = callers.submit(() -> store.apply(Change.of(counter(2))));
            proxy.awaitLoss();
            store.close();
            store.close();
            assertThat(waiting.get(1, TimeUnit.SECONDS)).isInstanceOf(WriteOutcome.Unknown.class);
        }
    }

    /** Through the proxy, with a socket timeout that a test can wait for. */
    private PostgresSettings through(TcpProxy proxy) {
        return through(proxy, server, settings);
    }

    static PostgresSettings through(TcpProxy proxy, PostgresServer server, PostgresSettings settings) {
        return new PostgresSettings(
                server.url(proxy.port()),
                settings.user(),
                settings.password(),
                settings.schema(),
                2,
                LONG,
                Duration.ofSeconds(1),
                Duration.ofSeconds(2));
    }
}
