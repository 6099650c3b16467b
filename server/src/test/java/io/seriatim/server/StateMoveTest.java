package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.seriatim.SequenceDefinition;
import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.application.ApplicationSettings;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.eventlog.application.Command;
import io.seriatim.eventlog.application.Event;
import io.seriatim.eventlog.application.NewRecord;
import io.seriatim.eventlog.application.Projector;
import io.seriatim.eventlog.application.RepairPendingException;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.postgresql.PostgresTransaction;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.rocksdb.RocksDbTransaction;
import io.seriatim.rocksdb.RocksDbTransactions;
import io.seriatim.rocksdb.RowFamily;
import io.seriatim.store.CounterKey;
import io.seriatim.store.DerivedRows;
import io.seriatim.store.EventHeader;
import io.seriatim.store.KeyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.StoreException;
import io.seriatim.store.Transaction;
import io.seriatim.store.TransactionalStore;
import io.seriatim.store.VersionedValue;
import io.seriatim.store.WriteMode;
import io.seriatim.store.WriterMark;
import io.seriatim.transaction.SequenceCatalogue;
import io.seriatim.transaction.TransactionalSequences;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Event logs and transactional sequences go with the rest, between a folder and a database. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StateMoveTest extends StoreCommands {

    private static final String DEFINE_SHOP = "log define shop --partitions 2 --sequence shop.RecordID=200001"
            + " --type order=ODoc --type customer=CDoc";
    private static final PartitionKey KEY = new PartitionKey(1, 0);

    // ---- what is moved

    private static String customer(long workspace, String name) {
        return "append shop " + workspace + " --kind shop --cud"
                + " {\"type\":\"customer\",\"id\":1,\"fields\":{\"name\":\"" + name + "\"}}";
    }

    /** Two partitions, four workspaces, records made and changed, keys, and an application that was deployed anew. */
    private void makeLogs(List<String> store) {
        done(store, DEFINE_SHOP);
        for (long workspace = 1; workspace <= 4; workspace++) {
            done(store, customer(workspace, "Ada") + " --key first");
            done(store, customer(workspace, "Bo"));
        }
        done(
                store,
                "append shop 1 --kind shop --argument {\"type\":\"order\",\"id\":1,\"fields\":{\"customer\":200001}}");
        done(
                store,
                "append shop 1 --kind shop --cud"
                        + " {\"type\":\"customer\",\"id\":200001,\"update\":true,\"fields\":{\"name\":\"Änne\"}}");
        done(store, DEFINE_SHOP + " --type item=ORecord");
        done(
                store,
                "append shop 2 --kind shop --argument {\"type\":\"order\",\"id\":1,\"fields\":{},\"children\":"
                        + "{\"items\":[{\"type\":\"item\",\"id\":2,\"fields\":{\"count\":2}}]}}");
    }

    /** What the next record of a workspace gets behind those of the makers here. */
    private static final Map<Integer, String> NEXT_IDS = Map.of(1, "1=200005", 2, "1=200005", 3, "1=200003");

    private record Failing() implements Projector {
        @Override
        public String name() {
            return "mail";
        }

        @Override
        public void apply(int partition, Event event) throws IOException {
            throw new IOException("the mail server does not answer");
        }
    }

    /** An operator lets an event pass, and takes the projector off. */
    private void skip(Path folder) {
        ApplicationSettings settings = ApplicationSettings.usual().withProjector("shop", new Failing());
        try (RocksDbStore store = RocksDbStore.open(folder);
                SystemEnvironment environment = new SystemEnvironment();
                Applications applications = Applications.on(store.eventLog(), settings, environment)) {
            var shop = applications.find("shop").orElseThrow();
            var partition = shop.partitionOf(1);
            RepairPendingException pending = catchThrowableOfType(
                    RepairPendingException.class,
                    () -> shop.append(
                            Command.in("shop", 1).create(NewRecord.of("customer", 1)), Duration.ofSeconds(20)));
            assertThat(partition
                            .skip(pending.appended().plogOffset(), "mail", "Ada", "the server is gone")
                            .join())
                    .isNotNull();
        }
        try (RocksDbStore store = RocksDbStore.open(folder);
                SystemEnvironment environment = new SystemEnvironment();
                Applications applications =
                        Applications.on(store.eventLog(), ApplicationSettings.usual(), environment)) {
            applications.giveUp("shop", "mail");
        }
    }

    /** One with a name, one dropped, one without a name, and one without a name that was deleted, the last of all. */
    private static long makeTransactional(TransactionalStore store, Transaction transaction) {
        TransactionalSequences sequences = TransactionalSequences.on(store);
        SequenceCatalogue catalogue = SequenceCatalogue.on(sequences);
        var unused = catalogue.define(transaction, "gone", SequenceDefinition.ascending());
        unused = catalogue.drop(transaction, "gone");
        var orders = catalogue.define(
                transaction, "orders", SequenceDefinition.ascending().max(100));
        assertThat(catalogue.generator(orders).next(transaction)).isEqualTo(1);
        assertThat(catalogue.generator(orders).next(transaction)).isEqualTo(2);
        long nameless = sequences.create();
        assertThat(sequences.put(transaction, nameless, -40, 3)).isNotNull();
        long last = sequences.create();
        sequences.delete(last);
        return nameless;
    }

    private static void goOnTransactional(TransactionalStore store, Transaction transaction, long nameless, long next) {
        TransactionalSequences sequences = TransactionalSequences.on(store);
        SequenceCatalogue catalogue = SequenceCatalogue.on(sequences);
        assertThat(catalogue.list(transaction, "", 10)).hasSize(1);
        var orders = catalogue.generator(transaction, "orders");
        assertThat(orders.definition().toString()).contains("max=100");
        assertThat(orders.next(transaction)).isEqualTo(next);
        assertThat(store.find(nameless)).contains(new VersionedValue(3, -40));
        assertThat(sequences.create()).as("behind the one that was deleted").isGreaterThan(nameless + 1);
    }

    private static Connection connectionTo(List<String> database) throws Exception {
        Connection connection = DriverManager.getConnection(database.get(3), "postgres", "");
        connection.setAutoCommit(false);
        return connection;
    }

    private static PostgresStore opened(List<String> database) {
        return PostgresStore.open(database.get(3), "postgres", "");
    }

    private Path path(String folder) {
        return temp.resolve(folder);
    }

    // ---- how it is compared

    /** The rows of a file but for the epochs, which rise with every move. */
    private Set<String> rowsBesideEpochs(String file) throws IOException {
        return rows(file).stream()
                .filter(line -> !line.startsWith("{\"epoch\""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private List<Long> epochs(String file) throws IOException {
        return rows(file).stream()
                .filter(line -> line.startsWith("{\"epoch\""))
                .map(line -> Long.parseLong(line.replaceAll(".*\"epoch\":(\\d+)}}", "$1")))
                .toList();
    }

    private void requireMoved(String from, String to) throws IOException {
        assertThat(rowsBesideEpochs(to)).isEqualTo(rowsBesideEpochs(from));
        List<Long> before = epochs(from);
        assertThat(epochs(to))
                .hasSameSizeAs(before)
                .allSatisfy(epoch -> assertThat(before).allMatch(earlier -> earlier < epoch));
        for (String kind : StateRow.KINDS) {
            assertThat(rows(from)).as(kind).anyMatch(line -> line.startsWith("{\"" + kind + "\""));
        }
    }

    private List<String> read(List<String> store) {
        List<String> read = new ArrayList<>();
        for (String words : List.of(
                "log list",
                "events shop --partition 0 --json",
                "events shop --partition 1 --json",
                "record shop 1 200001",
                "record shop 2 200004")) {
            read.add(done(store, words));
        }
        return read;
    }

    private void requireSound(List<String> store) {
        for (int partition = 0; partition < 2; partition++) {
            assertThat(done(store, "partition shop " + partition + " check")).contains("sound         true");
        }
    }

    // ---- the move

    @Test
    void move_ofLogsAndTransactions_folderToDatabaseAndBack_losesNothingAndGoesOn() throws Exception {
        List<String> first = folder("first");
        List<String> second = database("logs_there_and_back");
        List<String> third = folder("third");
        make(first);
        makeLogs(first);
        skip(path("first"));
        long nameless;
        try (RocksDbStore store = RocksDbStore.openForTransactions(path("first"));
                RocksDbTransaction transaction = store.transactions().begin()) {
            nameless = makeTransactional(store.transactions(), transaction);
            transaction.commit();
        }
        List<String> readBefore = read(first);

        done(first, "export " + at("one") + " --final");
        for (String command : List.of(customer(1, "Cy"), "events shop --partition 1", "next orders")) {
            Said refused = run(first, command);
            assertThat(refused.exitCode()).as(command).isEqualTo(7);
            assertThat(refused.err()).contains("MOVED_AWAY");
        }
        assertThat(catchThrowableOfType(
                                StoreException.class,
                                () -> RocksDbStore.openForTransactions(path("first"))
                                        .close())
                        .kind())
                .isEqualTo(StoreException.Kind.MOVED);
        done(second, "import-state " + at("one"));
        done(second, "export " + at("two"));
        requireMoved("one", "two");

        assertThat(read(second)).isEqualTo(readBefore);
        requireSound(second);
        assertThat(done(second, customer(2, "Ada") + " --key first"))
                .as("the first event under the key")
                .contains("wlogOffset  1");
        assertThat(done(second, customer(1, "Cy"))).contains(NEXT_IDS.get(1));
        assertThat(done(second, customer(2, "Cy"))).contains(NEXT_IDS.get(2));
        try (PostgresStore store = opened(second);
                Connection connection = connectionTo(second)) {
            PostgresTransaction transaction = store.transactions().on(connection);
            goOnTransactional(store.transactions(), transaction, nameless, 3);
            connection.commit();
        }

        done(second, "export " + at("three") + " --final");
        done(third, "import-state " + at("three"));
        done(third, "export " + at("four"));
        requireMoved("three", "four");
        requireSound(third);
        assertThat(done(third, "check")).contains("sound         true");
        assertThat(done(third, customer(3, "Cy"))).contains(NEXT_IDS.get(3));
        try (RocksDbStore store = RocksDbStore.openForTransactions(path("third"));
                RocksDbTransaction transaction = store.transactions().begin()) {
            goOnTransactional(store.transactions(), transaction, nameless, 4);
            transaction.commit();
        }
    }

    @Test
    void move_ofLogsAndTransactions_databaseToFolderAndBack_losesNothingAndGoesOn() throws Exception {
        List<String> first = database("logs_from_here");
        List<String> second = folder("second");
        List<String> third = database("logs_to_there");
        make(first);
        makeLogs(first);
        long nameless;
        try (PostgresStore store = opened(first);
                Connection connection = connectionTo(first)) {
            nameless =
                    makeTransactional(store.transactions(), store.transactions().on(connection));
            connection.commit();
        }
        List<String> readBefore = read(first);
        done(first, "export " + at("one") + " --final");
        done(second, "import-state " + at("one"));
        skip(path("second"));
        done(second, "export " + at("two") + " --final");
        assertThat(rowsBesideEpochs("two"))
                .as("skip has changed some")
                .hasSizeGreaterThan(rowsBesideEpochs("one").size());
        done(third, "import-state " + at("two"));
        done(third, "export " + at("three"));
        requireMoved("two", "three");
        assertThat(read(third).get(3)).isEqualTo(readBefore.get(3));
        requireSound(third);
        assertThat(done(third, customer(1, "Cy"))).contains(NEXT_IDS.get(1));
        try (PostgresStore store = opened(third);
                Connection connection = connectionTo(third)) {
            goOnTransactional(store.transactions(), store.transactions().on(connection), nameless, 3);
            connection.commit();
        }
    }

    /** A server that owns the partitions, and a transaction of a user, find that everything went away. */
    @Test
    void exportFinal_ofADatabaseWithOwners_fencesThem() throws Exception {
        List<String> store = database("owned");
        try (Serving server = Serving.start(serving(store));
                PostgresStore other = opened(store);
                Connection connection = connectionTo(store)) {
            List<String> there = List.of("--server", server.uri().toString());
            done(there, DEFINE_SHOP);
            done(there, customer(1, "Ada"));
            done(store, "export " + at("file") + " --final");
            Said refused = run(there, customer(1, "Bo"));
            assertThat(refused.exitCode()).isEqualTo(7);
            assertThat(refused.err()).contains("MOVED_AWAY");
            StoreException put = catchThrowableOfType(
                    StoreException.class,
                    () -> other.transactions().put(other.transactions().on(connection), 1, new VersionedValue(1, 1)));
            assertThat(put.kind()).isEqualTo(StoreException.Kind.MOVED);
        }
        done(folder("new"), "import-state " + at("file"));
        assertThat(done(folder("new"), customer(1, "Bo"))).contains("plogOffset  2", "1=200002");
    }

    /** Rows that the others rest on are gone: what is left must not be taken for all, and the store goes nowhere. */
    @Test
    void exportFinal_ofADatabaseWhoseRowsDoNotBelongTogether_isRefusedAndMovesNothing() throws Exception {
        List<String> tables = List.of("log_workspace", "log_partition", "transactional_sequence");
        for (String table : tables) {
            List<String> store = database("torn_" + table);
            done(store, "define orders");
            done(store, DEFINE_SHOP);
            done(store, customer(1, "Ada"));
            try (PostgresStore opened = opened(store);
                    Connection connection = connectionTo(store);
                    var statement = connection.createStatement()) {
                long unused = makeTransactional(
                        opened.transactions(), opened.transactions().on(connection));
                statement.execute("DELETE FROM seriatim." + table);
                connection.commit();
            }
            Said refused = run(store, "export " + at("file") + " --final");
            assertThat(refused.exitCode()).as(table).isEqualTo(7);
            assertThat(refused.err()).contains("STORE_CORRUPT");
            assertThat(path("file")).doesNotExist();
            assertThat(path("file.part")).doesNotExist();
            assertThat(done(store, "next orders")).isEqualTo("1\n");
        }
    }

    @Test
    void export_ofRowsOfTheUser_isRefusedByNameAndMovesNothing() throws Exception {
        try (RocksDbStore store = RocksDbStore.openForTransactions(path("first"))) {
            RowFamily family = store.transactions().family("books");
            store.transactions().family("empty");
            put(store.transactions(), family);
        }
        Said refused = run(folder("first"), "export " + at("file") + " --final");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("left behind", "books").doesNotContain("empty");
        assertThat(path("file")).doesNotExist();
        done(folder("first"), "define orders");
    }

    private static void put(RocksDbTransactions transactions, RowFamily family) {
        try (RocksDbTransaction transaction = transactions.begin()) {
            transaction.put(family, new byte[] {1}, new byte[] {2});
            transaction.commit();
        }
    }

    /** Events of the greatest length, of any bytes, and more of them than are read or written at once. */
    @Test
    void move_ofTheLongestEvents_keepsEveryByte() throws Exception {
        Random random = new Random(4711);
        List<LogEvent> events = new ArrayList<>();
        for (long offset = 1; offset <= 3; offset++) {
            byte[] body = new byte[LogEvent.MAX_BODY_BYTES - (int) offset];
            random.nextBytes(body);
            events.add(event(offset, body));
        }
        for (long offset = 4; offset <= 5_000; offset++) {
            events.add(event(offset, Long.toString(offset).getBytes(StandardCharsets.UTF_8)));
        }
        try (RocksDbStore store = RocksDbStore.open(path("first"))) {
            PartitionStore partition = store.eventLog().partition(KEY);
            long epoch = partition.take();
            for (int at = 0; at < events.size(); at += 500) {
                List<LogEvent> some = events.subList(at, Math.min(events.size(), at + 500));
                assertThat(partition.append(epoch, WriteMode.INSERT_IF_ABSENT, some))
                        .isInstanceOf(LogOutcome.Applied.class);
            }
        }
        List<String> second = database("longest");
        done(folder("first"), "export " + at("one") + " --final");
        done(second, "import-state " + at("one"));
        done(second, "export " + at("two") + " --final");
        done(folder("third"), "import-state " + at("two"));
        try (RocksDbStore store = RocksDbStore.open(path("third"))) {
            PartitionStore partition = store.eventLog().partition(KEY);
            List<LogEvent> found = new ArrayList<>();
            while (found.size() < events.size()) {
                found.addAll(partition.events(found.size() + 1, 1_000));
            }
            assertThat(found.equals(events)).isTrue();
            List<Long> replayed = new ArrayList<>();
            partition.replay(
                    1,
                    10_000,
                    (offset, epoch, workspace, kind, writer, write, count, sequences, values) -> replayed.add(offset));
            assertThat(replayed).hasSize(events.size()).isSorted();
        }
    }

    private static LogEvent event(long offset, byte[] body) {
        return new LogEvent(
                offset,
                1,
                new EventHeader(
                        offset % 7, 1, new WriterMark(3, offset), "", new int[] {0, 1}, new long[] {offset, offset}),
                body);
    }

    @Test
    void importState_damagedFileOfLogs_leavesNothingBehind() throws Exception {
        makeLogs(folder("first"));
        done(folder("first"), "export " + at("good") + " --final");
        byte[] good = Files.readAllBytes(path("good"));
        Random random = new Random(4711);
        for (int at = 0; at < good.length; at += 101) {
            byte[] flipped = good.clone();
            flipped[at] ^= (byte) (1 << random.nextInt(8));
            requireRefused(flipped);
        }
        requireRefused(Arrays.copyOf(good, good.length / 2));
        assertThat(path("second")).doesNotExist();
        List<String> second = database("not_damaged");
        done(second, "list");
        assertThat(run(second, "import-state " + Files.write(path("bad"), Arrays.copyOf(good, good.length - 9)))
                        .exitCode())
                .isEqualTo(7);
        done(second, "import-state " + at("good"));
    }

    private void requireRefused(byte[] bad) throws IOException {
        Said said = run(folder("second"), "import-state " + Files.write(path("bad"), bad));
        assertThat(said.exitCode()).as(said.err()).isEqualTo(7);
        assertThat(said.err()).contains("STORE_CORRUPT");
    }

    /** What a database cannot hold is refused when it comes, and a folder still takes the file. */
    @Test
    void importState_ofARowThatTheDatabaseCannotHold_leavesNothingBehind() throws Exception {
        makeLogs(folder("first"));
        done(folder("first"), customer(1, "Cy"));
        try (RocksDbStore store = RocksDbStore.open(path("first"))) {
            PartitionStore partition = store.eventLog().partition(new PartitionKey(9, 0));
            long epoch = partition.take();
            DerivedRows rows = DerivedRows.under(WriteMode.PUT)
                    .withRecords(List.of(), List.of(), List.of(), List.of(new KeyRow(1, "k".repeat(3_000), 1)));
            assertThat(partition.derive(epoch, rows)).isInstanceOf(LogOutcome.Applied.class);
        }
        done(folder("first"), "export " + at("file") + " --final");
        List<String> second = database("too_narrow");
        Said refused = run(second, "import-state " + at("file"));
        assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
        assertThat(refused.err()).contains("BAD_REQUEST", "cannot hold");
        assertThat(done(second, "log list")).isEmpty();
        done(folder("third"), "import-state " + at("file"));
    }

    // ---- a process that is killed

    private static final int MANY = 60_000;

    private void writeMany() throws IOException {
        StateFile unused = StateFile.write(path("many"), Instant.now(), true, taker -> {
            taker.epoch(KEY, 1);
            for (long offset = 1; offset <= MANY; offset++) {
                taker.event(KEY, event(offset, new byte[100]));
                taker.ledger(new LedgerRow(CounterKey.of(5), offset, "entry"));
            }
        });
    }

    private void killWhen(List<String> store, BooleanSupplier inTheMiddle) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                "io.seriatim.server.Main",
                "import-state",
                at("many")));
        command.addAll(store);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(path("said").toFile())
                .start();
        try {
            while (!inTheMiddle.getAsBoolean()) {
                assertThat(process.isAlive())
                        .as(() -> "it ended before: " + path("said"))
                        .isTrue();
                TimeUnit.MILLISECONDS.sleep(5);
            }
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.waitFor()).as("killed").isEqualTo(128 + 9);
    }

    @Test
    void importState_killedInTheMiddle_leavesAFolderThatTakesItAgain() throws Exception {
        writeMany();
        Path tables = path("second.part").resolve("rocksdb");
        killWhen(folder("second"), () -> length(tables) > 1 << 20);
        assertThat(path("second")).doesNotExist();
        assertThat(path("second.part")).exists();
        assertThat(done(folder("second"), "import-state " + at("many"))).contains("event     " + MANY);
        assertThat(path("second.part")).doesNotExist();
    }

    private static long length(Path folder) {
        try (var files = Files.list(folder)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        } catch (IOException e) {
            return 0; // not there yet, or a file of it just went
        }
    }

    @Test
    void importState_killedInTheMiddle_leavesADatabaseThatTakesItAgain() throws Exception {
        writeMany();
        List<String> second = database("killed");
        done(second, "list");
        try (Connection connection = DriverManager.getConnection(second.get(3), "postgres", "");
                var statement = connection.createStatement()) {
            killWhen(second, () -> {
                try (var size = statement.executeQuery("SELECT pg_relation_size('seriatim.log_event') > 1000000")) {
                    return size.next() && size.getBoolean(1);
                } catch (java.sql.SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            try (var rows = statement.executeQuery(
                    "SELECT (SELECT count(*) FROM seriatim.log_event) + (SELECT count(*) FROM seriatim.ledger)")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getLong(1)).isZero();
            }
        }
        assertThat(done(second, "import-state " + at("many"))).contains("event     " + MANY);
    }
}
