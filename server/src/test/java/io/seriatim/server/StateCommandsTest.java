package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Everything in a store goes to another one, of the same kind or another. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StateCommandsTest extends StoreCommands {

    @Test
    void move_folderToDatabaseAndBack_losesNothingAndGoesOn() throws Exception {
        List<String> first = folder("first");
        List<String> second = database("move_and_back");
        List<String> third = folder("third");
        make(first);

        String exported = done(first, "export " + at("one") + " --final");
        assertThat(exported).contains("final        true", "definition   4");
        for (String command : List.of("next orders", "list", "restore --in-place --margin 3")) {
            Said refused = run(first, command);
            assertThat(refused.exitCode()).as(command).isEqualTo(7);
            assertThat(refused.err()).contains("MOVED_AWAY");
        }
        done(second, "import-state " + at("one"));
        done(second, "export " + at("two"));
        assertThat(rows("two")).isEqualTo(rows("one"));
        Files.delete(temp.resolve("one.imported"));
        assertThat(run(second, "import-state " + at("one")).err()).contains("not empty");

        assertThat(done(second, "next orders")).isEqualTo("6\n");
        assertThat(done(second, "next orders -n 2 --key k1")).isEqualTo("4\n5\n");
        assertThat(done(second, "next invoices --scope shop=bonn --date 2026-05-01"))
                .isEqualTo("bonn-2026-0004\n");
        assertThat(run(second, "drop invoices --reason x").err()).contains("RESERVATIONS_OPEN");
        done(second, "restart orders 1 --allow-reuse --reason test"); // nobody else has values in memory
        String strict = done(second, "peek strict");

        done(second, "export " + at("three") + " --final");
        Said refused = run(second, "next orders");
        assertThat(refused.exitCode()).isEqualTo(7);
        assertThat(refused.err()).contains("MOVED_AWAY");
        done(third, "import-state " + at("three"));
        done(third, "export " + at("four"));
        assertThat(rows("four")).isEqualTo(rows("three"));
        assertThat(done(third, "check")).contains("sound         true");
        assertThat(done(third, "next orders")).isEqualTo("2\n");
        assertThat(done(third, "next strict")).isEqualTo(strict);
    }

    /** A server that has the database open while everything is moved away takes no further value from it. */
    @Test
    void exportFinal_ofADatabaseThatAServerHasOpen_stopsTheServer() throws Exception {
        List<String> store = database("moved_away");
        try (Serving server = Serving.start(serving(store))) {
            List<String> there = List.of("--server", server.uri().toString());
            done(there, "define orders --contract ordered");
            assertThat(done(there, "next orders")).isEqualTo("1\n");
            done(store, "export " + at("moved") + " --final");
            Said refused = run(there, "next orders");
            assertThat(refused.exitCode()).isEqualTo(7);
            assertThat(refused.err()).contains("MOVED_AWAY");
        }
        done(folder("new"), "import-state " + at("moved"));
        assertThat(done(folder("new"), "next orders")).isEqualTo("2\n");
    }

    /** Of a store that goes on, the copy must not serve before somebody has said how far it went. */
    @Test
    void importState_ofAStoreThatMayGoOn_isACopy() throws Exception {
        make(folder("first"));
        done(folder("first"), "export " + at("copy"));
        assertThat(done(folder("first"), "next orders")).isEqualTo("6\n");
        done(folder("second"), "import-state " + at("copy"));
        Said refused = run(folder("second"), "next orders");
        assertThat(refused.exitCode()).isEqualTo(7);
        assertThat(refused.err()).contains("RESTORE_PENDING");
        done(folder("second"), "restore --in-place --margin 10 --no-new-scopes");
        assertThat(done(folder("second"), "next orders")).isEqualTo("16\n");
        Said database = run(database("no_copies"), "import-state " + at("copy"));
        assertThat(database.exitCode()).isEqualTo(2);
        assertThat(database.err()).contains("--final");
    }

    @Test
    void importState_damagedFile_leavesNothingBehind() throws Exception {
        make(folder("first"));
        done(folder("first"), "export " + at("good") + " --final");
        byte[] good = Files.readAllBytes(temp.resolve("good"));
        List<byte[]> bad = new ArrayList<>();
        for (int at = 0; at < good.length; at += 97) {
            byte[] flipped = good.clone();
            flipped[at] ^= 1;
            bad.add(flipped);
        }
        bad.add(Arrays.copyOf(good, good.length - 1));
        bad.add(Arrays.copyOf(good, good.length / 2));
        bad.add(Arrays.copyOf(good, good.length + 1));
        bad.add(new byte[0]);
        bad.add("{\"seriatim\":\"state\",\"format\":3}\n".getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < bad.size(); i++) {
            Path file = Files.write(temp.resolve("bad"), bad.get(i));
            Said said = run(folder("second"), "import-state " + file);
            assertThat(said.exitCode()).as("file %d: %s", i, said.err()).isEqualTo(7);
            assertThat(said.err()).contains("STORE_CORRUPT");
        }
        assertThat(temp.resolve("second")).doesNotExist();
        assertThat(temp.resolve("second.part")).doesNotExist();
        assertThat(run(folder("first"), "export " + at("good")).err()).contains("ALREADY_EXISTS");
        assertThat(run(folder("second"), "import-state " + at("nothing")).exitCode())
                .isEqualTo(2);
        done(folder("second"), "import-state " + at("good"));
        assertThat(run(folder("second"), "import-state " + at("good")).err()).contains("ALREADY_EXISTS");
    }

    /** A file that was imported into two stores made both hand out the same numbers, and only the manual said so. */
    @Test
    void importState_ofAFinalFileForTheSecondTime_isRefused() throws Exception {
        make(folder("first"));
        done(folder("first"), "export " + at("file") + " --final");
        done(folder("second"), "import-state " + at("file"));
        Said said = run(folder("third"), "import-state " + at("file"));
        assertThat(said.exitCode()).isEqualTo(3);
        assertThat(said.err()).contains("ALREADY_EXISTS", "imported already", "second", at("file.imported"));
        assertThat(temp.resolve("third")).doesNotExist();
        Files.delete(temp.resolve("file.imported"));
        done(folder("third"), "import-state " + at("file"));
    }

    /** The file of one looked like that of a store that knows what it has handed out, and the other store served at once. */
    @Test
    void export_ofACopyThatNobodyHasSpokenFor_isRefused() throws Exception {
        make(folder("first"));
        done(folder("first"), "backup " + at("copy"));
        assertThat(run(folder("second"), "restore " + at("copy")).exitCode()).isEqualTo(2);
        for (String how : List.of("", " --final")) {
            Said said = run(folder("second"), "export " + at("file") + how);
            assertThat(said.exitCode()).isEqualTo(7);
            assertThat(said.err()).contains("RESTORE_PENDING");
        }
        assertThat(temp.resolve("file")).doesNotExist();
        done(folder("second"), "restore --in-place --margin 1000 --no-new-scopes");
        done(folder("second"), "export " + at("file") + " --final");
    }

    /** Under another name, what a killed import had left was a store that served some of the rows. */
    @Test
    void open_folderThatWasNeverFinished_isRefused() throws Exception {
        make(folder("first"));
        Files.createFile(temp.resolve("first").resolve("seriatim.part"));
        for (String command : List.of(
                "next orders",
                "check",
                "export " + at("file"),
                "backup " + at("copy"),
                "restore --in-place --margin 1")) {
            Said said = run(folder("first"), command);
            assertThat(said.exitCode()).as(command).isEqualTo(7);
            assertThat(said.err()).contains("half made");
        }
    }

    /** A disk that is not mounted was sound, and its backup had nothing in it. */
    @Test
    void look_folderWithoutAStore_isNotFoundAndStaysAsItIs() throws Exception {
        Path empty = Files.createDirectory(temp.resolve("empty"));
        Files.writeString(temp.resolve("used"), "orders 1\n");
        for (String command : List.of(
                "check",
                "export " + at("file"),
                "backup " + at("copy"),
                "verify-used " + at("used"),
                "restore --in-place --margin 1")) {
            Said said = run(folder("empty"), command);
            assertThat(said.exitCode()).as(command).isEqualTo(3);
            assertThat(said.err()).contains("NOT_FOUND");
        }
        assertThat(empty).isEmptyDirectory();
    }

    @Test
    void importState_ofAFolder_isBadUsageAndNotTriedAgain() throws Exception {
        Said said = run(folder("new"), "import-state " + temp);
        assertThat(said.exitCode()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains("BAD_REQUEST", temp.toString(), "Is a directory");
        assertThat(temp.resolve("new")).doesNotExist();
    }

    /** It lay among the files of the store, went with them, and under the name of one of its logs was opened as that. */
    @Test
    void export_intoADataFolder_isRefused() throws Exception {
        done(folder("data"), "define orders");
        done(folder("other"), "define orders");
        Files.createSymbolicLink(temp.resolve("link"), temp.resolve("data"));
        for (String place : List.of("data/moved", "data/../data/moved", "link/rocksdb/000999.log", "other/moved")) {
            for (String folder : List.of("data", "link")) {
                Said said = run(folder(folder), "export --final " + at(place));
                assertThat(said.exitCode()).as(said.err()).isEqualTo(2);
                assertThat(said.err()).contains("BAD_REQUEST", "nothing was done");
            }
        }
        assertThat(done(folder("data"), "next orders")).isEqualTo("1\n");
    }

    /** It was read to the end of a line, and the memory was full before that. */
    @Test
    void importState_ofAFileThatIsNone_readsNoMoreThanItsBeginning() {
        Said said = run(folder("new"), "import-state /dev/zero");
        assertThat(said.exitCode()).isEqualTo(7);
        assertThat(said.err()).contains("is no file of export");
        assertThat(temp.resolve("new")).doesNotExist();
    }

    /** A commit without an answer, or a kill, left no mark, and done again into another place there were two stores. */
    @Test
    void importState_markIsThereFirst_mayBeDoneAgainIntoTheSameStoreOnly() throws Exception {
        make(folder("first"));
        done(folder("first"), "export " + at("file") + " --final");
        Path taken = Files.createDirectory(temp.resolve("taken"));
        Files.createFile(taken.resolve("something"));
        assertThat(run(folder("taken"), "import-state " + at("file")).exitCode())
                .isEqualTo(3);
        assertThat(temp.resolve("file.imported")).doesNotExist(); // certainly nothing was taken
        done(folder("second"), "import-state " + at("file"));
        String mark = Files.readString(temp.resolve("file.imported"));
        assertThat(run(folder("second"), "import-state " + at("file")).err()).contains("ALREADY_EXISTS");
        assertThat(Files.readString(temp.resolve("file.imported"))).isEqualTo(mark);
    }

    /** What a killed process has left stood in the way of every later export and import of the same name. */
    @Test
    void exportAndImport_whereADeadProcessLeftAHalfOne_takeItsPlace() throws Exception {
        make(folder("first"));
        Files.writeString(temp.resolve("file.part"), "{\"seriatim\":\"state\",\"format\":1,\"exp");
        done(folder("first"), "export " + at("file") + " --final");
        assertThat(temp.resolve("file.part")).doesNotExist();
        Path half = Files.createDirectory(temp.resolve("second.part"));
        Files.createFile(half.resolve("seriatim.part"));
        Files.createFile(half.resolve("seriatim.lock"));
        done(folder("second"), "import-state " + at("file"));
        assertThat(half).doesNotExist();

        Files.writeString(temp.resolve("other.part"), "{\"of\":\"somebody\"}");
        assertThat(run(folder("first"), "export " + at("other")).err()).contains("ALREADY_EXISTS");
        try (PartFile live = PartFile.begin(temp.resolve("live"), new byte[0])) {
            assertThat(run(folder("first"), "export " + at("live")).err()).contains("another process");
            live.finish();
        }
        assertThat(temp.resolve("live")).isEmptyFile();
    }

    /** It said "permission denied for schema", and not who may. */
    @Test
    void exportFinal_byARoleThatOwnsNothing_saysWhoMustDoIt() throws Exception {
        List<String> store = database("not_mine");
        make(store);
        try (Connection connection = DriverManager.getConnection(store.get(3), "postgres", "");
                var statement = connection.createStatement()) {
            statement.execute("CREATE ROLE serving LOGIN;"
                    + " GRANT USAGE ON SCHEMA seriatim TO serving;"
                    + " GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA seriatim TO serving;"
                    + " GRANT USAGE ON SEQUENCE seriatim.transactional_id TO serving");
        }
        List<String> serving = new ArrayList<>(store);
        serving.set(5, "serving");
        Said said = run(serving, "export " + at("file") + " --final");
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains("role that owns the tables, which is postgres");
        assertThat(temp.resolve("file")).doesNotExist();
        done(serving, "next orders");
        done(serving, "export " + at("file"));
        assertThat(run(store, "export " + at("file") + " --final").err()).contains("ALREADY_EXISTS");
        done(serving, "next orders"); // what failed has moved nothing
    }
}
