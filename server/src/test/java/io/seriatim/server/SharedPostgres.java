package io.seriatim.server;

import io.seriatim.eventlog.application.TrustLevel;
import io.seriatim.postgresql.PostgresSettings;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** The one PostgreSQL of the tests of this module; ends with this process. */
final class SharedPostgres {

    private static final AtomicLong SCHEMAS = new AtomicLong();
    private static final EmbeddedPostgres SERVER = start();

    private SharedPostgres() {}

    private static EmbeddedPostgres start() {
        try {
            Path folder = Files.createTempDirectory("seriatim-postgresql");
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setDataDirectory(folder.resolve("data"))
                    .setPGStartupWait(Duration.ofMinutes(2))
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setRegisterShutdownHook(false)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(server, folder), "stop-postgresql"));
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL cannot be started; tests need Linux on amd64", e);
        }
    }

    private static void end(EmbeddedPostgres server, Path folder) {
        try {
            server.close();
            List<Path> all;
            try (Stream<Path> files = Files.walk(folder)) {
                all = files.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path file : all) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int port() {
        return SERVER.getPort();
    }

    static String url() {
        return "jdbc:postgresql://127.0.0.1:" + port() + "/postgres";
    }

    /** A store in a schema that nobody has used before. */
    static PostgresDatabase newStore() {
        return new PostgresDatabase(
                PostgresSettings.of(url(), "postgres", "").withSchema("test_" + SCHEMAS.incrementAndGet()),
                TrustLevel.VERIFY_ALL,
                Duration.ofSeconds(10));
    }
}
