package io.seriatim.verification;

import io.seriatim.postgresql.PostgresSettings;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * A PostgreSQL of its own on a free port of loopback, unpacked from a jar. Ends with this process at the latest.
 * Not for use by several threads.
 */
public final class PostgresServer implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(2);
    private static final String USER = "postgres";
    private static final AtomicLong SCHEMAS = new AtomicLong();
    private static final Set<PostgresServer> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> RUNNING.forEach(PostgresServer::close), "verification-stop-postgresql"));
    }

    private final Path folder;
    private final Path data;
    private EmbeddedPostgres running;

    private PostgresServer(Path folder) {
        this.folder = folder;
        this.data = folder.resolve("data");
        this.running = launch(data, 0, Map.of());
        RUNNING.add(this);
    }

    /** The one server that the tests of this process share, each in a schema of its own. */
    private static final class Shared {
        static final PostgresServer SERVER = start();
    }

    public static PostgresServer shared() {
        return Shared.SERVER;
    }

    /** Makes a database cluster and starts a server on it. */
    public static PostgresServer start() {
        try {
            return new PostgresServer(Files.createTempDirectory("seriatim-postgresql"));
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL cannot be started", e);
        }
    }

    private static EmbeddedPostgres launch(Path data, int port, Map<String, String> settings) {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPGStartupWait(START)
                .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
                .setErrorRedirector(ProcessBuilder.Redirect.DISCARD)
                // The library turns these off for speed.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on");
        settings.forEach(builder::setServerConfig);
        if (port != 0) {
            builder.setPort(port);
        }
        try {
            return builder.start();
        } catch (IOException | IllegalStateException e) {
            throw new IllegalStateException(
                    "PostgreSQL cannot be started on " + data + "; tests need Linux on amd64", e);
        }
    }

    public int port() {
        return running.getPort();
    }

    public String url() {
        return url(port());
    }

    /** The URL by which the server is reached through another port of this machine. */
    public String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    /** Settings for a store in a schema that nobody has used before. */
    public PostgresSettings newSchema() {
        return settings(url(), "test_" + SCHEMAS.incrementAndGet());
    }

    /** Settings for a store in a schema of such a server, also of another process's. */
    static PostgresSettings settings(String url, String schema) {
        return PostgresSettings.of(url, USER, "").withSchema(schema);
    }

    /** Settings for a store in a database that nobody has used before. */
    public PostgresSettings newDatabase() throws SQLException {
        String name = "test_" + SCHEMAS.incrementAndGet();
        run("CREATE DATABASE " + name);
        return PostgresSettings.of(url().replace("/postgres", "/" + name), USER, "");
    }

    /** A connection of an administrator; the caller closes it. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url(), USER, "");
    }

    /** Runs one statement as an administrator. */
    public void run(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Deletes all rows of event logs in a schema. */
    public void emptyEventLogs(PostgresSettings settings) throws SQLException {
        run("DO $$ DECLARE each text; BEGIN"
                + " FOR each IN SELECT tablename FROM pg_tables WHERE schemaname = '" + settings.schema()
                + "' AND starts_with(tablename, 'log_') LOOP"
                + " EXECUTE format('DELETE FROM %I.%I', '" + settings.schema() + "', each); END LOOP; END $$");
    }

    /** Stops as an operator does: clients are cut off, transactions rolled back, a checkpoint is written. */
    public void stop() {
        try {
            running.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills the server's first process, and waits until the others have noticed. */
    public void kill() throws IOException, InterruptedException {
        ProcessHandle first = postmaster();
        List<ProcessHandle> others = first.descendants().toList();
        first.destroyForcibly();
        awaitEnd(first);
        for (ProcessHandle other : others) {
            awaitEnd(other);
        }
        stop(); // lets the library forget it
    }

    private ProcessHandle postmaster() throws IOException {
        String pid = Files.readAllLines(data.resolve("postmaster.pid")).get(0);
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    private static void awaitEnd(ProcessHandle process) throws InterruptedException {
        try {
            process.onExit().get(START.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("process " + process.pid() + " does not end", e);
        }
    }

    /** Starts it again on the same data and port, after {@link #stop} or {@link #kill}. */
    public void startAgain() {
        running = launch(data, running.getPort(), Map.of());
    }

    /** Stops and starts it with a setting that holds until it is started again. */
    public void restartWith(String setting, String value) {
        stop();
        running = launch(data, running.getPort(), Map.of(setting, value));
    }

    /** Flips a byte in the rows of a table, as a bad disk would, while the server is stopped. */
    public void flipByte(String table) throws IOException, SQLException {
        Path file;
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_relation_filepath('" + table + "')")) {
            row.next();
            file = data.resolve(row.getString(1));
        }
        stop();
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1] ^= 1; // rows are put in from the end of a page
        Files.write(file, bytes);
        startAgain();
    }

    /** Stops it and deletes its data. May be called twice. */
    @Override
    public void close() {
        if (!RUNNING.remove(this)) {
            return;
        }
        stop();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the data of PostgreSQL cannot be deleted", e);
        }
    }
}
