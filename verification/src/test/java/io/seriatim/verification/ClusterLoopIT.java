package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers on one database, killed, stopped beyond their leases and ended at random under load: sequences of every
 * contract and events come out whole. verification/cluster-loop.sh runs long ones. {@code -Dseriatim.seed=N} repeats one,
 * {@code -Dseriatim.rounds=N} makes it longer, {@code -Dseriatim.takeovers=N} measures more takeovers.
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
        assertThat(result.gaplessNumbers()).isPositive();
    }

    @Test
    void ownerStoppedAndKilled_theOtherServerCarriesOnEachTime(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder)
            throws Exception {
        int takeovers = Integer.getInteger("seriatim.takeovers", 1);
        String figures = new Takeovers(ServerJar.path(), PostgresServer.shared().newDatabase(), folder).run(takeovers);
        System.out.println(figures);
        assertThat(figures).containsPattern("SIGTERM .* " + takeovers + " times.*SIGKILL .* " + takeovers + " times");
    }
}
