package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers on one database, killed, stopped beyond their leases and ended at random under load: sequences of every
 * contract and events come out whole. verification/cluster-loop.sh runs long ones. {@code -Dseriatim.seed=N} repeats one,
 * {@code -Dseriatim.rounds=N} makes it longer, {@code -Dseriatim.takeovers=N} measures how long a takeover takes.
 */
final class ClusterLoopIT {

    private static final int ROUNDS = 2;

    @Test
    void twoServersKilledPausedAndStopped_everythingIsWholeAndEverybodyWasToldTheTruth(
            @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws Exception {
        long seed = Long.getLong("seriatim.seed", System.nanoTime());
        int rounds = Integer.getInteger("seriatim.rounds", ROUNDS);
        ClusterLoop.Result result = new ClusterLoop(
                        ServerJar.path(), PostgresServer.shared().newDatabase(), folder.resolve("loop"), seed)
                .run(rounds);
        System.out.println("cluster loop: seed=" + seed + " " + result);
        assertThat(result.violations()).isEmpty();
        assertThat(result.events().acknowledged()).isGreaterThan(20);
        assertThat(result.gaplessNumbers()).isPositive();
    }

    @Test
    void takeover_measured(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws Exception {
        int takeovers = Integer.getInteger("seriatim.takeovers", 0);
        assumeTrue(takeovers > 0, "only with -Dseriatim.takeovers=N");
        Takeovers measured =
                new Takeovers(ServerJar.path(), PostgresServer.shared().newDatabase(), folder);
        System.out.println(measured.run(takeovers));
    }
}
