package io.seriatim.verification;

import static io.seriatim.verification.PostgresFaultsTest.assertUnavailable;
import static io.seriatim.verification.PostgresFaultsTest.counter;
import static io.seriatim.verification.PostgresFaultsTest.definition;
import static io.seriatim.verification.PostgresFaultsTest.eventually;
import static io.seriatim.verification.PostgresFaultsTest.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import io.seriatim.store.WriteOutcome;
import io.seriatim.store.WriterMark;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A PostgreSQL server that stops, dies or is set up otherwise under an open store. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class PostgresServerFaultsTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static PostgresServer server;

    private final ExecutorService callers = Executors.newCachedThreadPool();

    @BeforeAll
    static void startServer() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @AfterEach
    void endCallers() throws InterruptedException {
        callers.shutdown();
        assertThat(callers.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
    }

    private static PostgresSettings settings() {
        return server.newSchema().withTimeouts(LONG, LONG, LONG.plusSeconds(1));
    }

    /** Changes a setting of the server, which reads it soon. */
    private static void set(String setting, String value) throws SQLException {
        server.run("ALTER SYSTEM SET " + setting + " = '" + value + "'");
        server.run("SELECT pg_reload_conf()");
    }

    private static boolean answer(String question) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            row.next();
            return row.getBoolean(1);
        }
    }

    @Test
    void everyCall_serverStoppedAndStartedAgain_isUnavailableMeanwhile() {
        PostgresSettings impatient =
                server.newSchema().withTimeouts(Duration.ofMillis(250), Duration.ofSeconds(30), Duration.ofSeconds(31));
        try (PostgresStore store = PostgresStore.open(impatient)) {
            write(store, Change.of(counter(1)));
            server.stop();
            try {
                boolean refused = false;
                while (!refused) { // the first one may be sent on a connection that has just broken
                    try {
                        assertThat(store.apply(Change.of(counter(2)))).isInstanceOf(WriteOutcome.Unknown.class);
                    } catch (StoreException e) {
                        refused = true;
                    }
                }
                assertUnavailable(store, () -> store.apply(Change.of(counter(2))), "not available");
                assertUnavailable(store, () -> store.findCounter(CounterKey.of(1)), "refused");
                assertUnavailable(store, () -> PostgresStore.open(impatient), "refused");
            } finally {
                server.startAgain();
            }
            assertThat(eventually(store)).isEqualTo(counter(1));
            write(store, Change.of(counter(2)));
        }
    }

    /** What was answered was on the disk: nothing that the first process of the server kept is needed. */
    @Test
    void apply_serverKilledUnderLoad_everyAcknowledgedWriteIsThere() throws Exception {
        PostgresSettings settings = settings().withTimeouts(LONG, Duration.ofSeconds(30), LONG);
        for (long round = 0; round < 3; round++) {
            List<Future<Long>> writers = new ArrayList<>();
            try (PostgresStore store = PostgresStore.open(settings)) {
                CountDownLatch underWay = new CountDownLatch(100);
                AtomicBoolean over = new AtomicBoolean();
                for (int i = 0; i < 4; i++) {
                    long id = round * 10 + i;
                    writers.add(callers.submit(() -> writeUntilNotAnswered(store, id, underWay, over)));
                }
                underWay.await();
                server.kill();
                server.startAgain();
                over.set(true);
                for (int i = 0; i < 4; i++) {
                    long acknowledged = writers.get(i).get();
                    CounterRow found =
                            store.findCounter(CounterKey.of(round * 10 + i)).orElseThrow();
                    assertThat(found.revision()).isBetween(acknowledged, acknowledged + 1);
                    assertThat(found).isEqualTo(row(round * 10 + i, found.revision()));
                }
                assertThat(store.failure()).isEmpty();
            }
        }
    }

    private static CounterRow row(long id, long revision) {
        return new CounterRow(CounterKey.of(id), 1, 0, revision * 7, false, revision, new WriterMark(id, revision));
    }

    /** A writer that got its connection after the restart meets no error; it ends when it is told to. */
    private static long writeUntilNotAnswered(
            PostgresStore store, long id, CountDownLatch underWay, AtomicBoolean over) {
        for (long revision = 1; ; revision++) {
            if (over.get()) {
                return revision - 1;
            }
            WriteOutcome outcome;
            try {
                outcome = store.apply(Change.of(row(id, revision)));
            } catch (StoreException e) {
                return revision - 1;
            }
            if (!(outcome instanceof WriteOutcome.Applied)) {
                return revision - 1;
            }
            underWay.countDown();
        }
    }

    /** A cancelled wait for a standby is answered as a success, with a warning; a failover would lose the write. */
    @Test
    void apply_waitForTheStandbyCancelled_isUnknown() throws Exception {
        try (PostgresStore store = PostgresStore.open(settings())) {
            write(store, Change.of(counter(1)));
            set("synchronous_standby_names", "nobody");
            AtomicLong revision = new AtomicLong(1);
            AtomicLong definition = new AtomicLong();
            try {
                assertThat(applyWithItsWaitCancelled(store, () -> Change.of(counter(revision.incrementAndGet()))))
                        .isInstanceOfSatisfying(
                                WriteOutcome.Unknown.class,
                                unknown -> assertThat(unknown.cause()).hasMessageContaining("synchronous replication"));
                assertThat(applyWithItsWaitCancelled(
                                store,
                                () -> Change.of(counter(revision.incrementAndGet()))
                                        .with(definition(definition.incrementAndGet()))))
                        .isInstanceOf(WriteOutcome.Unknown.class);
            } finally {
                set("synchronous_standby_names", "");
            }
            write(store, Change.of(counter(revision.incrementAndGet())));
        }
    }

    /** Taken on a server that is lost afterwards, the same epoch would be taken by another process too. */
    @Test
    void take_waitForTheStandbyCancelled_isUnavailable() throws Exception {
        PartitionKey key = new PartitionKey(1, 0);
        try (PostgresStore store = PostgresStore.open(settings())) {
            set("synchronous_standby_names", "nobody");
            try {
                Future<Throwable> refused = callers.submit(() -> {
                    while (true) { // until the server has read its new settings
                        try {
                            store.eventLog().partition(key).take();
                        } catch (StoreException e) {
                            return e;
                        }
                    }
                });
                while (!refused.isDone()) {
                    boolean unused =
                            answer("SELECT coalesce(bool_or(pg_cancel_backend(pid)), false) FROM pg_stat_activity"
                                    + " WHERE application_name = 'seriatim' AND wait_event = 'SyncRep'");
                }
                assertThat(refused.get()).hasMessageContaining("synchronous replication");
            } finally {
                set("synchronous_standby_names", "");
            }
            assertThat(store.eventLog().partition(key).take()).isGreaterThan(1);
        }
    }

    /** Writes until a commit waits, which it does once the server has read its new settings; cancels that wait. */
    private WriteOutcome applyWithItsWaitCancelled(PostgresStore store, Supplier<Change> changes) throws Exception {
        while (true) {
            Future<WriteOutcome> writing = callers.submit(() -> store.apply(changes.get()));
            while (!writing.isDone()) {
                if (answer("SELECT bool_or(pg_cancel_backend(pid)) FROM pg_stat_activity"
                        + " WHERE application_name = 'seriatim' AND wait_event = 'SyncRep'")) {
                    return writing.get();
                }
            }
            assertThat(writing.get()).isEqualTo(new WriteOutcome.Applied());
        }
    }

    @Test
    void open_serverThatMayLoseWhatItAcknowledged_isRefused() {
        PostgresSettings impatient =
                server.newSchema().withTimeouts(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofSeconds(31));
        for (String setting : new String[] {"fsync", "full_page_writes"}) {
            server.restartWith(setting, "off");
            try {
                assertThatThrownBy(() -> PostgresStore.open(impatient))
                        .isInstanceOfSatisfying(
                                StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
                        .hasMessageContaining(setting + " = off");
            } finally {
                server.stop();
                server.startAgain();
            }
        }
        PostgresStore.open(impatient).close();
    }

    /** The server checks its pages; one flipped byte stops the store, and a second look does not start it again. */
    @Test
    void find_damagedPage_stopsTheStoreForGood() throws Exception {
        PostgresSettings settings = settings();
        try (PostgresStore store = PostgresStore.open(settings)) {
            write(store, Change.of(counter(1)).with(definition(1)));
        }
        server.flipByte(settings.schema() + ".counter");
        try (PostgresStore store = PostgresStore.open(settings)) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> store.findCounter(CounterKey.of(1)))
                        .isInstanceOfSatisfying(
                                StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT));
            }
            assertThat(store.failure().orElseThrow().kind()).isEqualTo(Kind.CORRUPT);
            assertThatThrownBy(() -> store.apply(Change.of(counter(2)))).isInstanceOf(StoreException.class);
        }
    }
}
