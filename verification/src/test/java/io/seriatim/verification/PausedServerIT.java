package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.verification.HistoryEvent.Started;
import io.seriatim.verification.HistoryEvent.Stopped;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * One of two servers on a database stands still under load, blocks in memory and writes under way, and goes on as if
 * nothing had been. {@code -Dseriatim.pauseSeconds=20} is longer than every wait in it.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class PausedServerIT {

    private static final int PAUSED = 0;
    private static final int OTHER = 1;
    private static final int CALLS = 400;
    private static final Duration BACK = Duration.ofSeconds(10);

    private final Duration pause = Duration.ofSeconds(Long.getLong("seriatim.pauseSeconds", 3));
    private final SplittableRandom random = new SplittableRandom(Long.getLong("seriatim.seed", System.nanoTime()));
    private final Queue<String> surprises = new ConcurrentLinkedQueue<>();
    private final List<Thread> clients = new ArrayList<>();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    @Test
    void serverPausedUnderLoad_neitherRepeatsNorHoldsUpTheOtherAndGoesOn() throws Exception {
        PostgresSettings database = PostgresServer.shared().newDatabase();
        Path file = folder.resolve("history.jsonl");
        try (HistoryWriter history = HistoryWriter.create(file);
                ServerProcess paused = ServerProcess.launch(ServerJar.path(), database, folder.resolve("paused.txt"));
                ServerProcess other = ServerProcess.launch(ServerJar.path(), database, folder.resolve("other.txt"))) {
            Load.ALL.forEach(load -> history.add(load.sequence()));
            history.add(new Started(PAUSED));
            history.add(new Started(OTHER));
            Callers callers = new Callers(history, surprises::add);
            SequenceClient toPaused = new SequenceClient(SequenceClient.newHttp(), paused.awaitListening());
            SequenceClient toOther = new SequenceClient(SequenceClient.newHttp(), other.awaitListening());
            for (Load load : Load.ALL) {
                load.define(toOther);
            }
            await(load(callers, PAUSED, toPaused));
            CountDownLatch meanwhile = load(callers, OTHER, toOther);
            paused.pause();
            await(meanwhile);
            assertThat(other.endsWithin(pause)).isFalse();
            assertThat(callers.drawOnce(OTHER, toOther, random))
                    .as("sequences that give values while the other server stands still")
                    .isEqualTo(Load.ALL.size());
            paused.resume();
            awaitBack(callers, toPaused);
            await(load(callers, PAUSED, toPaused));
            assertThat(paused.stop()).as(paused.said()).isZero();
            history.add(new Stopped(PAUSED));
            assertThat(other.stop()).as(other.said()).isZero();
            history.add(new Stopped(OTHER));
            for (Thread client : clients) {
                client.join();
            }
        }
        Report report = HistoryCheckerMain.check(file, new HistoryChecker.Demand(3 * CALLS, 0));
        System.out.println(report.summary());
        assertThat(report.violations()).as("history: %s", file).isEmpty();
        assertThat(report.verdict()).isEqualTo(Report.Verdict.VALID);
        assertThat(surprises).isEmpty();
    }

    private CountDownLatch load(Callers callers, int process, SequenceClient server) {
        CountDownLatch calls = new CountDownLatch(CALLS);
        clients.addAll(callers.start(process, server, random.split(), calls::countDown));
        return calls;
    }

    private static void await(CountDownLatch calls) throws InterruptedException {
        assertThat(calls.await(1, TimeUnit.MINUTES)).as("calls come through").isTrue();
    }

    private void awaitBack(Callers callers, SequenceClient server) throws InterruptedException {
        long begin = System.nanoTime();
        while (callers.drawOnce(PAUSED, server, random) < Load.ALL.size()) {
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .as("time until the server answers again")
                    .isLessThan(BACK);
        }
    }
}
