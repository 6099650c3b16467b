package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.rocksdb.RocksDbStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** The commands that copy a store and bring a copy back. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackupCommandsTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path temp;

    private record Said(int exitCode, String out, String err) {

        JsonNode json() {
            return Calls.json(out);
        }
    }

    private Said run(String folder, String words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = Main.commandLine(Map.of());
        commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        List<String> arguments = new ArrayList<>(List.of(words.split(" ")));
        arguments.add("--data");
        arguments.add(temp.resolve(folder).toString());
        int exitCode = commandLine.execute(arguments.toArray(String[]::new));
        return new Said(exitCode, out.toString(), err.toString());
    }

    private Said done(String folder, String words) {
        Said said = run(folder, words);
        assertThat(said.exitCode()).as(words + ": " + said.err()).isZero();
        return said;
    }

    private String at(String name) {
        return temp.resolve(name).toString();
    }

    private void make() {
        done("data", "define orders --contract ordered");
        done("data", "next orders -n 10");
        done("data", "define invoices --template {year}-{seq:4} --reset yearly --contract gapless");
        done("data", "next invoices -n 2 --date 2026-05-01");
        done("data", "backup " + at("copy"));
        done("data", "next orders -n 5"); // 11 to 15, which the copy does not know
    }

    @Test
    void backup_andRestoreWithAMargin_goOnBehindIt() {
        make();
        Said restored = done("new", "restore " + at("copy") + " --margin 100 --json");
        assertThat(restored.json().path("incarnation").asInt()).isEqualTo(2);
        assertThat(restored.json().path("dryRun").asBoolean()).isFalse();
        assertThat(restored.json().path("counters").findValuesAsString("lastValue"))
                .contains("110", "102");
        assertThat(done("new", "next orders").out()).isEqualTo("111\n");
        assertThat(done("new", "next invoices --date 2026-05-01").out()).isEqualTo("2026-0103\n");
        assertThat(done("new", "check").err()).isEmpty();
        assertThat(done("new", "audit orders").out()).contains("restore", "margin 100");
    }

    @Test
    void restore_withoutAWordOfWhatWasUsed_servesNothingUntilThatIsSaid() {
        make();
        Said said = run("new", "restore " + at("copy"));
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains("BAD_OPTION", "invoices", "margin");
        for (String command : List.of("next orders", "list", "serve --port 0", "backup " + at("other"))) {
            Said refused = run("new", command);
            assertThat(refused.exitCode()).as(command).isEqualTo(7);
            assertThat(refused.err()).contains("RESTORE_PENDING");
        }
        assertThat(done("new", "check").err()).isEmpty();
        assertThat(run("new", "restore " + at("copy") + " --margin 5").err()).contains("ALREADY_EXISTS");
        done("new", "restore --in-place --margin 5");
        assertThat(done("new", "next orders").out()).isEqualTo("16\n");
    }

    @Test
    void restore_withTheNumbersUsed_goesOnBehindThem() throws IOException {
        make();
        Path used = Files.writeString(temp.resolve("used"), "orders 15\norders 13\ninvoices -\n");
        done("new", "restore " + at("copy") + " --used " + used);
        assertThat(done("new", "next orders").out()).isEqualTo("16\n");
        assertThat(done("new", "next invoices --date 2026-05-01").out()).isEqualTo("2026-0003\n");
        Said bad =
                run("other", "restore " + at("copy") + " --used " + Files.writeString(temp.resolve("bad"), "orders x"));
        assertThat(bad.exitCode()).isEqualTo(2);
        assertThat(bad.err()).contains("line 1");
    }

    @Test
    void restore_dryRun_saysWhatAndLeavesNothingBehind() throws IOException {
        make();
        Said said = done("new", "restore " + at("copy") + " --margin 100 --dry-run");
        assertThat(said.out()).contains("orders", "10", "110", "dryRun", "true");
        try (var files = Files.list(temp)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder("data", "copy");
        }
        String before = done("data", "show orders").out();
        done("data", "restore --in-place --margin 100 --dry-run --since 2026-11-01T00:00:00Z");
        assertThat(done("data", "show orders").out()).isEqualTo(before);
    }

    @Test
    void restoreInPlace_ofSequencesWithPeriods_needsToKnowWhen() {
        make();
        Said said = run("data", "restore --in-place --margin 100");
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains("since");
        done("data", "restore --in-place --margin 100 --since 2026-11-01T00:00:00Z");
        assertThat(done("data", "next orders").out()).isEqualTo("116\n");
    }

    @Test
    void restore_eventLog_needsItsEventsGivenUp() {
        done("data", "log define shop --partitions 1 --sequence store.RecordID=200001 --type order=ODoc");
        done("data", "append shop 1 --kind store --argument {\"type\":\"order\",\"id\":1}");
        done("data", "backup " + at("copy"));
        Said said = run("new", "restore " + at("copy") + " --margin 0");
        assertThat(said.err()).contains("--give-up-events", "log shop, partition 0 ends at offset 1");
        Said done = done("new", "restore --in-place --margin 0 --give-up-events");
        assertThat(done.out()).contains("shop", "1000002");
        assertThat(done("new", "append shop 1 --kind store --argument {\"type\":\"order\",\"id\":1}")
                        .out())
                .contains("plogOffset  2", "200002");
    }

    /** Each try told of one more. */
    @Test
    void restore_whatHasToBeGivenUp_isSaidAtOnce() {
        done("data", "log define shop --partitions 1 --sequence store.RecordID=200001 --type order=ODoc");
        done("data", "append shop 1 --kind store --argument {\"type\":\"order\",\"id\":1}");
        try (RocksDbStore store = RocksDbStore.openForTransactions(temp.resolve("data"))) {
            long unused = store.transactions().create();
        }
        done("data", "backup " + at("copy"));
        Said said = run("new", "restore " + at("copy") + " --margin 0");
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains("--give-up-events", "--give-up-values");
    }

    /** They went back with the copy, and nobody was told. */
    @Test
    void restore_transactionalSequences_needTheirValuesGivenUp() {
        done("data", "define orders");
        try (RocksDbStore store = RocksDbStore.openForTransactions(temp.resolve("data"))) {
            long unused = store.transactions().create();
        }
        done("data", "backup " + at("copy"));
        Said said = run("new", "restore " + at("copy") + " --margin 0");
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains("--give-up-values", "1 transactional sequences");
        done("new", "restore --in-place --margin 0 --give-up-values");
        done("new", "next orders");
    }

    @Test
    void restore_badUsage_isRefused() {
        for (String words : List.of(
                "restore",
                "restore x --in-place",
                "restore x --since 2026-11-01T00:00:00Z",
                "restore --in-place --since yesterday",
                "restore x --block 3",
                "restore x --margin -1",
                "restore x --server http://127.0.0.1:1")) {
            assertThat(run("new", words).exitCode()).as(words).isEqualTo(2);
        }
        Said said = run("new", "restore " + at("nothing") + " --margin 1");
        assertThat(said.exitCode()).isEqualTo(3);
        assertThat(said.err()).contains("NOT_FOUND", "no backup");
        assertThat(run("none", "backup " + at("copy")).exitCode()).isEqualTo(3);
    }

    @Test
    void backupVerify_damagedFile_isToldWith7() throws IOException {
        make();
        assertThat(done("data", "backup " + at("copy") + " --verify").out()).contains("files", "bytes");
        try (var files = Files.list(temp.resolve("copy").resolve("files"))) {
            Path file = files.filter(each -> each.toString().endsWith(".sst"))
                    .findFirst()
                    .orElseThrow();
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length / 2] ^= 1;
            Files.write(file, bytes);
        }
        Said said = run("data", "backup " + at("copy") + " --verify");
        assertThat(said.exitCode()).isEqualTo(7);
        assertThat(said.err()).contains("STORE_CORRUPT", "damaged file");
        assertThat(run("new", "restore " + at("copy") + " --margin 1").exitCode())
                .isEqualTo(7);
        assertThat(temp.resolve("new")).doesNotExist();
        assertThat(run("data", "backup " + at("copy")).err()).contains("ALREADY_EXISTS");
    }

    @Test
    void verifyUsed_numbersThatWouldComeAgain_areToldWith7() throws IOException {
        make();
        done("data", "verify-used " + Files.writeString(temp.resolve("good"), "orders 15\ninvoices 2026-0002\n"));
        Said said = run("data", "verify-used " + Files.writeString(temp.resolve("bad"), "orders 16\n"));
        assertThat(said.exitCode()).isEqualTo(7);
        assertThat(said.err()).contains("AHEAD: orders, value 16");
    }

    // ---- of a server

    /** A server on the folder, with a folder for backups. */
    private Serving serve() throws IOException {
        Files.createDirectories(temp.resolve("copies"));
        return Serving.start(Settings.of(
                Map.of(Setting.DATA, at("data"), Setting.PORT, "0", Setting.BACKUP_DIR, at("copies")), Map.of()));
    }

    private Said call(Serving server, String words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = Main.commandLine(Map.of());
        commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int exitCode = commandLine.execute(("--server " + server.uri() + " " + words).split(" "));
        return new Said(exitCode, out.toString(), err.toString());
    }

    @Test
    void backup_ofAServer_isMadeWhileItServes() throws IOException {
        try (Serving server = serve()) {
            assertThat(call(server, "define orders --contract ordered").exitCode())
                    .isZero();
            assertThat(call(server, "next orders -n 10").exitCode()).isZero();
            Said made = call(server, "backup monday");
            assertThat(made.err()).isEmpty();
            assertThat(made.out()).contains("monday", "done", "incarnation  1");
            assertThat(call(server, "next orders").out()).isEqualTo("11\n");
            for (String name : List.of("monday", "x/y", "..", "a.part", "-")) {
                Said refused = call(server, "backup " + name);
                assertThat(refused.exitCode()).as(name).isEqualTo(name.equals("monday") ? 3 : 2);
            }
        }
        done("new", "restore " + at("copies") + "/monday --margin 5");
        assertThat(done("new", "next orders").out()).isEqualTo("16\n");
    }

    /** A name that was taken already stood in the log of the server as an error, with a stack trace. */
    @Test
    void backup_ofAServerOntoANameThatIsTaken_isNoErrorOfTheServer() throws IOException {
        PrintStream usual = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        try (Serving server = serve()) {
            assertThat(call(server, "backup monday").exitCode()).isZero();
            System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
            assertThat(call(server, "backup monday").exitCode()).isEqualTo(3);
        } finally {
            System.setErr(usual);
        }
        assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("ERROR", "\tat ");
    }

    @Test
    void backup_insideTheDataFolder_isRefused() {
        make();
        Said refused = run("data", "backup " + at("data") + "/copy");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("inside a data folder");
        assertThat(run("data", "backup " + at("copy") + "/copy").err()).contains("inside a data folder or a backup");
    }

    /** They said that PostgreSQL checks its own pages. */
    @Test
    void backupAndRestore_ofADatabase_sayWhatDoesIt() {
        List<String> store =
                List.of("--store", "postgresql", "--url", "jdbc:postgresql://127.0.0.1:1/app", "--user", "app");
        for (String command : List.of("backup x", "restore x")) {
            StringWriter err = new StringWriter();
            CommandLine commandLine = Main.commandLine(Map.of());
            commandLine.setErr(new PrintWriter(err));
            List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
            arguments.addAll(store);
            assertThat(commandLine.execute(arguments.toArray(String[]::new))).isEqualTo(2);
            assertThat(err.toString()).contains("own tools").doesNotContain("pages");
        }
    }

    @Test
    void backup_ofAServerWithoutAFolderForIt_isRefused() {
        Settings none = Settings.of(Map.of(Setting.DATA, at("data"), Setting.PORT, "0"), Map.of());
        try (Serving server = Serving.start(none)) {
            Said refused = call(server, "backup monday");
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.err()).contains("BAD_REQUEST", "--backup-dir");
        }
        Settings bad = Settings.of(
                Map.of(Setting.DATA, at("data"), Setting.PORT, "0", Setting.BACKUP_DIR, at("nowhere")), Map.of());
        assertThatThrownBy(() -> Serving.start(bad)).isInstanceOf(Refusal.class);
    }
}
