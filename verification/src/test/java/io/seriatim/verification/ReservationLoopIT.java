package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.rocksdb.RocksDbStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that reserve, confirm and cancel with eight threads, killed again and again: every number is accounted for.
 * verification/reservation-loop.sh runs long ones. {@code -Dseriatim.seed=N} repeats one, {@code -Dseriatim.rounds=N}
 * makes it longer.
 */
final class ReservationLoopIT {

    private static final int KILLS = 5;

    @Test
    void processKilledOverAndOver_everyNumberIsAccountedFor(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder)
            throws Exception {
        Path data = folder.resolve("data");
        run(
                new ReservationLoop(
                        List.of(data.toString()), folder.resolve("errors.txt"), () -> RocksDbStore.open(data)),
                1);
    }

    @Test
    void twoProcessesOnADatabaseKilledOverAndOver_everyNumberIsAccountedFor(
            @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws Exception {
        PostgresSettings database = PostgresServer.shared().newDatabase();
        run(
                new ReservationLoop(
                        List.of(database.url(), database.user()),
                        folder.resolve("errors.txt"),
                        () -> PostgresStore.open(database)),
                2);
    }

    private static void run(ReservationLoop loop, int processes) throws InterruptedException {
        long seed = Long.getLong("seriatim.seed", System.nanoTime());
        ReservationLoop.Result result = loop.run(processes, Integer.getInteger("seriatim.rounds", KILLS), seed);
        System.out.println("reservation loop: seed=" + seed + " " + result);
        assertThat(result.violations()).isEmpty();
        assertThat(result.steps()).isGreaterThan(100);
    }
}
