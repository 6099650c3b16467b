package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands and servers on a real PostgreSQL; what the store itself promises is tested with the store. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresDatabaseTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path folder;

    private record Said(int exitCode, String out, String err) {}

    private static Said run(Map<String, String> environment, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = Main.commandLine(environment);
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        int exitCode = commandLine.execute(arguments);
        return new Said(exitCode, out.toString(), err.toString());
    }

    /** With flags before or behind the command, from the environment or a file. */
    private static Said onDatabase(String... command) {
        List<String> words = new ArrayList<>(Arrays.asList(command));
        words.addAll(List.of("--store", "postgresql", "--url", SharedPostgres.url(), "--user=postgres"));
        return run(Map.of(), words.toArray(String[]::new));
    }

    @Test
    void commands_workOnTheDatabaseHoweverItIsSet() throws IOException {
        assertThat(onDatabase("define", "a", "--cache", "100").exitCode()).isZero();
        assertThat(onDatabase("next", "a", "-n", "2")).isEqualTo(new Said(0, "1\n2\n", ""));
        assertThat(run(
                        Map.of(
                                "SERIATIM_STORE",
                                "postgresql",
                                "SERIATIM_URL",
                                SharedPostgres.url(),
                                "SERIATIM_USER",
                                "postgres"),
                        "next",
                        "a"))
                .isEqualTo(new Said(0, "3\n", ""));
        Path file = Files.writeString(
                folder.resolve("seriatim.yaml"),
                "store: postgresql\nurl: " + SharedPostgres.url() + "\nuser: postgres\n");
        assertThat(run(Map.of(), "next", "a", "--config", file.toString())).isEqualTo(new Said(0, "4\n", ""));
        assertThat(run(Map.of(), "--config", file.toString(), "--store", "postgresql", "peek", "a"))
                .isEqualTo(new Said(0, "5\n", ""));
        assertThat(onDatabase("next", "nope").exitCode()).isEqualTo(3);
        Said both = onDatabase("next", "a", "--server", "http://127.0.0.1:1");
        assertThat(both.exitCode()).isEqualTo(2);
        assertThat(both.err()).contains("--store", "--server");
        Said contradiction = onDatabase("next", "a", "--data", "./data");
        assertThat(contradiction.exitCode()).isEqualTo(2);
        assertThat(contradiction.err()).contains("--data");
    }

    @Test
    void databaseThatIsAway_isTryAgainWithoutThePassword() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        String away = "jdbc:postgresql://127.0.0.1:" + port + "/postgres?password=secret";
        for (String command : List.of("list", "serve")) {
            Said said = run(Map.of("SERIATIM_PASSWORD", "secret"), command, "--store", "postgresql", "--url", away);
            assertThat(said.exitCode()).isEqualTo(5);
            assertThat(said.err())
                    .startsWith("seriatim: STORE_UNAVAILABLE: ")
                    .contains(Integer.toString(port))
                    .doesNotContain("secret");
        }
    }

    /** Each command is a process of its own: it takes the partition, writes, and leaves it. */
    @Test
    void eventLogs_areKeptInTheDatabase() throws IOException {
        Path shop = Files.writeString(folder.resolve("shop.json"), LogCallsContract.SHOP);
        Said deployed = onDatabase("log", "define", "shop", "--file", shop.toString());
        assertThat(deployed.exitCode()).as(deployed.err()).isZero();
        for (int i = 1; i <= 3; i++) {
            Path order = Files.writeString(folder.resolve("order.json"), LogCallsContract.ORDER);
            Said appended = onDatabase("append", "shop", "1", "--file", order.toString(), "--json");
            assertThat(appended.exitCode()).as(appended.err()).isZero();
            assertThat(Calls.json(appended.out()).path("plogOffset").asLong()).isEqualTo(i);
        }
        Said state = onDatabase("partition", "shop", "1", "--json");
        assertThat(Calls.json(state.out()).path("nextOffset").asLong())
                .as(state.err())
                .isEqualTo(4);
        Said check = onDatabase("partition", "shop", "1", "check", "--json");
        assertThat(check.exitCode()).as(check.err()).isZero();
        assertThat(Calls.json(check.out()).path("events").asLong()).isEqualTo(3);
        assertThat(onDatabase("partition", "shop", "1", "rebuild").exitCode()).isZero();
        assertThat(onDatabase("partition", "shop", "1", "check").exitCode()).isZero();
        assertThat(onDatabase("partition", "shop", "7", "check").exitCode()).isEqualTo(3);
        Said whole = onDatabase("check", "--json");
        assertThat(whole.exitCode()).as(whole.err()).isZero();
        assertThat(Calls.json(whole.out()).path("sound").asBoolean()).isTrue();
    }

    /** The command took the partition, the server took it back, and the command said that it was quarantined. */
    @Test
    void rebuild_ofAPartitionThatAServerHas_isDoneByTheServer() throws IOException {
        Map<Setting, String> flags = new EnumMap<>(Setting.class);
        flags.put(Setting.STORE, "postgresql");
        flags.put(Setting.URL, SharedPostgres.url());
        flags.put(Setting.USER, "postgres");
        flags.put(Setting.PORT, "0");
        try (Serving server = Serving.start(Settings.of(flags, Map.of()))) {
            String at = server.uri().toString();
            Path shop = Files.writeString(folder.resolve("served.json"), LogCallsContract.SHOP);
            Said defined =
                    run(Map.of(), "log", "define", "served", "--file", shop.toString(), "--json", "--server", at);
            assertThat(defined.exitCode()).as(defined.err()).isZero();
            String id = Calls.json(defined.out()).path("id").asString();
            Path order = Files.writeString(folder.resolve("order.json"), LogCallsContract.ORDER);
            String append = "append served 1 --file " + order + " --server " + at;
            assertThat(run(Map.of(), append.split(" ")).exitCode()).isZero();
            Said rebuilt = onDatabase("partition", "served", "1", "rebuild", "--json");
            assertThat(rebuilt.exitCode()).as(rebuilt.err()).isZero();
            assertThat(Calls.json(rebuilt.out()).path("status").asString()).isEqualTo("ready");
            assertThat(run(Map.of(), append.split(" ")).exitCode()).isZero();
            assertThat(onDatabase("partition", id, "1", "rebuild").exitCode()).isZero();
            assertThat(onDatabase("partition", "served", "7", "rebuild").exitCode())
                    .isEqualTo(3);
            Said cluster = run(Map.of(), "cluster", "--json", "--server", at);
            assertThat(Calls.json(cluster.out()).path("lost").asLong())
                    .as(cluster.out())
                    .isZero();
        }
        Said alone = onDatabase("partition", "served", "1", "rebuild", "--json");
        assertThat(alone.exitCode()).as(alone.err()).isZero();
        assertThat(Calls.json(alone.out()).path("events").asLong()).isEqualTo(2);
    }

    @Test
    void servers_shareTheSequencesOfOneDatabase() throws IOException {
        Path password = Files.writeString(folder.resolve("password"), "secret\n");
        Map<Setting, String> flags = new EnumMap<>(Setting.class);
        flags.put(Setting.STORE, "postgresql");
        flags.put(Setting.URL, SharedPostgres.url() + "?ApplicationName=hidden");
        flags.put(Setting.USER, "postgres");
        flags.put(Setting.PASSWORD_FILE, password.toString());
        flags.put(Setting.PORT, "0");
        Settings settings = Settings.of(flags, Map.of());
        Set<String> numbers = new HashSet<>();
        try (Serving one = Serving.start(settings);
                Serving other = Serving.start(settings)) {
            assertThat(one.toString())
                    .endsWith(", store postgresql://127.0.0.1:" + SharedPostgres.port()
                            + "/postgres, schema seriatim as postgres")
                    .doesNotContain("secret", "hidden");
            assertThat(run(
                                    Map.of(),
                                    "define",
                                    "shared",
                                    "--cache",
                                    "3",
                                    "--server",
                                    one.uri().toString())
                            .exitCode())
                    .isZero();
            for (int i = 0; i < 20; i++) {
                for (Serving server : List.of(one, other)) {
                    Said said = run(
                            Map.of(), "next", "shared", "--server", server.uri().toString());
                    assertThat(said.exitCode()).as(said.err()).isZero();
                    assertThat(numbers.add(said.out())).as(said.out()).isTrue();
                }
            }
            String config = run(
                            Map.of(), "config", "--json", "--server", one.uri().toString())
                    .out();
            assertThat(config).contains("password-file").doesNotContain("secret", "=hidden");
        }
        assertThat(numbers).hasSize(40);
    }
}
