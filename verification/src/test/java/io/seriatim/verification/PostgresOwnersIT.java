package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Processes that append events to one partition on PostgreSQL, killed, and stopped while another one takes over. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class PostgresOwnersIT {

    private static final int LINES = 300;
    private static final int KILLS = 3;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    private final PostgresSettings settings = PostgresServer.shared().newSchema();
    private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> surprises = new ConcurrentLinkedQueue<>();

    private DriverProcess driver() {
        return new DriverProcess(EventLogDriver.class, folder.resolve("errors.txt"), lines::add, surprises::add);
    }

    private List<String> arguments(long seed) {
        return List.of(settings.url(), Long.toString(seed), settings.schema());
    }

    private EventLogHistory.Result history(int ends) {
        EventLogHistory history = new EventLogHistory();
        surprises.forEach(history::violation);
        lines.forEach(history::add);
        try (PostgresStore store = PostgresStore.open(settings)) {
            return history.check(store.eventLog().partition(EventLogDriver.PARTITION), ends);
        }
    }

    /** S98. */
    @Test
    void processKilledOverAndOver_logIsWholeAndHasEveryAcknowledgedEvent() throws Exception {
        DriverProcess driver = driver();
        for (int kill = 1; kill <= KILLS; kill++) {
            driver.live(arguments(kill), LINES * kill);
        }
        EventLogHistory.Result result = history(KILLS);
        System.out.println("event log on PostgreSQL, killed: " + result);
        assertThat(result.violations()).isEmpty();
        assertThat(result.starts()).isEqualTo(KILLS);
        assertThat(result.acknowledged()).isGreaterThan(LINES);
    }

    /** S97. */
    @Test
    void ownerStoppedWhileAnotherTakesOver_writesNothingWhenItGoesOn() throws Exception {
        DriverProcess driver = driver();
        for (long round = 1; round <= KILLS; round++) {
            DriverProcess.Life before = driver.begin(arguments(10 * round));
            assertThat(before.awaitLines(LINES)).isTrue();
            before.pause();

            DriverProcess.Life after = driver.begin(arguments(10 * round + 1));
            assertThat(after.awaitLines(LINES)).isTrue();
            before.resume();
            assertThat(before.awaitEnd()).isEqualTo(1);
            assertThat(after.awaitLines(LINES)).isTrue(); // and is not disturbed
            after.kill();
        }
        assertThat(Files.readString(folder.resolve("errors.txt"))).containsIgnoringCase("fenced");
        EventLogHistory.Result result = history(2 * KILLS);
        System.out.println("event log on PostgreSQL, stopped: " + result);
        assertThat(result.violations()).isEmpty();
        assertThat(result.starts()).isEqualTo(2 * KILLS);
        assertThat(result.acknowledged()).isGreaterThan(2 * LINES);
    }
}
