package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Two servers over TLS on one PostgreSQL, as processes, and what the command line shows of them. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SecureClusterIT {

    private static final Path JAR = Path.of(System.getProperty("seriatim.jar", "target/seriatim.jar"));
    private static final String DATABASE = "secure_cluster";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final List<Process> processes = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private Server trusting;

    @SuppressWarnings("NullAway.Init")
    private Server distrusting;

    /** A server that can be called. */
    private record Server(Process process, String url, Keys.Pair keys, Path err) {}

    private record Said(int exitCode, String out, String err) {}

    /** The first server trusts the certificate of the second, which trusts no other than its own. */
    @BeforeEach
    void start() throws Exception {
        sql("CREATE DATABASE " + DATABASE);
        Keys.Pair one = Keys.make(folder, "one");
        Keys.Pair two = Keys.make(folder, "two");
        trusting = serve(one, two.certificate());
        distrusting = serve(two, two.certificate());
        Said defined = run(
                trusting,
                "log",
                "define",
                "shop",
                "--partitions",
                "2",
                "--sequence",
                "shop.RecordID=200001",
                "--type",
                "order=ODoc");
        assertThat(defined.exitCode()).as(defined.err()).isZero();
        while (countAt(trusting, trusting) != 1 || countAt(distrusting, distrusting) != 1) {
            Thread.onSpinWait();
        }
        while (append(trusting, 0).exitCode() != 0 || append(trusting, 1).exitCode() != 0) {
            Thread.onSpinWait();
        }
    }

    @AfterEach
    void stop() throws Exception {
        processes.forEach(Process::destroyForcibly);
        for (Process each : processes) {
            each.waitFor();
        }
        sql("DROP DATABASE " + DATABASE + " WITH (FORCE)");
    }

    private static void sql(String statement) throws Exception {
        try (Connection connection = DriverManager.getConnection(SharedPostgres.url(), "postgres", "");
                Statement runs = connection.createStatement()) {
            runs.execute(statement);
        }
    }

    private Server serve(Keys.Pair keys, Path trusted) throws IOException {
        Path err = Files.createTempFile(folder, "err", ".txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-jar",
                        JAR.toString(),
                        "serve",
                        "--port",
                        "0",
                        "--store",
                        "postgresql",
                        "--url",
                        SharedPostgres.url().replace("/postgres", "/" + DATABASE),
                        "--user",
                        "postgres",
                        "--lease",
                        "2",
                        "--tls-cert",
                        keys.certificate().toString(),
                        "--tls-key",
                        keys.key().toString(),
                        "--cluster-ca",
                        trusted.toString())
                .redirectError(err.toFile())
                .start();
        processes.add(process);
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        assertThat(line).as(Files.readString(err)).isNotNull().contains(" listening on https://");
        return new Server(process, line.replaceFirst(".*(https://[0-9.:]+[0-9]).*", "$1"), keys, err);
    }

    private Said run(Server server, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(
                "--server", server.url(), "--ca", server.keys().certificate().toString()));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        picocli.CommandLine commandLine = Main.commandLine(Map.of());
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        int exitCode = commandLine.execute(all.toArray(String[]::new));
        return new Said(exitCode, out.toString(), err.toString());
    }

    private Said append(Server server, int workspace) {
        return run(
                server,
                "append",
                "shop",
                Integer.toString(workspace),
                "--kind",
                "shop",
                "--argument",
                "{\"type\": \"order\", \"id\": 1, \"fields\": {}}",
                "--json");
    }

    private JsonNode cluster(Server server) {
        Said said = run(server, "cluster", "--json");
        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(said.out().strip()).as("one line").doesNotContain("\n");
        return Calls.json(said.out());
    }

    /** How many partitions a server has, as another one says. */
    private int countAt(Server server, Server counted) {
        for (JsonNode node : cluster(server).path("nodes")) {
            if (node.path("url").asString().equals(counted.url())) {
                return node.path("partitions").asInt();
            }
        }
        return 0;
    }

    private int partitionOf(Server server) {
        JsonNode state = cluster(server);
        for (JsonNode each : state.path("partitions")) {
            if (each.path("owner").asString().equals(state.path("node").asString())) {
                return each.path("partition").asInt();
            }
        }
        throw new AssertionError("no partition at " + server.url());
    }

    /** A command was answered OUTCOME_UNKNOWN, though no byte of it had been sent. */
    @Test
    void call_isHandedOnByWhoTrustsTheOwner_andRefusedInWordsByWhoDoesNot() throws IOException {
        int there = partitionOf(trusting);
        Said handedOn = append(trusting, partitionOf(distrusting));
        assertThat(handedOn.exitCode()).as(handedOn.err()).isZero();

        long last = wlogOffset(append(trusting, there));
        for (int i = 0; i < 2; i++) {
            Said refused = append(distrusting, there);
            assertThat(refused.exitCode()).isEqualTo(5);
            JsonNode problem = Calls.json(refused.out());
            assertThat(problem.path("code").asString()).isEqualTo("RECOVERING");
            assertThat(problem.path("detail").asString())
                    .contains("does not trust the certificate")
                    .contains("--cluster-ca")
                    .contains("nothing happened");
        }
        assertThat(wlogOffset(append(trusting, there))).as("nothing happened").isEqualTo(last + 1);
        assertThat(Files.readString(distrusting.err()).lines())
                .filteredOn(line -> line.contains("certificate"))
                .as("it is told once")
                .singleElement()
                .asString()
                .contains("certificate is not trusted", trusting.url());
        assertThat(Files.readString(trusting.err())).doesNotContain("certificate");
    }

    private static long wlogOffset(Said appended) {
        assertThat(appended.exitCode()).as(appended.err()).isZero();
        return Calls.json(appended.out()).path("wlogOffset").asLong();
    }

    @Test
    void cluster_ofTwoThatLiveAndOfOneThatWasKilled_isShownAsTextAndAsJson() throws Exception {
        JsonNode state = cluster(trusting);
        assertThat(state.propertyNames())
                .containsExactly("node", "nodes", "partitions", "taken", "takenFromDead", "lost", "trouble");
        assertThat(state.path("nodes")).hasSize(2).allSatisfy(node -> {
            assertThat(node.path("alive").asBoolean()).isTrue();
            assertThat(node.path("url").asString()).isIn(trusting.url(), distrusting.url());
        });
        assertThat(state.path("partitions")).hasSize(2);
        assertThat(state.path("trouble").isNull()).isTrue();
        String other = cluster(distrusting).path("node").asString();

        Said text = run(trusting, "cluster");
        assertThat(text.err()).isEmpty();
        List<String> lines = text.out().lines().toList();
        assertThat(lines).hasSize(7);
        assertThat(lines.get(0)).matches("node +url +alive +partitions");
        assertThat(lines.subList(1, 3))
                .allSatisfy(line -> assertThat(line).matches("[0-9a-f]{16}  https://127\\.0\\.0\\.1:\\d+ +true +1"));
        assertThat(lines.get(3)).isEmpty();
        assertThat(lines.get(4)).matches("log +partition +owner +epoch");
        assertThat(lines.subList(5, 7))
                .allSatisfy(line -> assertThat(line)
                        .matches("shop +[01] +(" + state.path("node").asString() + "|" + other + ") +\\d+"));

        distrusting.process().destroyForcibly().waitFor();
        while (countAt(trusting, trusting) != 2) {
            Thread.onSpinWait();
        }
        JsonNode after = cluster(trusting);
        String node = after.path("node").asString();
        assertThat(after.path("takenFromDead").asInt()).isEqualTo(1);
        assertThat(run(trusting, "cluster").out().lines().filter(line -> line.startsWith("shop")))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains(" " + node + " "));
        assertThat(after.path("nodes"))
                .allSatisfy(each -> assertThat(each.path("alive").asBoolean())
                        .isEqualTo(each.path("node").asString().equals(node)));
    }
}
