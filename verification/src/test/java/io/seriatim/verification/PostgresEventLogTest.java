package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.store.ApplicationRow;
import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.DerivedRows;
import io.seriatim.store.EventHeader;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.KeyRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RecordRow;
import io.seriatim.store.SkippedRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.WorkspaceEvent;
import io.seriatim.store.WriteMode;
import io.seriatim.store.WriterMark;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What event logs on PostgreSQL have of their own: tables that are read, rows that somebody changed. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class PostgresEventLogTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final PartitionKey KEY = new PartitionKey(3, 2);

    private final PostgresServer server = PostgresServer.shared();
    private final PostgresSettings settings = server.newSchema().withTimeouts(LONG, LONG, LONG.plusSeconds(1));

    private static void applied(LogOutcome outcome) {
        assertThat(outcome).isEqualTo(LogOutcome.Applied.APPLIED);
    }

    /** An application, two events, and what follows from the first. */
    private static void write(EventLogStore logs) {
        applied(logs.write(new ApplicationRow(3, "shop", 1, new WriterMark(7, 1), "{}".getBytes(UTF_8))));
        PartitionStore partition = logs.partition(KEY);
        assertThat(partition.take()).isEqualTo(1);
        applied(partition.append(1, WriteMode.INSERT_IF_ABSENT, List.of(event(1), event(2))));
        applied(partition.derive(1, rows(List.of())));
        applied(partition.writeNumbers(1, new NumberList().with(5, 1, 1, 200_001), 2));
    }

    private static LogEvent event(long offset) {
        return new LogEvent(
                offset,
                1,
                new EventHeader(
                        5, 1, new WriterMark(7, offset), "k" + offset, new int[] {0, 1}, new long[] {offset, 200_001}),
                ("{\"order\":" + offset + "}").getBytes(UTF_8));
    }

    private static DerivedRows rows(List<SkippedRow> skipped) {
        return DerivedRows.under(WriteMode.PUT)
                .withRecords(
                        List.of(new RecordRow(5, 200_001, 1, 1, 1, "{\"name\":\"é\"}".getBytes(UTF_8))),
                        List.of(),
                        List.of(),
                        List.of(new KeyRow(5, "k1", 1)))
                .withWorkspaceEvents(WriteMode.PUT, List.of(new WorkspaceEvent(5, 1, 1)))
                .withSkipped(skipped)
                .withAppliedOffset(2);
    }

    private List<String> column(String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET search_path TO " + settings.schema());
            try (ResultSet rows = statement.executeQuery(sql)) {
                List<String> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
                return found;
            }
        }
    }

    @Test
    void views_showWhatIsThereInWords() throws SQLException {
        try (PostgresStore store = PostgresStore.open(settings)) {
            write(store.eventLog());
        }
        assertThat(column("SELECT concat_ws(' ', application, partition, plog_offset, key, numbers, body)"
                        + " FROM log_event_text ORDER BY plog_offset"))
                .containsExactly("shop 2 1 k1 {1,200001} {\"order\":1}", "shop 2 2 k2 {2,200001} {\"order\":2}");
        assertThat(column("SELECT concat_ws(' ', application, workspace, id, body) FROM log_record_text"))
                .containsExactly("shop 5 200001 {\"name\":\"é\"}");
        assertThat(
                        column(
                                "SELECT concat_ws(' ', application, partition, epoch, next_offset, applied, checkpoint) FROM log_progress"))
                .containsExactly("shop 2 1 3 2 2");
    }

    @Test
    void tables_allOfThem_sayWhatTheyHold() throws SQLException {
        PostgresStore.open(settings).close();
        assertThat(column("SELECT relname FROM pg_class WHERE relnamespace = '" + settings.schema()
                        + "'::regnamespace AND relkind IN ('r', 'v') AND obj_description(oid, 'pg_class') IS NULL"))
                .isEmpty();
    }

    @Test
    void events_rowChangedByHand_stopTheStoreForGood() throws SQLException {
        Consumer<EventLogStore> events =
                logs -> assertThat(logs.partition(KEY).events(1, 10)).isEmpty();
        Consumer<EventLogStore> replay = logs -> logs.partition(KEY).replay(1, 10, new HeaderList());
        Consumer<EventLogStore> record = logs -> logs.partition(KEY).record(5, 200_001);
        for (String change : List.of(
                "plog_offset = 9",
                "epoch = 2",
                "workspace = 6",
                "kind = 2",
                "writer = 8",
                "write = 9",
                "sequences = '{0,2}'",
                "numbers = '{1,200002}'",
                "numbers = '{1,NULL}'",
                "numbers = '{1}'",
                "header_checksum = 1")) {
            assertStops("log_event", change, events);
            assertStops("log_event", change, replay);
        }
        for (String change :
                List.of("key = ''", "key = 'K1'", "body = ''", "body = body || '\\x00'", "checksum = checksum + 1")) {
            assertStops("log_event", change, events);
        }
        for (String change : List.of("type = 2", "plog_offset = 2", "wlog_offset = 2", "body = '{}'", "checksum = 1")) {
            assertStops("log_record", change, record);
        }
        for (String change : List.of("name = 'Shop'", "revision = 2", "write = 2", "body = '{ }'", "checksum = 1")) {
            assertStops("log_application", change, EventLogStore::applications);
        }
    }

    /** One row of a table is changed; whoever reads it finds it, and nothing is read or written any more. */
    private void assertStops(String table, String change, Consumer<EventLogStore> reading) throws SQLException {
        server.run("DROP SCHEMA IF EXISTS " + settings.schema() + " CASCADE");
        try (PostgresStore store = PostgresStore.open(settings)) {
            write(store.eventLog());
            String name = settings.schema() + "." + table;
            server.run("UPDATE " + name + " SET " + change + " WHERE ctid = (SELECT min(ctid) FROM " + name + ")");
            assertCorrupt(() -> reading.accept(store.eventLog()), table + " " + change);
            assertThat(store.eventLog().failure()).isPresent();
            assertCorrupt(() -> store.eventLog().partition(KEY).take(), table + " " + change);
            assertCorrupt(() -> store.findCounter(CounterKey.of(1)), table + " " + change);
        }
    }

    private static void assertCorrupt(Runnable call, String what) {
        assertThatThrownBy(call::run)
                .as(what)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.CORRUPT));
    }

    /** A database can fall while the owner lives on, who goes by what it has seen written. */
    @Test
    void writes_whateverTheyAre_areWaitedForAtTheDisk() throws Exception {
        try (PostgresStore store = PostgresStore.open(settings)) {
            write(store.eventLog());
            server.run("CREATE TABLE " + settings.schema() + ".seen (setting text)");
            for (String table : List.of("log_event", "log_applied", "log_checkpoint")) {
                server.run("CREATE FUNCTION " + settings.schema() + ".see_" + table
                        + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO " + settings.schema()
                        + ".seen VALUES (tg_table_name || ' ' || current_setting('synchronous_commit')); RETURN NULL;"
                        + " END $$");
                server.run("CREATE TRIGGER see AFTER INSERT OR UPDATE ON " + settings.schema() + "." + table
                        + " FOR EACH ROW EXECUTE FUNCTION " + settings.schema() + ".see_" + table + "()");
            }
            PartitionStore partition = store.eventLog().partition(KEY);
            applied(partition.append(1, WriteMode.INSERT_IF_ABSENT, List.of(event(3))));
            applied(partition.derive(1, rows(List.of())));
            applied(partition.writeNumbers(1, new NumberList().with(5, 1, 1, 200_002), 3));
            applied(partition.derive(1, rows(List.of(new SkippedRow(1, "mail", "ann", "bounced", 0)))));
            applied(partition.resetCheckpoint(1));
            applied(partition.append(1, WriteMode.INSERT_IF_ABSENT, List.of(event(4))));
        }
        assertThat(column("SELECT setting FROM seen"))
                .containsExactly(
                        "log_event on",
                        "log_applied on",
                        "log_checkpoint on",
                        "log_applied on",
                        "log_checkpoint on",
                        "log_event on");
    }

    /** As they were made before there were event logs. */
    @Test
    void open_tablesOfVersion1_areBroughtUpAndKeepTheirRows() throws Exception {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA " + settings.schema());
            statement.execute("SET search_path TO " + settings.schema());
            statement.execute(script("V1.sql"));
            statement.execute("INSERT INTO schema_version (version) VALUES (1)");
            statement.execute("INSERT INTO counter SELECT 1, '', '', 1, 0, 100, false, 1, 7, 1, '', ''");
        }
        try (PostgresStore store = PostgresStore.open(settings)) {
            assertThat(store.findCounter(CounterKey.of(1))).contains(PostgresFaultsTest.counter(1));
            PostgresFaultsTest.write(store, Change.of(PostgresFaultsTest.counter(2)));
            write(store.eventLog());
        }
        assertThat(column("SELECT version FROM schema_version ORDER BY version"))
                .containsExactly("1", "2");
    }

    private static String script(String name) throws IOException {
        try (InputStream file = PostgresStore.class.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), UTF_8);
        }
    }
}
