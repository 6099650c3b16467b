package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real server under eight clients and two followers, killed again and again: the log is whole, everybody was told the
 * truth, and what follows from the log is what it says. verification/command-loop.sh runs long ones. {@code
 * -Dseriatim.seed=N} repeats one, {@code -Dseriatim.rounds=N} makes it longer.
 */
final class CommandLoopIT {

    private static final int KILLS = 5;

    @Test
    void serverKilledOverAndOver_logIsWholeAndEverybodyWasToldTheTruth(
            @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws Exception {
        long seed = Long.getLong("seriatim.seed", System.nanoTime());
        int kills = Integer.getInteger("seriatim.rounds", KILLS);
        CommandHistory.Result result = new CommandLoop(ServerJar.path(), folder.resolve("loop"), seed).run(kills);
        System.out.println("command loop: seed=" + seed + " " + result);
        assertThat(result.violations()).isEmpty();
        assertThat(result.acknowledged()).isGreaterThan(100);
    }
}
