package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A short kill loop; verification/kill-loop.sh runs long ones. {@code -Dseriatim.seed=N} repeats one. */
final class KillLoopIT {

    private static final int ROUNDS = 10;

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void serverKilledUnderLoad_neverGivesANumberTwice(@TempDir Path folder) throws Exception {
        long seed = Long.getLong("seriatim.seed", System.nanoTime());
        System.out.println("kill loop: seed=" + seed);
        KillLoop loop = KillLoop.onFolder(ServerJar.path(), folder.resolve("loop"), seed, System.out::println);
        KillLoop.Result result = loop.run(ROUNDS);
        System.out.println(result.report().summary());
        assertThat(result.surprises()).isEmpty();
        assertThat(result.report().violations()).isEmpty();
        assertThat(result.report().verdict()).isEqualTo(Report.Verdict.VALID);
    }
}
