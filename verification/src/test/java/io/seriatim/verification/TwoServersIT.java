package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers on one database, each killed or stopped under load. {@code -Dseriatim.seed=N} repeats a run,
 * {@code -Dseriatim.rounds=N} makes it longer; every wait in it has a bound of its own.
 */
final class TwoServersIT {

    private static final int ROUNDS = 3;

    @Test
    void twoServersKilledUnderLoad_neverGiveANumberTwiceAndKeepTheOrder(
            @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws Exception {
        long seed = Long.getLong("seriatim.seed", System.nanoTime());
        System.out.println("two servers: seed=" + seed);
        KillLoop loop = KillLoop.onDatabase(
                ServerJar.path(),
                PostgresServer.shared().newDatabase(),
                folder.resolve("loop"),
                seed,
                System.out::println);
        KillLoop.Result result = loop.run(Integer.getInteger("seriatim.rounds", ROUNDS));
        System.out.println(result.report().summary());
        assertThat(result.surprises()).as("history: %s", loop.historyFile()).isEmpty();
        assertThat(result.report().violations())
                .as("history: %s", loop.historyFile())
                .isEmpty();
        assertThat(result.report().verdict()).isEqualTo(Report.Verdict.VALID);
    }
}
