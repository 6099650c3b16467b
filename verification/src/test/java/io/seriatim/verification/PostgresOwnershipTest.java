package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.store.EventHeader;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
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
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A partition changes hands while its owner writes; two stores on one database, as two processes have them. S97. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class PostgresOwnershipTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final PartitionKey KEY = new PartitionKey(1, 0);
    private static final long SLOW = 4_711;
    private static final long QUICK = 1;

    private final PostgresServer server = PostgresServer.shared();
    private final PostgresSettings settings = server.newSchema().withTimeouts(LONG, LONG, LONG.plusSeconds(1));
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final PostgresStore one = PostgresStore.open(settings);
    private final PostgresStore other = PostgresStore.open(settings);
    private final PartitionStore before = one.eventLog().partition(KEY);
    private final PartitionStore after = other.eventLog().partition(KEY);

    /** An event with this writer waits between the look at the epoch and the write, as long as somebody holds it. */
    @BeforeEach
    void slowDownOneWriter() throws SQLException {
        String schema = settings.schema();
        server.run("CREATE FUNCTION " + schema + ".wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " PERFORM pg_advisory_xact_lock_shared(hashtext('" + schema + "')); RETURN new; END $$");
        server.run("CREATE TRIGGER wait BEFORE INSERT ON " + schema + ".log_event FOR EACH ROW WHEN (new.writer = "
                + SLOW + ") EXECUTE FUNCTION " + schema + ".wait()");
    }

    @AfterEach
    void close() throws InterruptedException {
        callers.shutdown();
        assertThat(callers.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
        one.close();
        other.close();
    }

    private static LogEvent event(long offset, long epoch, long writer) {
        return new LogEvent(
                offset,
                epoch,
                new EventHeader(7, 1, new WriterMark(writer, offset), "", new int[] {0}, new long[] {offset}),
                new byte[] {1});
    }

    private static void applied(LogOutcome outcome) {
        assertThat(outcome).isEqualTo(LogOutcome.Applied.APPLIED);
    }

    /** Keeps the slow writer waiting until it is closed. */
    private Connection hold() throws SQLException {
        Connection holder = server.connect();
        try (Statement statement = holder.createStatement()) {
            statement.execute("SELECT pg_advisory_lock(hashtext('" + settings.schema() + "'))");
        }
        return holder;
    }

    private static void letGo(Connection holder) throws SQLException {
        try (Statement statement = holder.createStatement()) {
            statement.execute("SELECT pg_advisory_unlock_all()");
        }
    }

    /** Waits until so many statements of stores wait for a lock of this kind. */
    private void awaitWaiting(String event, int count) throws SQLException {
        long deadline = System.nanoTime() + LONG.toNanos();
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            while (System.nanoTime() < deadline) {
                try (ResultSet row = statement.executeQuery("SELECT count(*) FROM pg_stat_activity WHERE"
                        + " application_name = 'seriatim' AND wait_event_type = 'Lock' AND wait_event " + event)) {
                    row.next();
                    if (row.getInt(1) == count) {
                        return;
                    }
                }
                Thread.onSpinWait();
            }
        }
        throw new AssertionError("nobody waits for a lock " + event);
    }

    @Test
    void take_whileAWriteIsUnderWay_waitsForItAndReadsIt() throws Exception {
        assertThat(before.take()).isEqualTo(1);
        LogEvent late = event(1, 1, SLOW);
        try (Connection holder = hold()) {
            Future<LogOutcome> writing = callers.submit(() -> before.append(1, WriteMode.PUT, List.of(late)));
            awaitWaiting("= 'advisory'", 1);
            Future<Long> taking = callers.submit(after::take);
            awaitWaiting("<> 'advisory'", 1);
            letGo(holder);
            applied(writing.get());
            assertThat(taking.get()).isEqualTo(2);
        }
        assertThat(after.events(1, 10)).containsExactly(late);
        applied(after.append(2, WriteMode.PUT, List.of(event(2, 2, QUICK))));
        assertThat(before.append(1, WriteMode.PUT, List.of(event(2, 1, SLOW)))).isEqualTo(new LogOutcome.Fenced(2));
        assertThat(after.events(2, 10)).containsExactly(event(2, 2, QUICK));
    }

    /** Why the lock is there: the same without it. */
    @Test
    void take_withoutTheLock_wouldLetAnAcknowledgedEventBeReplaced() throws Exception {
        server.run("DO $$ BEGIN EXECUTE replace(pg_get_functiondef('" + settings.schema()
                + ".log_append'::regproc), 'FOR SHARE', ''); END $$");
        assertThat(before.take()).isEqualTo(1);
        LogEvent late = event(1, 1, SLOW);
        LogEvent acknowledged = event(1, 2, QUICK);
        try (Connection holder = hold()) {
            Future<LogOutcome> writing = callers.submit(() -> before.append(1, WriteMode.PUT, List.of(late)));
            awaitWaiting("= 'advisory'", 1);
            assertThat(after.take()).isEqualTo(2);
            assertThat(after.events(1, 10)).isEmpty();
            applied(after.append(2, WriteMode.PUT, List.of(acknowledged)));
            assertThat(after.events(1, 10)).containsExactly(acknowledged);
            letGo(holder);
            applied(writing.get());
        }
        assertThat(after.events(1, 10)).containsExactly(late);
    }

    /** Writes of one owner overlap all the time, and whoever takes the partition still gets it. */
    @Test
    void take_fromAnOwnerThatNeverRests_comesThrough() throws Exception {
        assertThat(before.take()).isEqualTo(1);
        AtomicBoolean begun = new AtomicBoolean();
        List<Future<Long>> writing = List.of(
                callers.submit(() -> appendAll(1_000_000, begun)),
                callers.submit(() -> appendAll(2_000_000, begun)),
                callers.submit(() -> appendAll(3_000_000, begun)));
        while (!begun.get()) {
            Thread.onSpinWait();
        }
        assertThat(after.take()).isEqualTo(2);
        long there = after.events(1, Integer.MAX_VALUE).size();
        long appended = 0;
        for (Future<Long> each : writing) {
            appended += each.get();
        }
        assertThat(there).isEqualTo(appended);
        assertThat(after.events(1, Integer.MAX_VALUE)).hasSize((int) there);
    }

    /** Appends until it is fenced; returns how many went in. */
    private long appendAll(long first, AtomicBoolean begun) {
        for (long count = 0; ; count++) {
            LogOutcome outcome = one.eventLog()
                    .partition(KEY)
                    .append(1, WriteMode.INSERT_IF_ABSENT, List.of(event(first + count, 1, QUICK)));
            if (!(outcome instanceof LogOutcome.Applied)) {
                assertThat(outcome).isEqualTo(new LogOutcome.Fenced(2));
                return count;
            }
            begun.set(true);
        }
    }
}
