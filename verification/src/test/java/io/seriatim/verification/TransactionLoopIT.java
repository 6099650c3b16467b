package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Transactions of eight threads, killed again and again: rows and puts are durable together. verification/transaction-loop.sh
 * runs long ones. {@code -Dseriatim.seed=N} repeats one, {@code -Dseriatim.rounds=N} makes it longer.
 */
final class TransactionLoopIT {

    private static final int KILLS = 3;
    private static final int MOST_LINES = 1_000;

    @Test
    void processKilledOverAndOver_getIsAtLeastEveryAcknowledgedPut(
            @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws Exception {
        long seed = Long.getLong("seriatim.seed", System.nanoTime());
        int kills = Integer.getInteger("seriatim.rounds", KILLS);
        TransactionLoop.Result result = new TransactionLoop(folder.resolve("loop")).run(kills, MOST_LINES, seed);
        System.out.println("transaction loop: seed=" + seed + " " + result);
        assertThat(result.violations()).isEmpty();
        assertThat(result.starts()).isEqualTo(kills);
        assertThat(result.rows()).isGreaterThanOrEqualTo(result.committed());
        assertThat(result.committed()).isPositive();
    }
}
