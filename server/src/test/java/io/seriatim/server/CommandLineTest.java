package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.Sequences;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands, on a local folder and on a server. What is of a process is in {@link ServingIT}. */
class CommandLineTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    /** What a command said. */
    record Said(int exitCode, String out, String err) {}

    static Said run(Map<String, String> environment, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = Main.commandLine(environment);
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        int exitCode = commandLine.execute(arguments);
        return new Said(exitCode, out.toString(), err.toString());
    }

    /** Runs a command, given as words, on a new local folder. */
    private Said local(String words) {
        return run(Map.of("SERIATIM_DATA", folder.resolve("data").toString()), words.split(" "));
    }

    @Test
    void commands_onAFolderAndOnAServer_printTheSame() throws IOException {
        List<String> script = List.of(
                "define orders --start 1000 --cache 100",
                "define orders --start 1000 --cache 100 --json",
                "define orders --start 1001",
                "define Orders",
                "define bad --increment 0",
                "define bad/name",
                "define down --increment -1 --start -5 --max -1",
                "next orders",
                "next orders -n 3",
                "next orders --count 2 --json",
                "next orders -n 0",
                "next orders -n 1e3",
                "next orders -n 10001",
                "next down",
                "peek orders",
                "peek orders --json",
                "block orders -n 10",
                "block orders --count=5 --json",
                "show orders",
                "show nope",
                "show nope --json",
                "list",
                "list --limit 1",
                "list --prefix or --json",
                "list --after orders",
                "list --limit x",
                "alter orders --max 2000 --cycle",
                "alter orders --max default --cycle=false --restart=1500",
                "alter orders --restart",
                "alter orders --restart --allow-reuse",
                "alter orders --cache 10 --reason smaller",
                "audit orders --after 9",
                "audit orders --limit 0",
                "audit nope --json",
                "next orders",
                "restart orders 1600",
                "next orders",
                "restart orders 1700 --fresh",
                "next orders",
                "restart orders -50",
                "restart orders 5",
                "restart orders 5 --allow-reuse",
                "restart orders +5",
                "define short --max 2",
                "next short -n 2",
                "next short",
                "block short -n 1",
                "peek short",
                "drop short",
                "drop short",
                "next short");
        List<String> onFolder = new ArrayList<>();
        List<String> onServer = new ArrayList<>();
        try (Sequences sequences = Sequences.on(new MemoryCounterStore());
                HttpServer server =
                        HttpServer.start(sequences, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            for (String words : script) {
                onFolder.add(words + "\n" + shown(local(words)));
                onServer.add(words + "\n"
                        + shown(run(Map.of("SERIATIM_SERVER", server.uri().toString()), words.split(" "))));
            }
        }
        assertThat(onServer).isEqualTo(onFolder);
        assertThat(onFolder.get(7)).isEqualTo("next orders\n0\n1000\n");
    }

    @Test
    void numbers_onAFolderAndOnAServer_printTheSame() throws IOException {
        List<String> script = List.of(
                "define a --template {scope:store}-{year}-{seq:4} --reset yearly --scope store:6:upper --zone Europe/Berlin",
                "show a",
                "next a -n 2 --date 2026-07-09 --scope store=n",
                "next a --at 2026-12-31T23:30:00Z --scope store=N --json",
                "next a",
                "next a --scope store",
                "next a --scope store=N --scope store=S",
                "peek a --date 2026-01-01 --scope store=N",
                "peek a --at 2026-01-01T00:00:00+01:00 --scope store=N",
                "peek a --at now --scope store=N",
                "next a --date 2026-07-09 --scope store=N --key k",
                "next a --date 2026-07-09 --scope store=N --key k",
                "alter a --template {scope:store}/{year}/{seq:5} --max-length 40",
                "next a --date 2026-07-09 --scope store=N",
                "alter a --max-length default --scope store:8:upper:[A-Z:]",
                "alter a --template {seq",
                "restart a 50",
                "restart a 50 --period 2026 --scope store=N",
                "next a --date 2026-07-09 --scope store=N",
                "define b --template T{seq:2!} --start 99 --allow-repeats --charset [A-Z0-9] --monotonic-period=false",
                "next b",
                "next b",
                "define c --template {seq",
                "define c --reset daily",
                "define c --template {fystart}-{seq} --reset fiscal --fiscal-start 10-01",
                "next c --date 2026-07-09",
                "define d --template {scope:x}{seq} --scope x",
                "define d --template {scope:x}{seq} --scope x:2:fixed:upper:[A-F]",
                "show d");
        List<String> onFolder = new ArrayList<>();
        List<String> onServer = new ArrayList<>();
        try (Sequences sequences = Sequences.on(new MemoryCounterStore());
                HttpServer server =
                        HttpServer.start(sequences, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            for (String words : script) {
                onFolder.add(words + "\n" + shown(local(words)));
                onServer.add(words + "\n"
                        + shown(run(Map.of("SERIATIM_SERVER", server.uri().toString()), words.split(" "))));
            }
        }
        assertThat(onServer).isEqualTo(onFolder);
        assertThat(onFolder.get(1))
                .contains("format.template            {scope:store}-{year}-{seq:4}\n")
                .contains("format.zone                Europe/Berlin\n");
        assertThat(onFolder.get(2)).endsWith("store=n\n0\nN-2026-0001\nN-2026-0002\n");
        assertThat(onFolder.get(3)).contains("\"text\":\"N-2027-0001\",\"period\":\"2027\"");
        assertThat(onFolder.get(4)).contains("\n2\n", "SCOPE_MISSING");
        assertThat(onFolder.get(6)).contains("\n2\n", "--scope gives one scope two values");
        assertThat(onFolder.get(10)).endsWith("\n0\nN-2026-0003\n");
        assertThat(onFolder.get(11)).endsWith("\n0\nN-2026-0003\n");
        assertThat(onFolder.get(13)).endsWith("\n0\nN/2026/00004\n");
        assertThat(onFolder.get(18)).endsWith("\n0\nN/2026/00051\n");
        assertThat(onFolder.get(21)).contains("\n4\n", "EXHAUSTED");
        assertThat(onFolder.get(25)).endsWith("\n0\n2025-1\n");
        assertThat(onFolder.get(28)).contains("\"fixed\":true,\"alphabet\":\"[A-F]\",\"case\":\"upper\"");
    }

    /** ID stands for the reservation that was made last, HEAD for the head that was shown last. */
    @Test
    void reservationsAndLedgers_onAFolderAndOnAServer_printTheSame() throws IOException {
        List<String> script = List.of(
                "define a --contract gapless --template INV/{year}/{seq:4} --reset yearly --policy relaxed --reservation-seconds 900",
                "reserve a --date 2026-07-09",
                "confirm a ID",
                "confirm a ID",
                "confirm a ID --json",
                "reserve a --date 2026-07-09 --key k --json",
                "cancel a ID",
                "reserve a --date 2026-07-09 --key k",
                "next a -n 2 --date 2026-07-09",
                "void a INV/2026/0003",
                "void a INV/2026/0003 --reason torn",
                "void a INV/2026/0003 --reason torn",
                "void a INV/2026/0009 --reason torn",
                "number a INV/2026/0003",
                "number a INV/2026/0003 --json",
                "number a 7",
                "gaps a",
                "gaps a --period 2026",
                "gaps a --period 2026 --all",
                "gaps a --period 2026 --all --json",
                "ledger a --period 2026",
                "ledger a --period 2026 --after 1 --limit 2",
                "ledger a --period 2026 --limit 2 --csv",
                "ledger a --period 2026 --limit 0",
                "verify a --period 2026",
                "verify a --period 2026 --head HEAD",
                "verify a --period 2026 --head 0000000000000000000000000000000000000000000000000000000000000000",
                "verify a --period 2026 --head x --json",
                "periods a",
                "reserve a --date 2026-07-09",
                "close a 2026 --reason over",
                "drop a",
                "cancel a ID",
                "close a 2026",
                "close a 2026 --reason over",
                "close a 2026 --reason over --json",
                "next a --date 2026-07-09",
                "periods a --json",
                "periods a --after x",
                "define b --template {seq}",
                "reserve b",
                "reserve nope",
                "confirm b x");
        List<String> onFolder = new ArrayList<>();
        List<String> onServer = new ArrayList<>();
        try (Sequences sequences = Sequences.on(new MemoryCounterStore());
                HttpServer server =
                        HttpServer.start(sequences, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            Map<String, String> remote = Map.of("SERIATIM_SERVER", server.uri().toString());
            runAll(script, this::local, onFolder);
            runAll(script, words -> run(remote, words.split(" ")), onServer);
        }
        assertThat(onServer).isEqualTo(onFolder);
        assertThat(onFolder.get(1)).contains("\n0\n", "text INV/2026/0001", "state open");
        assertThat(onFolder.get(2)).contains("\n0\n", "state confirmed", "expiresAt -");
        assertThat(onFolder.get(3)).contains("\n3\n", "RESERVATION_GONE");
        assertThat(onFolder.get(4)).contains("\n3\n", "\"state\":\"confirmed\"");
        assertThat(onFolder.get(7)).contains("\n0\n", "state cancelled");
        assertThat(onFolder.get(8)).endsWith("\n0\nINV/2026/0002\nINV/2026/0003\n");
        assertThat(onFolder.get(9)).contains("\n2\n", "--reason");
        assertThat(onFolder.get(11)).contains("\n3\n", "ALREADY_VOID");
        assertThat(onFolder.get(12)).contains("\n3\n", "NUMBER_UNKNOWN");
        assertThat(onFolder.get(13)).contains("state voided", "before INV/2026/0002", "behind -", "voided 3 3");
        assertThat(onFolder.get(16)).contains("\n2\n", "period is required");
        assertThat(onFolder.get(18)).contains("3 3 INV/2026/0003 INV/2026/0003 voided torn");
        assertThat(onFolder.get(22)).contains("\n0\nindex,at,state,").doesNotContain("there are more");
        assertThat(onFolder.get(24)).contains("\n0\nsound true");
        assertThat(onFolder.get(25)).contains("\n0\nsound true");
        assertThat(onFolder.get(26)).contains("\n7\nsound false", "STORE_CORRUPT");
        assertThat(onFolder.get(28)).contains("\n0\nperiod scope highWaterMark");
        assertThat(onFolder.get(30)).contains("\n3\n", "RESERVATIONS_OPEN");
        assertThat(onFolder.get(31)).contains("\n3\n", "RESERVATIONS_OPEN");
        assertThat(onFolder.get(34)).contains("\n0\n", "closed true");
        assertThat(onFolder.get(36)).contains("\n3\n", "PERIOD_CLOSED");
        assertThat(onFolder.get(40)).contains("\n2\n", "BAD_OPTION");
    }

    private static void runAll(List<String> script, Function<String, Said> running, List<String> shown) {
        String id = "";
        String head = "";
        for (String words : script) {
            Said said = running.apply(words.replace("ID", id).replace("HEAD", head));
            id = found("(?:^id +|\"id\":\")([^ \"\n]+)", said.out(), id);
            head = found("(?:^head +|\"head\":\")([0-9a-f]{64})", said.out(), head);
            shown.add(words + "\n"
                    + shown(said)
                            .replaceAll("[0-9a-f]{16}[.]\\d+", "WRITE")
                            .replaceAll("(?!0{64})[0-9a-f]{64}", "HASH")
                            .replaceAll("\\b" + Pattern.quote(System.getProperty("user.name")) + "\\b", "-")
                            .replace(",'-,", ",-,") // nobody's name in CSV, where the user of a folder has one
                            .replaceAll(" +", " "));
        }
    }

    private static String found(String pattern, String text, String otherwise) {
        Matcher matcher = Pattern.compile(pattern, Pattern.MULTILINE).matcher(text);
        return matcher.find() ? matcher.group(1) : otherwise;
    }

    @Test
    void audit_onAFolder_saysWhichUserOfTheSystem() {
        local("define orders --reason beginning");
        local("alter orders --max 500 --reason less");
        local("restart orders 7 --reason forward");
        local("gone orders 4fd1a20c99b1e7d3 --reason unlisted");
        local("drop orders --reason over");

        JsonNode trail =
                JsonMapper.shared().readTree(local("audit orders --json").out()).path("items");
        assertThat(trail.valueStream().map(entry -> entry.path("why").stringValue()))
                .containsExactly("beginning", "less", "forward", "over");
        assertThat(trail.valueStream().map(entry -> entry.path("who").stringValue()))
                .containsOnly(System.getProperty("user.name"));
        Said page = local("audit orders --after 1 --limit 1");
        assertThat(page.out().lines().toList())
                .hasSize(2)
                .satisfies(
                        lines -> assertThat(lines.get(0)).matches("index +at +who +action +generation +why +changes"))
                .satisfies(lines ->
                        assertThat(lines.get(1)).matches("2 .* alter +2 +less +max: 9223372036854775807 -> 500"));
        assertThat(local("audit orders --after 2").out())
                .contains(" next: 1 -> -", "lastValue: 7", "contract: fast -> -");
        assertThat(page.err()).isEqualTo("seriatim: there are more: --after 2\n");
    }

    @Test
    void user_whoseNameNoEntryCanHold_isShownAsFarAsItGoes() {
        assertThat(Caller.atKeyboard("a\nb\u0000\ud83d!").who()).isEqualTo("a?b??!");
        assertThat(Caller.atKeyboard("\ud83d\ude00".repeat(300)).who()).isEqualTo("\ud83d\ude00".repeat(100));
        assertThat(Caller.atKeyboard("ann").name()).isEqualTo(Caller.ANYONE.name());
    }

    /** Without what differs from run to run, and how far the block in memory reaches. */
    private static String shown(Said said) {
        return (said.exitCode() + "\n" + said.out() + said.err())
                .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
                .replaceAll("(highWaterMark\\W+)-?\\d+", "$1MARK");
    }

    @Test
    void error_isOneSentenceAndAnExitCode() {
        local("define taken");
        local("next taken -n 2");
        local("define used --max 2");
        local("next used -n 2");
        assertError("define a --increment 0", 2, "BAD_OPTION");
        assertError("define a --max 9223372036854775808", 2, "OUT_OF_RANGE");
        assertError("define a --start 1.0", 2, "BAD_REQUEST");
        assertError("define a --start 01", 2, "BAD_REQUEST");
        assertError("define a --increment -0", 2, "BAD_REQUEST");
        assertError("next taken -n 01", 2, "BAD_REQUEST");
        assertError("list --limit 01", 2, "BAD_REQUEST");
        assertError("restart taken 05", 2, "BAD_REQUEST");
        assertError("define a --cycle=perhaps", 2, "BAD_REQUEST");
        assertError("define a/b", 2, "BAD_NAME");
        assertError("define ..", 2, "BAD_NAME");
        assertError("next b", 3, "NOT_FOUND");
        assertError("define taken --max 5", 3, "ALREADY_EXISTS");
        assertError("define TAKEN", 3, "NAME_CASE");
        assertError("restart taken 1", 3, "BEHIND");
        assertError("restart taken 1 --allow-reuse", 2, "REASON_REQUIRED");
        assertError("next used", 4, "EXHAUSTED");
        assertError("peek used", 4, "EXHAUSTED");
    }

    private void assertError(String words, int exitCode, String code) {
        Said said = local(words);
        assertThat(said.out()).isEmpty();
        assertThat(said.err()).matches("seriatim: " + code + ": [^\n]+\n");
        assertThat(said.exitCode()).isEqualTo(exitCode);
    }

    @Test
    void error_withJson_isTheProblemOnStdoutAndTheSentenceOnStderr() {
        local("define a");
        Said said = local("next b --json");
        assertThat(json(said.out()).path("code").stringValue()).isEqualTo("NOT_FOUND");
        assertThat(said.err()).isEqualTo("seriatim: NOT_FOUND: there is no sequence b\n");
        assertThat(said.exitCode()).isEqualTo(3);
    }

    @Test
    void json_isTheAnswerAsItIs() {
        JsonNode defined = json(local("define a --json").out());
        assertThat(defined.path("name").stringValue()).isEqualTo("a");
        assertThat(json(local("next a -n 2 --json").out()).path("items").size()).isEqualTo(2);
        assertThat(json(local("list --json").out()).path("items").size()).isEqualTo(1);
        assertThat(local("drop a --json")).isEqualTo(new Said(0, "", ""));
    }

    @Test
    void next_onAFolder_losesNothingBetweenTwoCommands() {
        local("define a --cache 1000");
        for (int i = 1; i <= 5; i++) {
            assertThat(local("next a")).isEqualTo(new Said(0, i + "\n", ""));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "next a --bogus, --bogus",
        "bogus, bogus",
        "next, NAME",
        "next a b, b",
        "next a -n, --count",
        "block a, --count",
        "restart a, VALUE",
        "serve --port x, --port",
        "serve --port 07450, --port",
        "bench a --count 010, 010",
        "bench a --seconds +5, +5",
        "bench a --connections -0, -0",
        "bench a --seconds 9999999999, 9999999999",
    })
    void usage_thatIsWrong_isSaidWithAHint(String words, String named) {
        Said said = local(words);
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.out()).isEmpty();
        assertThat(said.err()).startsWith("seriatim: ").contains(named).contains("--help");
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Test
    void noCommand_isAUsageError() {
        Said said = run(Map.of());
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains("--help");
    }

    @Test
    void version_isPrinted() {
        Said said = run(Map.of(), "--version");
        assertThat(said.out()).startsWith("seriatim ");
        assertThat(said.exitCode()).isZero();
    }

    @Test
    void folderThatIsNotThere_isNotMadeByLooking() {
        Said said = local("show a");
        assertThat(said.exitCode()).isEqualTo(3);
        assertThat(said.err()).contains("there is no data folder");
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Test
    void folderThatIsInUse_isTryAgain() {
        try (RocksDbStore held = RocksDbStore.open(folder.resolve("data"))) {
            Said said = local("define a");
            assertThat(held.failure()).isEmpty();
            assertThat(said.exitCode()).isEqualTo(5);
            assertThat(said.err()).startsWith("seriatim: BUSY: ").contains("--server");
        }
    }

    /** The answer was the name of an exception, and an exit code that invites to try again. */
    @Test
    void folderThatCannotBe_isBadRequestInPlainWords() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        Path dangling = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nowhere"));
        for (Path data :
                List.of(file, file.resolve("below"), file.resolve("far").resolve("below"), dangling)) {
            for (String command : List.of("define a", "next a", "serve --port 0")) {
                List<String> words = new ArrayList<>(List.of(command.split(" ")));
                words.addAll(List.of("--data", data.toString()));
                Said said = run(Map.of(), words.toArray(String[]::new));
                assertThat(said.err())
                        .matches("seriatim: BAD_REQUEST: the data folder " + data
                                + " cannot be used: \\S+ is no folder\n");
                assertThat(said.exitCode()).isEqualTo(2);
                assertThat(said.out()).isEmpty();
            }
        }
    }

    /** Where no folder can be made, whoever asks. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void folderThatCannotBeMade_isBadRequestInPlainWords() {
        for (String data : List.of("/proc/seriatim", "/sys/seriatim", "/dev/null/x")) {
            Said said = run(Map.of(), "define", "a", "--data", data);
            assertThat(said.err())
                    .startsWith("seriatim: BAD_REQUEST: the data folder " + data + " cannot be used: ")
                    .doesNotContain("Exception");
            assertThat(said.exitCode()).isEqualTo(2);
        }
    }

    @Test
    void folderWithoutAName_isAUsageError() {
        Said flag = run(Map.of("SERIATIM_DATA", folder.toString()), "define", "a", "--data", "");
        assertThat(flag.exitCode()).isEqualTo(2);
        assertThat(flag.err()).startsWith("seriatim: BAD_REQUEST: ").contains("--data", "empty");
        assertThat(run(Map.of("SERIATIM_DATA", ""), "define", "a").err()).contains("SERIATIM_DATA", "empty");
        assertThat(run(Map.of("SERIATIM_DATA", ""), "serve", "--port", "0").exitCode())
                .isEqualTo(2);
        assertThat(Path.of("seriatim.store")).doesNotExist();
    }

    @Test
    void folderAndServer_aFlagDecidesAndAContradictionIsRefused() throws IOException {
        String data = folder.resolve("data").toString();
        try (Sequences sequences = Sequences.on(new MemoryCounterStore());
                HttpServer server =
                        HttpServer.start(sequences, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            String url = server.uri().toString();
            assertThat(run(Map.of("SERIATIM_SERVER", url), "define", "here", "--data", data)
                            .exitCode())
                    .isZero();
            assertThat(run(Map.of("SERIATIM_DATA", data), "define", "there", "--server", url)
                            .exitCode())
                    .isZero();
            assertThat(run(Map.of(), "list", "--data", data).out())
                    .contains("\nhere")
                    .doesNotContain("\nthere");
            assertThat(run(Map.of(), "list", "--server", url).out())
                    .contains("\nthere")
                    .doesNotContain("\nhere");

            Map<String, String> both = Map.of("SERIATIM_DATA", data, "SERIATIM_SERVER", url);
            assertThat(run(both, "list", "--data", data).out()).contains("here");
            assertThat(run(both, "list", "--server", url).out()).contains("there");
            Said unclear = run(both, "next", "here");
            assertThat(unclear.exitCode()).isEqualTo(2);
            assertThat(unclear.err()).contains("BAD_REQUEST", "SERIATIM_DATA", "SERIATIM_SERVER");
            for (String[] flags : List.of(
                    new String[] {"--data", data, "next", "here", "--server", url},
                    new String[] {"next", "here", "--server", url, "--data", data})) {
                Said said = run(Map.of(), flags);
                assertThat(said.exitCode()).isEqualTo(2);
                assertThat(said.err()).contains("BAD_REQUEST", "--data and --server exclude each other");
            }
        }
    }

    @Test
    void folderThatIsDamaged_isCorrupt() throws IOException {
        local("define a");
        Files.writeString(folder.resolve("data").resolve("seriatim.store"), "nonsense");
        Said said = local("show a");
        assertThat(said.err()).startsWith("seriatim: STORE_CORRUPT: ");
        assertThat(said.exitCode()).isEqualTo(7);
    }

    /** Scripts took 5 for an answer and tried again for ever, while the store had stopped for good. */
    @ParameterizedTest
    @CsvSource({"UNAVAILABLE, 5", "FAILED, 7", "TAKEN_AWAY, 7", "CORRUPT, 7"})
    void serverWhoseStoreFails_saysWhetherToTryAgain(StoreException.Kind kind, int exitCode) throws IOException {
        TroubledStore store = new TroubledStore();
        try (Sequences sequences = Sequences.on(store);
                HttpServer server =
                        HttpServer.start(sequences, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            store.fail(new StoreException(kind, "trouble"));
            for (String words : List.of("next a", "show a", "define a", "list --json")) {
                Said said = run(Map.of("SERIATIM_SERVER", server.uri().toString()), words.split(" "));
                assertThat(said.exitCode()).as(words + ": " + said.err()).isEqualTo(exitCode);
            }
        }
    }

    @Test
    void serverThatIsNotThere_isTryAgain() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Said said = run(Map.of(), "next", "a", "--server", "http://127.0.0.1:" + port);
        assertThat(said.exitCode()).isEqualTo(5);
        assertThat(said.err())
                .isEqualTo("seriatim: STORE_UNAVAILABLE: no server answers at http://127.0.0.1:" + port + "\n");
    }

    @Test
    void serverThatHangsUp_leavesTheOutcomeUnknown() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread hangingUp = new Thread(() -> {
                try {
                    socket.accept().close();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            hangingUp.start();
            Said said = run(Map.of(), "next", "a", "--server", "http://127.0.0.1:" + socket.getLocalPort());
            hangingUp.join();
            assertThat(said.exitCode()).isEqualTo(5);
            assertThat(said.err()).startsWith("seriatim: OUTCOME_UNKNOWN: ");
        }
    }

    @Test
    void serverThatIsAnotherProgram_isSaid() throws IOException {
        com.sun.net.httpserver.HttpServer other =
                com.sun.net.httpserver.HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        other.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('x');
            exchange.close();
        });
        other.start();
        try {
            String url = "http://127.0.0.1:" + other.getAddress().getPort();
            Said said = run(Map.of(), "show", "a", "--server", url);
            assertThat(said.exitCode()).isEqualTo(2);
            assertThat(said.err())
                    .isEqualTo("seriatim: BAD_REQUEST: " + url + " does not answer as Seriatim does: status=200\n");
        } finally {
            other.stop(0);
        }
    }

    @ParameterizedTest
    @CsvSource({"ftp://127.0.0.1/", "127.0.0.1:7450", "http:", "'http://a b/'"})
    void serverThatIsNoHttpAddress_isAUsageError(String url) {
        Said said = run(Map.of(), "next", "a", "--server", url);
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).startsWith("seriatim: BAD_REQUEST: ").contains("--server");
    }

    @Test
    void flag_winsOverTheEnvironment() {
        Map<String, String> environment =
                Map.of("SERIATIM_DATA", folder.resolve("other").toString());
        String data = folder.resolve("data").toString();
        assertThat(run(environment, "define", "a", "--data", data).exitCode()).isZero();
        assertThat(run(environment, "--data", data, "next", "a").out()).isEqualTo("1\n");
        assertThat(folder.resolve("other")).doesNotExist();
    }

    @Test
    void environment_givesSettingsToEveryCommand() {
        Map<String, String> environment =
                Map.of("SERIATIM_DATA", folder.resolve("data").toString(), "SERIATIM_JSON", "true");
        json(run(environment, "define", "a").out());
        assertThat(json(run(environment, "next", "a").out()).path("items").size())
                .isEqualTo(1);
        Map<String, String> wrong =
                Map.of("SERIATIM_PORT", "x", "SERIATIM_DATA", folder.toString(), "SERIATIM_VERSION", "0.1.0");
        assertThat(run(wrong, "serve").err()).contains("--port");
        assertThat(run(wrong, "next", "a").exitCode()).isEqualTo(3);
    }

    @Test
    void environment_isNotReadForOptionsOfACommand() {
        Map<String, String> environment = Map.of(
                "SERIATIM_DATA", folder.resolve("data").toString(), "SERIATIM_START", "50", "SERIATIM_COUNT", "7");
        run(environment, "define", "a");
        assertThat(run(environment, "next", "a").out()).isEqualTo("1\n");
    }

    @Test
    void serve_thatCannotStart_saysWhy() throws IOException {
        assertThat(local("serve --host 192.0.2.1").err()).contains("BAD_REQUEST", "token and TLS");
        assertThat(local("serve --host 0.0.0.0").exitCode()).isEqualTo(2);
        assertThat(local("serve --host no.such.host.invalid").exitCode()).isEqualTo(2);
        assertThat(local("serve --port 70000").exitCode()).isEqualTo(2);
        assertThat(local("serve --server http://127.0.0.1:7450").exitCode()).isEqualTo(2);
        assertThat(local("serve --default-definition {\"increment\":0}").err()).contains("BAD_OPTION", "increment");
        assertThat(local("serve --default-definition {\"start\":5,\"max\":3}").exitCode())
                .isEqualTo(2);
        assertThat(local("serve --default-definition nowhere.json").err()).contains("nowhere.json");
        assertThat(folder.resolve("data")).doesNotExist();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Said said = local("serve --port " + taken.getLocalPort());
            assertThat(said.exitCode()).isEqualTo(5);
            assertThat(said.err())
                    .isEqualTo("seriatim: BUSY: port " + taken.getLocalPort()
                            + " of 127.0.0.1 is in use by another program; --port takes another one\n");
            assertThat(folder.resolve("data"))
                    .as("a server that cannot start leaves nothing behind")
                    .doesNotExist();
        }
        RocksDbStore.open(folder.resolve("data")).close(); // the folder is free again
    }

    @Test
    void answerThatCannotBeWritten_isSaidOnStderr() throws IOException {
        Writer closed = Writer.nullWriter();
        closed.close();
        local("define a");
        StringWriter err = new StringWriter();
        CommandLine commandLine =
                Main.commandLine(Map.of("SERIATIM_DATA", folder.resolve("data").toString()));
        commandLine.setOut(new PrintWriter(closed));
        commandLine.setErr(new PrintWriter(err));
        assertThat(commandLine.execute("next", "a")).isZero();
        assertThat(err.toString())
                .isEqualTo("seriatim: the call was carried out, but its answer could not be written to stdout\n");
        assertThat(local("next a").out()).isEqualTo("2\n");
    }

    @Test
    void sentence_cannotMoveTheCursor() {
        local("define a");
        Said said = run(
                Map.of("SERIATIM_DATA", folder.resolve("data").toString()), "next", "a", "-n", "\u001b[2Jx\r\n\u0085y");
        assertThat(said.err()).matches("seriatim: BAD_REQUEST: [^\\p{Cntrl}\u0080-\u009f]+\n");
    }

    private static JsonNode json(String text) {
        assertThat(text).endsWith("\n");
        assertThat(Arrays.asList(text.split("\n"))).hasSize(1);
        return JsonMapper.shared().readTree(text);
    }
}
