package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.Sequences;
import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.application.ApplicationSettings;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.eventlog.application.Event;
import io.seriatim.eventlog.application.Projector;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.server.CommandLineTest.Said;
import io.seriatim.store.DerivedRows;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RecordRow;
import io.seriatim.store.WriteMode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** The commands on event logs, on a local folder and on a server. The live tail of a server is in {@link EventTailIT}. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LogCommandsTest {

    private static final String DEFINE_SHOP = "log define shop --partitions 2 --sequence shop.RecordID=200001"
            + " --type order=ODoc --type item=ORecord --type customer=CDoc";
    private static final String SHOP = """
            {"partitions":2,"kinds":{"shop":{"sequences":{"RecordID":200001}}},
             "types":{"order":{"kind":"ODoc"},"item":{"kind":"ORecord"},"customer":{"kind":"CDoc"}}}""";
    private static final String APPEND_ORDER = "append shop 1 --kind shop"
            + " --argument {\"type\":\"order\",\"id\":1,\"fields\":{\"customer\":{\"ref\":4}},"
            + "\"children\":{\"items\":[{\"type\":\"item\",\"id\":2,\"fields\":{\"name\":\"tea\",\"count\":2}}]}}"
            + " --cud {\"type\":\"customer\",\"id\":4,\"fields\":{\"name\":\"Ada\"}}";
    private static final String CUSTOMER =
            "{\"kind\":\"shop\",\"cuds\":[{\"type\":\"customer\",\"id\":1,\"fields\":{\"name\":\"Bo\"}}]}";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private Path data() {
        return folder.resolve("data");
    }

    private static Said run(Map<String, String> environment, String in, String words) {
        StringWriter out = new StringWriter();
        return run(environment, in, words, out, new PrintWriter(out));
    }

    private static Said run(
            Map<String, String> environment, String in, String words, StringWriter out, PrintWriter printer) {
        StringWriter err = new StringWriter();
        CommandLine commandLine =
                Main.commandLine(environment, new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)));
        commandLine.setOut(printer).setErr(new PrintWriter(err));
        int exitCode = commandLine.execute(words.split(" "));
        return new Said(exitCode, out.toString(), err.toString());
    }

    private Said local(String words) {
        return run(Map.of("SERIATIM_DATA", data().toString()), "", words);
    }

    private static Said remote(HttpServer server, String words) {
        return run(Map.of("SERIATIM_SERVER", server.uri().toString()), "", words);
    }

    private static HttpServer serve(EventLogStore logs, ApplicationSettings settings, SystemEnvironment environment)
            throws IOException {
        return HttpServer.start(
                Sequences.on(new MemoryCounterStore()),
                Applications.on(logs, settings, environment),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private static String shown(Said said) {
        return (said.exitCode() + "\n" + said.out() + said.err())
                .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
                .replaceAll(
                        "(epoch|owner|checkpoint|cache|lastActualize)( +|\":)(\\{.*?\\}|\"\\w+\"|[\\w=,-]+)", "$1$2N")
                .replaceAll(" +", " ");
    }

    @Test
    void commands_onAFolderAndOnAServer_printTheSame() throws IOException {
        List<String> script = List.of(
                DEFINE_SHOP,
                "log define shop --partitions 3",
                "log define other --partitions 1 --kind plain --sequence till.No=1..9 --sequence till.RecordID=200001"
                        + " --type settings=CDoc:singleton --type receipt=ODoc:RecordID",
                "log list",
                APPEND_ORDER + " --key order-1",
                APPEND_ORDER + " --key order-1 --json",
                "append shop 1 --kind shop --cud"
                        + " {\"type\":\"customer\",\"id\":200003,\"update\":true,\"fields\":{\"name\":\"Bo\"}}",
                "append shop 3 --kind shop --cud {\"type\":\"customer\",\"id\":1} --cud {\"type\":\"customer\",\"id\":2}",
                "append shop 1 --kind market --cud {\"type\":\"customer\",\"id\":1}",
                "events shop --partition 1",
                "events shop --workspace 3 --json",
                "record shop 1 200002",
                "partition shop 1",
                "actualize shop 1 --json",
                "log drop shop",
                "events shop --partition 1 --json",
                DEFINE_SHOP + " --json",
                "events shop --partition 1 --from 2 --limit 1");
        List<String> onFolder = new ArrayList<>();
        List<String> onServer = new ArrayList<>();
        try (SystemEnvironment environment = new SystemEnvironment();
                HttpServer server = serve(new MemoryEventLogStore(), ApplicationSettings.usual(), environment)) {
            for (String words : script) {
                onFolder.add(words + "\n" + shown(local(words)));
                onServer.add(words + "\n" + shown(remote(server, words)));
            }
        }
        assertThat(onServer).isEqualTo(onFolder);
        assertThat(onFolder.get(2)).endsWith("""

                        0
                        name other
                        id 2
                        partitions 1
                        kind plain -
                        kind till No=1..9, RecordID=200001
                        type settings CDoc:singleton
                        type receipt ODoc:RecordID
                        """);
        assertThat(onFolder.get(3)).endsWith("\n0\nname partitions\nother 1\nshop 2\n");
        assertThat(onFolder.get(4))
                .endsWith("\n0\npartition 1\nplogOffset 1\nwlogOffset 1\nids 1=200001,2=200002,4=200003\n");
        assertThat(onFolder.get(5))
                .as("the same event again")
                .endsWith("\n0\n{\"partition\":1,\"plogOffset\":1,\"wlogOffset\":1,"
                        + "\"ids\":{\"1\":200001,\"2\":200002,\"4\":200003}}\n");
        assertThat(onFolder.get(9)).endsWith("""

                        0
                        1 TIME shop 1 order 200001, item 200002, customer 200003
                        2 TIME shop 1 update customer 200003
                        3 TIME shop 3 customer 200001, customer 200002
                        """);
        assertThat(onFolder.get(10)).as("its own offsets").contains("\n0\n{\"plogOffset\":3,", "\"wlogOffset\":1,");
        assertThat(onFolder.get(11)).contains("fields name=tea,count=2\n", "parent 200001\n");
        assertThat(onFolder.get(12)).contains("\n0\npartition 1\nstatus ready\n", "durableOffset 3\n");
        assertThat(onFolder.get(14)).contains("\n0\nseriatim: log shop is served no longer; its events stay");
        assertThat(onFolder.get(17)).as("the data has stayed").endsWith("\n0\n2 TIME shop 1 update customer 200003\n");
    }

    @Test
    void call_thatIsRefused_isOneSentenceAndAnExitCode() throws IOException {
        try (SystemEnvironment environment = new SystemEnvironment();
                HttpServer server = serve(new MemoryEventLogStore(), ApplicationSettings.usual(), environment)) {
            remote(server, DEFINE_SHOP);
            remote(server, APPEND_ORDER + " --key order-1");
            assertRefused(server, "log define Shop --partitions 3", 3, "NAME_CASE");
            assertRefused(server, "log define shop --partitions 3", 3, "ALREADY_EXISTS");
            assertRefused(server, "log define a/b --partitions 3", 2, "BAD_NAME");
            assertRefused(server, "log show nope", 3, "NOT_FOUND");
            assertRefused(server, "log drop nope", 3, "NOT_FOUND");
            assertRefused(server, "log list --limit x", 2, "BAD_REQUEST");
            String customer = " --kind shop --cud {\"type\":\"customer\",\"id\":1}";
            assertRefused(server, "append shop 1" + customer + " --key order-1", 2, "KEY_REUSED");
            assertRefused(server, "append shop 1" + customer.replace("customer", "custmer"), 2, "UNKNOWN_TYPE");
            assertRefused(server, "append shop 1" + customer.replace("1", "0"), 2, "BAD_RAW_ID");
            assertRefused(server, "append shop 1" + customer.replace("kind shop", "kind market"), 2, "BAD_REQUEST");
            assertRefused(server, "append shop x" + customer, 2, "BAD_REQUEST");
            assertRefused(server, "append nope 1" + customer, 3, "NOT_FOUND");
            assertRefused(server, "events shop --partition 2", 3, "NOT_FOUND");
            assertRefused(server, "record shop 3 200002", 3, "NOT_FOUND");
            assertRefused(server, "record shop 1 x", 2, "BAD_REQUEST");
            assertRefused(server, "actualize shop 7", 3, "NOT_FOUND");
            assertRefused(server, "partition nope 0 actualize", 3, "NOT_FOUND");
            assertThat(remote(server, "events shop --partition 1 --from 99")).isEqualTo(new Said(0, "", ""));
            assertThat(remote(server, "events shop --workspace 77")).isEqualTo(new Said(0, "", ""));
            Said limited = remote(server, "log list --after a --prefix s --limit 1");
            assertThat(limited.out()).isEqualTo("name  partitions\nshop  2\n");
        }
    }

    private static void assertRefused(HttpServer server, String words, int exitCode, String code) {
        Said said = remote(server, words);
        assertThat(said.exitCode()).as(words + said.err()).isEqualTo(exitCode);
        assertThat(said.err()).as(words).startsWith("seriatim: " + code + ": ").hasLineCount(1);
        assertThat(said.out()).as(words).isEmpty();
        JsonNode problem = Calls.json(remote(server, words + " --json").out());
        assertThat(problem.path("code").asString()).as(words).isEqualTo(code);
    }

    @Test
    void define_fromAFileOrStdin_isThatOfTheOptions() throws IOException {
        Path file = Files.writeString(folder.resolve("shop.json"), SHOP);
        Said byOptions = local(DEFINE_SHOP);
        assertThat(local("log define shop --file " + file)).isEqualTo(byOptions);
        assertThat(run(Map.of("SERIATIM_DATA", data().toString()), SHOP, "log define shop --file -"))
                .isEqualTo(byOptions);
        assertThat(byOptions.exitCode()).isZero();
    }

    @Test
    void append_ofLines_answersEachAndStopsAtTheFirstThatIsRefused() throws IOException {
        local(DEFINE_SHOP);
        String lines =
                CUSTOMER + "\n\n" + CUSTOMER + "\n" + CUSTOMER.replace("customer", "custmer") + "\n" + CUSTOMER + "\n";
        Map<String, String> environment = Map.of("SERIATIM_DATA", data().toString());

        Said said = run(environment, lines, "append shop 1 --lines - --key night");

        assertThat(said.out()).isEqualTo("1 1 1 1=200001\n1 2 2 1=200002\n");
        assertThat(said.err()).startsWith("seriatim: line 4: UNKNOWN_TYPE: ").hasLineCount(1);
        assertThat(said.exitCode()).isEqualTo(2);
        Path mended = Files.writeString(folder.resolve("lines"), lines.replace("custmer", "customer"));

        Said again = run(environment, "", "append shop 1 --key night --json --lines " + mended);

        assertThat(again.err())
                .as("with the key what is there already is not appended again")
                .isEmpty();
        assertThat(again.out()
                        .lines()
                        .map(line -> Calls.json(line).path("plogOffset").asLong()))
                .containsExactly(1L, 2L, 3L, 4L);
        assertThat(local("events shop --partition 1").out()).hasLineCount(4);
    }

    @Test
    void append_ofAFile_takesItWhole() throws IOException {
        local(DEFINE_SHOP);
        Path file = Files.writeString(folder.resolve("command.json"), CUSTOMER.replace(",", ",\n"));
        assertThat(local("append shop 0 --file " + file).out()).contains("ids         1=200001\n");
        assertThat(run(Map.of("SERIATIM_DATA", data().toString()), CUSTOMER, "append shop -2 --file -")
                        .out())
                .contains("plogOffset  2\n");
        assertThat(local("events shop --workspace -2").out()).contains(" shop -2 customer 200001\n");
    }

    @Test
    void fields_withNumbersThatNoDoubleHolds_keepTheirDigits() {
        local(DEFINE_SHOP);
        String digits = "1234567890".repeat(99) + ".5";
        local("append shop 0 --kind shop --cud {\"type\":\"customer\",\"id\":1,\"fields\":"
                + "{\"price\":10.50,\"tiny\":1E-400,\"much\":" + digits + "}}");
        String json = "\"fields\":{\"price\":10.50,\"tiny\":1E-400,\"much\":" + digits + "}";
        assertThat(local("events shop --workspace 0 --json").out()).contains(json);
        assertThat(local("record shop 0 200001 --json").out()).contains(json);
        assertThat(local("record shop 0 200001").out()).contains("price=10.50,tiny=1E-400,much=" + digits + "\n");
    }

    @Test
    void usage_thatIsWrong_namesTheOption() throws IOException {
        Path latin = Files.write(folder.resolve("latin"), new byte[] {'{', (byte) 0xe4, '}'});
        assertUsage("log", "define, show, list or drop");
        assertUsage("log define shop --sequence RecordID=1", "--sequence", "KIND.NAME=INITIAL[..MAX]");
        assertUsage("log define shop --sequence shop.RecordID", "--sequence");
        assertUsage("log define shop --sequence a.b=1 --sequence a.b=2", "--sequence a.b is given twice");
        assertUsage("log define shop --type order", "--type");
        assertUsage("log define shop --type order=ODoc:a:b", "--type");
        assertUsage("log define shop --type a=ODoc --type a=CDoc", "--type a is given twice");
        assertUsage("log define shop --file nowhere --partitions 1", "--file has the whole definition");
        assertUsage("log define shop --file nowhere", "--file must name a text file", "nowhere");
        assertUsage("log define shop --file " + latin, "--file must name a text file in UTF-8");
        assertUsage("append shop 1", "--kind with --argument or --cud, --file, --lines");
        assertUsage("append shop 1 --kind shop --lines -", "one of");
        assertUsage("append shop 1 --cud {}", "need --kind");
        assertUsage("append shop 1 --kind shop --argument {\"a\":", "--argument is not JSON");
        assertUsage("append shop 1 --kind shop --argument {}{}", "--argument must be one JSON object");
        assertUsage("append shop 1 --kind shop --cud [1]", "--cud must be one JSON object");
        assertUsage("append shop 1 --lines nowhere", "--lines must name a text file");
        assertUsage("events shop", "one of --partition and --workspace");
        assertUsage("events shop --partition 1 --workspace 1", "one of --partition and --workspace");
        assertUsage("events shop --partition 1 --from 0", "--from must be from 1");
        assertUsage("events shop --partition 1 --limit many", "--limit must be an integer");
        assertUsage("partition shop -1", "0 on");
        assertUsage("partition shop 1 mend", "mend");
        assertThat(data()).doesNotExist();
        assertThat(local("log define shop").err())
                .startsWith("seriatim: BAD_REQUEST: ")
                .contains("partitions");
    }

    private void assertUsage(String words, String... sentences) {
        Said said = local(words);
        assertThat(said.exitCode()).as(words).isEqualTo(2);
        assertThat(said.err()).as(words).startsWith("seriatim: BAD_REQUEST: ").contains(sentences);
    }

    @Test
    void follow_ofAFolder_isRefused() {
        local(DEFINE_SHOP);
        assertUsage("events shop --partition 1 --follow", "--follow needs --server");
    }

    @Test
    void follow_goesOnWhenTheLogIsRedeployed_andEndsWhenItIsDropped() throws Exception {
        try (SystemEnvironment environment = new SystemEnvironment();
                HttpServer server = serve(new MemoryEventLogStore(), ApplicationSettings.usual(), environment)) {
            remote(server, DEFINE_SHOP);
            remote(server, APPEND_ORDER);
            assertThat(remote(server, "events shop --partition 1 --follow --limit 1")
                            .out())
                    .startsWith("1 ")
                    .hasLineCount(1);
            StringWriter out = new StringWriter();
            CompletableFuture<Said> following = CompletableFuture.supplyAsync(() -> run(
                    Map.of("SERIATIM_SERVER", server.uri().toString()),
                    "",
                    "events shop --workspace 1 -f",
                    out,
                    new PrintWriter(out)));
            awaitLines(out, 1);
            assertThat(remote(server, DEFINE_SHOP + " --type supplier=CDoc").exitCode())
                    .isZero();
            while (remote(server, APPEND_ORDER).exitCode() == ExitCode.TRY_AGAIN) {
                Thread.onSpinWait();
            }
            awaitLines(out, 2);
            assertThat(remote(server, "log drop shop").exitCode()).isZero();

            Said said = following.get();

            assertThat(said.exitCode()).isEqualTo(3);
            assertThat(said.err()).contains("seriatim: NOT_FOUND: ");
            assertThat(said.out().lines().map(line -> line.split(" ")[0])).containsExactly("1", "2");
        }
    }

    private static void awaitLines(StringWriter out, int count) {
        while (out.toString().lines().count() < count) {
            Thread.onSpinWait();
        }
    }

    @Test
    void folderInUse_isTryAgainWithTheAdvice() {
        local(DEFINE_SHOP);
        try (RocksDbStore store = RocksDbStore.open(data())) {
            assertThat(store.failure()).isEmpty();
            for (String words : List.of(
                    "log list",
                    "append shop 1 --lines -",
                    APPEND_ORDER,
                    "events shop --partition 1",
                    "events shop --partition 1 --follow",
                    "record shop 1 1",
                    "partition shop 1",
                    "partition shop 1 check",
                    "actualize shop 1")) {
                Said said = local(words);
                assertThat(said.exitCode()).as(words).isEqualTo(5);
                assertThat(said.err()).as(words).contains("give its address with --server");
            }
        }
        Said nobody = run(Map.of(), "", "events shop --partition 1 --follow --server http://127.0.0.1:1");
        assertThat(nobody.exitCode()).isEqualTo(5);
        assertThat(nobody.err()).contains("no server answers");
    }

    @Test
    void folderThatIsNotThere_isNotFound() {
        assertThat(local("log list").exitCode()).isEqualTo(3);
        assertThat(local("events shop --workspace 1").exitCode()).isEqualTo(3);
        assertThat(local("partition shop 1 check").exitCode()).isEqualTo(3);
    }

    @Test
    void sequenceAtItsMax_isExhausted() {
        local("log define shop --partitions 1 --sequence shop.RecordID=200001..200001 --type customer=CDoc");
        assertThat(local("append shop 0 --kind shop --cud {\"type\":\"customer\",\"id\":1}")
                        .exitCode())
                .isZero();
        Said said = local("append shop 0 --kind shop --cud {\"type\":\"customer\",\"id\":1}");
        assertThat(said.exitCode()).isEqualTo(4);
        assertThat(said.err()).startsWith("seriatim: EXHAUSTED: ");
        assertThat(local("events shop --partition 0").out()).hasLineCount(1);
    }

    @Test
    void partitionWithAnotherOwner_isFenced() throws IOException {
        EventLogStore logs = new MemoryEventLogStore();
        try (SystemEnvironment environment = new SystemEnvironment();
                HttpServer server = serve(logs, ApplicationSettings.usual(), environment)) {
            remote(server, DEFINE_SHOP);
            assertThat(remote(server, APPEND_ORDER).exitCode()).isZero();
            assertThat(logs.partition(new PartitionKey(1, 1)).take()).isPositive();

            Said said = remote(server, APPEND_ORDER);
            while (said.exitCode() == ExitCode.TRY_AGAIN) { // nothing happened, and nobody has looked yet who came
                said = remote(server, APPEND_ORDER);
            }

            assertThat(said.exitCode()).as(said.err()).isEqualTo(6);
            assertThat(said.err()).startsWith("seriatim: FENCED: ");
        }
    }

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

    @Test
    void eventThatCouldNotBeApplied_is7AndNotTryAgain() throws IOException {
        ApplicationSettings settings = ApplicationSettings.usual().withProjector("shop", new Failing());
        try (SystemEnvironment environment = new SystemEnvironment();
                HttpServer server = serve(new MemoryEventLogStore(), settings, environment)) {
            remote(server, DEFINE_SHOP);

            Said said = remote(server, APPEND_ORDER);

            assertThat(said.exitCode()).isEqualTo(7);
            assertThat(said.err()).startsWith("seriatim: REPAIR_PENDING: ");
            assertThat(remote(server, "events shop --partition 1").out())
                    .as("it is in the log")
                    .hasLineCount(1);
            assertThat(remote(server, "partition shop 1").out()).contains("status         behind\n");
            assertThat(remote(server, "actualize shop 1").exitCode()).isEqualTo(7);
        }
    }

    @Test
    void eventsThatCannotBeWritten_areNoSuccess() throws IOException {
        local(DEFINE_SHOP);
        local(APPEND_ORDER);
        Writer closed = Writer.nullWriter();
        closed.close();
        Map<String, String> environment = Map.of("SERIATIM_DATA", data().toString());
        Said events = run(environment, "", "events shop --partition 1", new StringWriter(), new PrintWriter(closed));
        assertThat(events.exitCode()).isEqualTo(1);
        assertThat(events.err()).isEqualTo("seriatim: the event at offset 1 could not be written to stdout\n");

        Said lines = run(
                environment,
                CUSTOMER + "\n" + CUSTOMER + "\n",
                "append shop 1 --lines -",
                new StringWriter(),
                new PrintWriter(closed));

        assertThat(lines.exitCode()).isEqualTo(1);
        assertThat(lines.err()).startsWith("seriatim: line 1 was carried out, but its answer");
        assertThat(local("events shop --partition 1").out()).hasLineCount(2);
    }

    // ---- check and rebuild

    /** Writes another record over one, as a hand or a fault might. */
    private void spoil(long workspace, long id) {
        try (RocksDbStore store = RocksDbStore.open(data())) {
            PartitionStore partition = store.eventLog().partition(new PartitionKey(1, 1));
            RecordRow row = partition.record(workspace, id).orElseThrow();
            RecordRow other = new RecordRow(
                    workspace,
                    id,
                    row.type(),
                    row.plogOffset(),
                    row.wlogOffset(),
                    "{}".getBytes(StandardCharsets.UTF_8));
            assertThat(partition.derive(
                            partition.epoch(),
                            DerivedRows.under(WriteMode.PUT)
                                    .withRecords(List.of(), List.of(other), List.of(), List.of())))
                    .isEqualTo(LogOutcome.Applied.APPLIED);
        }
    }

    @Test
    void check_ofALog_holdsRecordsAgainstTheLogUntilRebuild() {
        local(DEFINE_SHOP);
        local(APPEND_ORDER);
        assertThat(local("partition shop 1 check").exitCode()).isZero();
        spoil(1, 200003);

        for (String words : List.of("partition shop 1 check", "partition 1 1 check", "check")) {
            Said said = local(words);
            assertThat(said.exitCode()).as(words).isEqualTo(7);
            assertThat(said.err())
                    .as(words)
                    .contains(": log shop, partition 1: ", "200003")
                    .hasLineCount(1);
        }
        assertThat(Calls.json(local("partition shop 1 check --json").out())
                        .path("sound")
                        .asBoolean())
                .isFalse();

        Said rebuilt = local("partition shop 1 rebuild");

        assertThat(rebuilt.err()).isEmpty();
        assertThat(rebuilt.out()).contains("events       1\n", "nextOffset   2\n");
        assertThat(local("partition shop 1 check").exitCode()).isZero();
        assertThat(local("record shop 1 200003").out()).contains("name=Ada");
    }

    @Test
    void checkAndRebuild_ofAServer_areItsCalls() throws IOException {
        try (SystemEnvironment environment = new SystemEnvironment();
                HttpServer server = serve(new MemoryEventLogStore(), ApplicationSettings.usual(), environment)) {
            remote(server, DEFINE_SHOP);
            remote(server, APPEND_ORDER);
            assertThat(remote(server, "partition shop 1 check").out())
                    .contains("sound         true\n", "events        1\n");
            assertThat(remote(server, "partition shop 1 check").exitCode()).isZero();
            JsonNode rebuilt =
                    Calls.json(remote(server, "partition shop 1 rebuild --json").out());
            assertThat(rebuilt.path("status").asString()).isEqualTo("ready");
            assertThat(remote(server, "partition shop 5 check").exitCode()).isEqualTo(3);
            assertThat(remote(server, "partition nope 0 rebuild").exitCode()).isEqualTo(3);
        }
    }

    @Test
    void partition_ofALogThatIsNotThere_isNotFound() {
        local(DEFINE_SHOP);
        Said said = local("partition shap 1 check");
        assertThat(said.exitCode()).isEqualTo(3);
        assertThat(said.err()).isEqualTo("seriatim: NOT_FOUND: there is no log shap here\n");
        assertThat(local("partition shop 9 check").err()).contains("log shop has no partition 9 here");
        local("log drop shop");
        assertThat(local("partition shop 1 check").exitCode())
                .as("its data stays, and can be looked at")
                .isZero();
        assertThat(local("partition shop 1 rebuild").exitCode()).isZero();
    }

    @Test
    void serverBehindAProxyThatIsGone_mayHaveCarriedItOut() throws IOException {
        com.sun.net.httpserver.HttpServer proxy =
                com.sun.net.httpserver.HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        proxy.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "text/html");
            exchange.sendResponseHeaders(502, -1);
            exchange.close();
        });
        proxy.start();
        try {
            Said said = run(
                    Map.of(),
                    "",
                    APPEND_ORDER + " --server http://127.0.0.1:"
                            + proxy.getAddress().getPort());
            assertThat(said.exitCode()).isEqualTo(5);
            assertThat(said.err()).startsWith("seriatim: OUTCOME_UNKNOWN: ");
        } finally {
            proxy.stop(0);
        }
    }
}
