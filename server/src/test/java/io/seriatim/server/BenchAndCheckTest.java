package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.Sequences;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.WriteOutcome;
import io.seriatim.store.WriterMark;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** The commands that look and measure. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BenchAndCheckTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private record Said(int exitCode, String out, String err) {

        JsonNode json() {
            return Calls.json(out);
        }

        List<String> codes() {
            return StreamSupport.stream(json().path("findings").spliterator(), false)
                    .map(finding -> finding.path("code").asString())
                    .toList();
        }
    }

    private Path data() {
        return folder.resolve("data");
    }

    private Said run(String words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = Main.commandLine(Map.of("SERIATIM_DATA", data().toString()));
        commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int exitCode = commandLine.execute(words.split(" "));
        return new Said(exitCode, out.toString(), err.toString());
    }

    // ---- check

    @Test
    void check_soundFolder_countsItsRows() {
        run("define orders --start 5 --increment 5");
        run("define strict --contract ordered");
        run("define down --increment -3 --cycle --min -10 --max -1 --cache 2");
        run("define gone");
        run("drop gone");
        run("next orders -n 3");
        run("next down -n 9");
        run("restart orders 7 --allow-reuse --reason test");

        Said said = run("check");

        assertThat(said.err()).isEmpty();
        assertThat(said.exitCode()).isZero();
        assertThat(said.out()).contains("sound         true", "rows          14", "tombstones    1", "ledger        6");
        run("define gone");
        JsonNode again = run("check --json").json();
        assertThat(again.path("leftCounters").asInt()).isEqualTo(1);
        assertThat(again.path("sound").asBoolean()).isTrue();
    }

    @Test
    void check_counterThatDoesNotBelongToItsDefinition_isToldWith7() {
        for (String name : List.of("a", "b", "c", "d", "e")) {
            run("define " + name + " --start 10 --increment 10 --max 1000");
            run("next " + name);
        }
        try (RocksDbStore store = RocksDbStore.open(data())) {
            move(store, "a", 2, 10);
            move(store, "b", 1, 1010);
            move(store, "c", 1, 15);
            move(store, "d", 1, 500);
            DefinitionRow row = store.findDefinition("e").orElseThrow();
            store.apply(Change.of(moved(store, "e", 1, 20))
                    .with(new DefinitionRow(
                            row.name(),
                            4711, // an id that no counter has
                            row.generation(),
                            row.revision() + 1,
                            row.options(),
                            false,
                            row.created(),
                            row.modified(),
                            row.mark())));
        }

        Said said = run("check --json");

        assertThat(said.codes())
                .containsExactlyInAnyOrder("GENERATION", "OUT_OF_RANGE", "OFF_GRID", "NO_COUNTER", "AUDIT");
        assertThat(said.err()).contains("seriatim: OFF_GRID: c: ", "seriatim: NO_COUNTER: e: ");
        assertThat(said.exitCode()).isEqualTo(7);
    }

    @Test
    void check_auditTrailThatDoesNotBelongToItsDefinition_isToldWith7() {
        for (String name : List.of("ahead", "behind", "damaged", "lies", "sound")) {
            run("define " + name);
            run("alter " + name + " --cache 5");
        }
        try (RocksDbStore store = RocksDbStore.open(data())) {
            put(store, "ahead", 3, "x");
            rewrite(store, "behind", Optional.empty());
            rewrite(store, "damaged", Optional.of("x"));
            rewrite(
                    store,
                    "lies",
                    Optional.of(store.listLedger(trail("lies"), 1, 1).get(0).entry()));
            put(store, "nobody", 1, "x");
        }

        Said said = run("check --json");

        assertThat(said.err().lines())
                .containsExactlyInAnyOrder(
                        "seriatim: AUDIT: ahead: an audit entry of a change that is not in the definition: index=3"
                                + " revision=2",
                        "seriatim: AUDIT: behind: audit entries are missing, or cannot be read: there are 2 of 3",
                        "seriatim: NOT_UNDERSTOOD: damaged: audit entry 3 of sequence damaged is not understood",
                        "seriatim: AUDIT: lies: the last audit entry does not tell of the definition that is there:"
                                + " action=define generation=1",
                        "seriatim: AUDIT: nobody: an audit entry of no definition: index=1");
        assertThat(said.exitCode()).isEqualTo(7);
        assertThat(run("audit damaged").err()).startsWith("seriatim: STORE_CORRUPT: ");
        assertThat(run("audit damaged").exitCode()).isEqualTo(7);
    }

    @Test
    void check_textsThatNobodyWrites_areToldWith7() {
        run("define orders");
        run("next orders --key k");
        try (RocksDbStore store = RocksDbStore.open(data())) {
            CounterRow row = moved(store, "orders", 1, 1);
            CounterRow damaged = new CounterRow(
                    row.key(), row.generation(), 0, 1, false, row.revision(), row.mark(), "4fd1a20c99b1e7d3", "");
            IdempotencyKey key = new IdempotencyKey(row.key().sequenceId(), "", "damaged");
            store.apply(Change.of(damaged).with(new IdempotencyRow(key, "next 1", Instant.EPOCH, row.mark())));
        }

        Said said = run("check --json");

        assertThat(said.codes()).containsExactly("NOT_UNDERSTOOD", "NOT_UNDERSTOOD");
        assertThat(said.err()).contains("seriatim: NOT_UNDERSTOOD: orders: ", "key damaged");
        assertThat(said.exitCode()).isEqualTo(7);
        Said next = run("next orders");
        assertThat(next.err()).startsWith("seriatim: STORE_CORRUPT: ");
        assertThat(next.exitCode()).isEqualTo(7);
    }

    /** Ledgers were counted, and nobody looked at what they say. */
    @Test
    void check_ledgerThatIsNotWhole_isToldWith7() {
        for (String name : List.of("ahead", "behind", "chain", "other", "sound", "text")) {
            run("define " + name + " --template A{year}-{seq} --reset yearly");
            run("next " + name + " -n 3");
            run("next " + name + " -n 2");
        }
        assertThat(run("check").exitCode()).isZero();
        try (RocksDbStore store = RocksDbStore.open(data())) {
            LedgerRow second = ledgerOf(store, "ahead").get(1);
            told(store, "ahead", account -> account, Optional.of(second.entry()));
            told(store, "behind", account -> account.replace("ledger 2 ", "ledger 3 "), Optional.empty());
            told(store, "chain", account -> account.replace("ledger 2 ", "ledger 3 "), Optional.of(second.entry()));
            told(store, "other", account -> account.replaceFirst("[0-9a-f]{64}", "0".repeat(64)), Optional.empty());
            told(store, "text", account -> account.replace("ledger 2 ", "ledger 3 "), Optional.of("x"));
        }

        Said said = run("check --json");

        String ledger = "the ledger of period '2026', scope '' ";
        assertThat(said.err().lines().map(line -> line.replaceAll("period '[0-9]+'", "period '2026'")))
                .containsExactlyInAnyOrder(
                        "seriatim: LEDGER: ahead: " + ledger + "has 3 entries, its counter knows of 2",
                        "seriatim: LEDGER: behind: " + ledger + "has 2 entries, its counter knows of 3",
                        "seriatim: LEDGER: chain: " + ledger + "does not follow from what is before: entry=3",
                        "seriatim: LEDGER: other: " + ledger + "does not follow from what is before: entry=2",
                        "seriatim: NOT_UNDERSTOOD: text: entry 3 of the ledger of period '2026', scope '' is not understood");
        assertThat(said.exitCode()).isEqualTo(7);
    }

    private static CounterRow yearly(RocksDbStore store, String name) {
        long id = store.findDefinition(name).orElseThrow().sequenceId();
        return store.listCounters(id, Optional.empty(), 10).stream()
                .filter(row -> !row.key().period().isEmpty())
                .findFirst()
                .orElseThrow();
    }

    private static List<LedgerRow> ledgerOf(RocksDbStore store, String name) {
        return store.listLedger(yearly(store, name).key(), 1, 10);
    }

    /** Writes the counter once more, with another account, and perhaps a third entry. */
    private static void told(RocksDbStore store, String name, UnaryOperator<String> account, Optional<String> third) {
        CounterRow row = yearly(store, name);
        CounterRow next = new CounterRow(
                row.key(),
                row.generation(),
                row.round(),
                row.highWaterMark(),
                row.fresh(),
                row.revision() + 1,
                row.mark(),
                row.openBlocks(),
                account.apply(row.account()));
        List<LedgerRow> entries =
                third.map(text -> new LedgerRow(row.key(), 3, text)).stream().toList();
        assertThat(store.apply(Change.of(next).with(entries))).isInstanceOf(WriteOutcome.Applied.class);
    }

    private static CounterKey trail(String name) {
        return new CounterKey(0, name, "");
    }

    private static void put(RocksDbStore store, String name, long index, String entry) {
        LedgerRow row = new LedgerRow(trail(name), index, entry);
        store.apply(new Change(Optional.empty(), Optional.empty(), List.of(row), Optional.empty()));
    }

    /** Writes the definition once more, with another entry or with none. */
    private static void rewrite(RocksDbStore store, String name, Optional<String> entry) {
        DefinitionRow row = store.findDefinition(name).orElseThrow();
        DefinitionRow next = new DefinitionRow(
                row.name(),
                row.sequenceId(),
                row.generation(),
                row.revision() + 1,
                row.options(),
                false,
                row.created(),
                row.modified(),
                row.mark());
        List<LedgerRow> entries = entry.map(text -> new LedgerRow(trail(name), next.revision(), text)).stream()
                .toList();
        store.apply(new Change(Optional.of(next), Optional.empty(), entries, Optional.empty()));
    }

    private static CounterRow moved(RocksDbStore store, String name, long generation, long mark) {
        CounterKey key = CounterKey.of(store.findDefinition(name).orElseThrow().sequenceId());
        long revision = store.findCounter(key).orElseThrow().revision();
        return new CounterRow(key, generation, 0, mark, false, revision + 1, new WriterMark(1, 1));
    }

    private static void move(RocksDbStore store, String name, long generation, long mark) {
        store.apply(Change.of(moved(store, name, generation, mark)));
    }

    @Test
    void check_flippedBytesInTheCounters_areToldWith7() throws IOException {
        run("define orders");
        run("next orders");
        flip("counters");

        Said said = run("check --json");

        assertThat(said.codes()).contains("DAMAGED");
        assertThat(said.exitCode()).isEqualTo(7);
    }

    @Test
    void check_flippedBytesInTheEventsOfALog_areToldWith7() throws IOException {
        assertThat(run("log define shop --partitions 1 --sequence shop.RecordID=200001 --type customer=CDoc")
                        .exitCode())
                .isZero();
        for (int i = 0; i < 3; i++) {
            assertThat(run("append shop 1 --kind shop --cud {\"type\":\"customer\",\"id\":1}")
                            .exitCode())
                    .isZero();
        }
        flip("events");

        Said said = run("check --json");

        assertThat(said.codes()).contains("DAMAGED");
        assertThat(said.exitCode()).isEqualTo(7);
    }

    /** Flips bits of the first row in the files of one of the store's families. */
    private void flip(String family) throws IOException {
        int flipped = 0;
        try (Stream<Path> files = Files.list(data().resolve("rocksdb"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".sst")).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                if (new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1).contains("name" + family)) {
                    bytes[8] ^= 0x55;
                    Files.write(file, bytes);
                    flipped++;
                }
            }
        }
        assertThat(flipped).isPositive();
    }

    /** It was said that PostgreSQL checks its own pages, which says nothing of rows that do not belong together. */
    @Test
    void check_database_isReadAsAFolderIs() throws SQLException {
        String name = "checked";
        String database = " --store postgresql --user postgres --url "
                + SharedPostgres.url().replace("/postgres", "/" + name);
        sql("postgres", "CREATE DATABASE " + name);
        try {
            for (String each : List.of("moved", "ledger", "sound")) {
                run("define " + each + " --template A{year}-{seq} --reset yearly" + database);
                run("next " + each + " -n 3" + database);
                run("next " + each + " -n 2" + database);
            }
            run("log define shop --partitions 1 --sequence shop.RecordID=200001 --type customer=CDoc" + database);
            for (int i = 0; i < 3; i++) {
                assertThat(run("append shop 1 --kind shop --cud {\"type\":\"customer\",\"id\":1,\"fields\":{}}"
                                        + database)
                                .exitCode())
                        .isZero();
            }
            Said sound = run("check --json" + database);
            assertThat(sound.exitCode()).as(sound.err()).isZero();
            assertThat(sound.json().path("definitions").asInt()).isEqualTo(3);
            assertThat(sound.json().path("ledger").asInt()).isGreaterThanOrEqualTo(9);
            assertThat(sound.json().path("events").asInt()).isEqualTo(3);

            String of =
                    " WHERE sequence_id = (SELECT sequence_id FROM seriatim.definition WHERE name = '%s') AND period <> ''";
            sql(name, "DELETE FROM seriatim.ledger" + of.formatted("ledger") + " AND index = 2");
            sql(name, "UPDATE seriatim.counter SET generation = 7, high_water_mark = -5" + of.formatted("moved"));
            sql(name, "DELETE FROM seriatim.log_event WHERE plog_offset = 2");
            Said said = run("check --json" + database);
            assertThat(said.exitCode()).isEqualTo(7);
            assertThat(said.err())
                    .contains("LEDGER: ledger: ")
                    .contains("GENERATION: moved: ")
                    .contains("HOLE: log shop, partition 0: ")
                    .doesNotContain("sound");
        } finally {
            sql("postgres", "DROP DATABASE " + name + " WITH (FORCE)");
        }
    }

    @Test
    void check_databaseWithRowsThatCannotBeRead_tellsWhichWith7() throws SQLException {
        String name = "unreadable";
        String database = " --store postgresql --user postgres --url "
                + SharedPostgres.url().replace("/postgres", "/" + name);
        sql("postgres", "CREATE DATABASE " + name);
        try {
            run("log define shop --partitions 1 --sequence shop.RecordID=200001 --type customer=CDoc" + database);
            for (int i = 0; i < 2; i++) {
                assertThat(run("append shop 1 --kind shop --cud {\"type\":\"customer\",\"id\":1}" + database)
                                .exitCode())
                        .isZero();
            }
            run("define orders" + database);
            run("next orders" + database);
            sql(name, "UPDATE seriatim.log_event SET body = body || '\\x00' WHERE plog_offset = 2");
            Said said = run("check --json" + database);
            assertThat(said.exitCode()).as(said.err()).isEqualTo(7);
            assertThat(said.err()).contains("DAMAGED: log shop, partition 0: ", "event 2");

            sql(name, "ALTER TABLE seriatim.counter ALTER COLUMN high_water_mark DROP NOT NULL");
            sql(name, "UPDATE seriatim.counter SET high_water_mark = NULL");
            Said rows = run("check --json" + database);
            assertThat(rows.exitCode()).as(rows.err()).isEqualTo(7);
            assertThat(rows.err()).contains("OUT_OF_RANGE: orders: ").doesNotContain("sound");
        } finally {
            sql("postgres", "DROP DATABASE " + name + " WITH (FORCE)");
        }
    }

    private static void sql(String database, String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        SharedPostgres.url().replace("/postgres", "/" + database), "postgres", "");
                Statement runs = connection.createStatement()) {
            runs.execute(statement);
        }
    }

    @Test
    void check_noFolderOrAServer_isRefused() {
        assertThat(run("check").exitCode()).isEqualTo(3);
        assertThat(data()).doesNotExist();
        assertThat(run("check --server http://127.0.0.1:1").exitCode()).isEqualTo(2);
    }

    // ---- bench

    private static void requireFigures(Said said, int count) {
        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(said.err()).isEmpty();
        JsonNode figures = said.json();
        double calls = figures.path("callsPerSecond").asDouble();
        assertThat(calls).isPositive();
        assertThat(figures.path("valuesPerSecond").asDouble()).isBetween(calls * count - count, calls * count + count);
        assertThat(figures.path("p50Micros").asDouble())
                .isPositive()
                .isLessThanOrEqualTo(figures.path("p999Micros").asDouble());
        assertThat(figures.path("maxMicros").asDouble())
                .isGreaterThanOrEqualTo(figures.path("p99Micros").asDouble());
    }

    @Test
    void bench_onAFolder_measuresAndUsesUpWhatItSays() {
        run("define orders");
        Said said = run("bench orders --seconds 1 --connections 4 --json");
        requireFigures(said, 1);
        assertThat(said.json().path("errors").isEmpty()).isTrue();
        long calls = said.json().path("calls").asLong() + 1; // the first only looks whether it works
        assertThat(run("show orders --json").json().path("lastValue").asLong()).isEqualTo(calls);
    }

    @Test
    void bench_onAServer_measures() throws IOException {
        try (Sequences sequences = Sequences.on(new MemoryCounterStore());
                HttpServer server =
                        HttpServer.start(sequences, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            run("define orders --server " + server.uri());
            requireFigures(run("bench orders --seconds 1 --connections 2 -n 3 --json --server " + server.uri()), 3);
        }
    }

    @Test
    void bench_sequenceThatEnds_countsTheErrorsByCode() {
        run("define small --max 100");
        Said said = run("bench small --seconds 1 --json");
        assertThat(said.json().path("calls").asLong()).isEqualTo(99);
        assertThat(said.json().path("errors").path("EXHAUSTED").asLong()).isPositive();
    }

    @Test
    void bench_nothingToMeasure_isRefused() {
        run("define orders");
        assertThat(run("bench missing").exitCode()).isEqualTo(3);
        assertThat(run("bench orders --seconds 0").exitCode()).isEqualTo(2);
        assertThat(run("bench orders --connections 1001").exitCode()).isEqualTo(2);
    }

    @Test
    void progress_onATerminal_growsAndIsTakenAway() {
        StringWriter err = new StringWriter();
        try (Progress progress = new Progress(new PrintWriter(err), true)) {
            progress.show(0.5, 1234);
        }
        assertThat(err.toString())
                .contains("#".repeat(20) + " ".repeat(20) + "]  50 % 1,234 calls")
                .endsWith("\r");
        StringWriter file = new StringWriter();
        try (Progress progress = new Progress(new PrintWriter(file), false)) {
            progress.show(0.5, 1);
        }
        assertThat(file.toString()).isEmpty();
    }
}
