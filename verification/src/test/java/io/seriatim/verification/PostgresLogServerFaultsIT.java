package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.application.ApplicationSettings;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.eventlog.application.Command;
import io.seriatim.eventlog.application.NewRecord;
import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands on a PostgreSQL server that dies, is full or takes no writes; each ends as one event. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class PostgresLogServerFaultsIT {

    private static final int DISK_MEGABYTES = 4;
    private static PostgresServer server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void startServer() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    /** What happens to the server while commands are sent. */
    private interface Trouble {
        void happen(KeyedCallers commands) throws Exception;
    }

    private static void during(PostgresSettings settings, Trouble trouble) throws Exception {
        KeyedCallers callers;
        try (PostgresStore store = PostgresStore.open(settings);
                SystemEnvironment environment = new SystemEnvironment();
                Applications applications =
                        Applications.on(store.eventLog(), ApplicationSettings.usual(), environment)) {
            KeyedCallers commands = KeyedCallers.start(
                    applications.deploy("shop", PostgresLogFaultsTest.SHOP).application());
            commands.awaitAnswers(50);
            trouble.happen(commands);
            commands.awaitAnswers(50);
            commands.endAndCheck();
            assertThat(store.eventLog().failure()).isEmpty();
            callers = commands;
        }
        numbersGoOn(settings, callers);
    }

    /** The next owner reads what was stored of the numbers, and gives out others. */
    private static void numbersGoOn(PostgresSettings settings, KeyedCallers before) {
        try (PostgresStore store = PostgresStore.open(settings);
                SystemEnvironment environment = new SystemEnvironment();
                Applications applications =
                        Applications.on(store.eventLog(), ApplicationSettings.usual(), environment)) {
            for (long workspace = 0; workspace < 2; workspace++) {
                Command command = Command.in("shop", workspace).create(NewRecord.of("customer", 1));
                before.requireNew(applications.get("shop").append(command, Duration.ofSeconds(20)), workspace);
            }
        }
    }

    private static PostgresSettings settings() {
        return server.newSchema().withTimeouts(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(31));
    }

    /** The owner lives on: what it has seen written is there, the events and what follows from them. */
    @Test
    void commands_serverKilled_eachIsOneEvent() throws Exception {
        during(settings(), commands -> {
            for (int kill = 0; kill < 3; kill++) {
                server.kill();
                server.startAgain();
                commands.awaitAnswers(100);
            }
        });
    }

    @Test
    void commands_databaseReadOnlyForAWhile_eachIsOneEvent() throws Exception {
        during(settings(), commands -> {
            set("on");
            commands.awaitRefusals(5);
            set("off");
        });
    }

    private static void set(String readOnly) throws Exception {
        server.run("ALTER SYSTEM SET default_transaction_read_only = '" + readOnly + "'");
        server.run("SELECT pg_reload_conf()");
    }

    @Test
    void commands_diskFullForAWhile_eachIsOneEvent() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), DISK_MEGABYTES)) {
            Path space = Files.createDirectory(disk.folder().resolve("space"));
            server.run("CREATE TABLESPACE small LOCATION '" + space + "'");
            PostgresSettings settings = settings();
            PostgresStore.open(settings).close();
            server.run("ALTER TABLE " + settings.schema() + ".log_event SET TABLESPACE small");
            during(settings, commands -> {
                disk.fill();
                commands.awaitRefusals(5);
                disk.free();
            });
            server.run("DROP SCHEMA " + settings.schema() + " CASCADE");
            server.run("DROP TABLESPACE small");
        }
    }
}
