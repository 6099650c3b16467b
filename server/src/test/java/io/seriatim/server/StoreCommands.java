package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands on stores of either kind, each named by its arguments. */
abstract class StoreCommands {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path temp;

    record Said(int exitCode, String out, String err) {}

    Said run(List<String> store, String words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = Main.commandLine(Map.of());
        commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        List<String> arguments = new ArrayList<>(List.of(words.split(" ")));
        arguments.addAll(store);
        int exitCode = commandLine.execute(arguments.toArray(String[]::new));
        return new Said(exitCode, out.toString(), err.toString());
    }

    String done(List<String> store, String words) {
        Said said = run(store, words);
        assertThat(said.exitCode()).as(words + ": " + said.err()).isZero();
        return said.out();
    }

    List<String> folder(String name) {
        return List.of("--data", temp.resolve(name).toString());
    }

    String at(String name) {
        return temp.resolve(name).toString();
    }

    /** A database of its own, which nobody has used. */
    static List<String> database(String name) throws SQLException {
        try (Connection connection = DriverManager.getConnection(SharedPostgres.url(), "postgres", "");
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        String url = SharedPostgres.url().replaceFirst("/[^/]*$", "/" + name);
        return List.of("--store", "postgresql", "--url", url, "--user", "postgres");
    }

    /** Those of a server on a database. */
    static Settings serving(List<String> database) {
        return Settings.of(
                Map.of(
                        Setting.STORE,
                        "postgresql",
                        Setting.URL,
                        database.get(3),
                        Setting.USER,
                        "postgres",
                        Setting.PORT,
                        "0"),
                Map.of());
    }

    /** Rows of every kind: plain, dropped, ordered, cycling, with a ledger, reservations, keys. */
    void make(List<String> store) {
        done(store, "define orders --cache 10");
        done(store, "next orders -n 3");
        done(store, "next orders -n 2 --key k1"); // 4, 5
        done(store, "define strict --contract ordered --increment -7 --min -100 --max 50 --cycle");
        done(store, "next strict -n 9");
        done(store, "define gone");
        done(store, "drop gone --reason over");
        done(
                store,
                "define invoices --template {scope:shop}-{year}-{seq:4} --reset yearly --contract gapless --scope shop:10");
        done(store, "next invoices -n 3 --scope shop=bonn --date 2026-05-01");
        done(store, "void invoices bonn-2026-0002 --reason torn");
        done(store, "reserve invoices --scope shop=koeln --date 2026-05-01");
    }

    Set<String> rows(String file) throws IOException {
        List<String> lines = Files.readAllLines(temp.resolve(file));
        return new TreeSet<>(lines.subList(1, lines.size() - 1));
    }
}
