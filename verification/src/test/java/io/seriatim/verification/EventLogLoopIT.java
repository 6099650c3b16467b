package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that appends events, killed again and again: the log is whole. verification/event-log-loop.sh runs long ones.
 * {@code -Dseriatim.seed=N} repeats one, {@code -Dseriatim.rounds=N} makes it longer.
 */
final class EventLogLoopIT {

    private static final int KILLS = 5;

    /** S98. */
    @Test
    void processKilledOverAndOver_logIsWholeAndHasEveryAcknowledgedEvent(
            @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws Exception {
        long seed = Long.getLong("seriatim.seed", System.nanoTime());
        int kills = Integer.getInteger("seriatim.rounds", KILLS);
        EventLogHistory.Result result = new EventLogLoop(folder.resolve("loop")).run(kills, seed);
        System.out.println("event log loop: seed=" + seed + " " + result);
        assertThat(result.violations()).isEmpty();
        assertThat(result.starts()).isEqualTo(kills);
        assertThat(result.acknowledged()).isGreaterThan(100);
    }
}
