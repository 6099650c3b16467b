package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.verification.HistoryEvent.Answered;
import io.seriatim.verification.HistoryEvent.Crashed;
import io.seriatim.verification.HistoryEvent.Invoked;
import io.seriatim.verification.HistoryEvent.Run;
import io.seriatim.verification.HistoryEvent.Started;
import io.seriatim.verification.HistoryEvent.Stopped;
import io.seriatim.verification.SequenceClient.Outcome;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * A disk that fails a sync under load. The kernel drops the pages that it could not write and calls the next sync a
 * success, so nothing may be tried again. Needs a C compiler to build the failing sync with.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class FailingSyncIT {

    private static final Duration STOPS = Duration.ofMinutes(1);
    private static final JsonMapper JSON = new JsonMapper();

    private final SplittableRandom random = new SplittableRandom(Long.getLong("seriatim.seed", System.nanoTime()));
    private final Queue<String> surprises = new ConcurrentLinkedQueue<>();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {20, 500})
    void logSyncFails_stopsForGoodAndRepeatsNothing(int syncs) throws Exception {
        Path file = folder.resolve("history.jsonl");
        Path data = folder.resolve("data");
        try (HistoryWriter history = HistoryWriter.create(file)) {
            Load.ALL.forEach(load -> history.add(load.sequence()));
            Callers callers = new Callers(history, surprises::add);
            history.add(new Started(0));
            try (ServerProcess server = ServerProcess.launch(
                    ServerJar.path(),
                    List.of("--data", data.toString()),
                    folder.resolve("failing.txt"),
                    Map.of("LD_PRELOAD", library().toString(), "FAIL_LOG_SYNC_AFTER", Integer.toString(syncs)))) {
                SequenceClient client = new SequenceClient(SequenceClient.newHttp(), server.awaitListening());
                for (Load load : Load.ALL) {
                    load.define(client);
                }
                List<Thread> clients = callers.start(0, client, random.split(), () -> {});
                awaitStopped(client);
                assertThat(callers.drawOnce(0, client, random)).isZero();
                assertEveryCallIsRefused(client);
                assertThat(server.stop()).as(server.said()).isEqualTo(7);
                history.add(new Crashed(0));
                for (Thread each : clients) {
                    each.join();
                }
            }
            history.add(new Started(0));
            try (ServerProcess server = ServerProcess.launch(ServerJar.path(), data, folder.resolve("again.txt"))) {
                SequenceClient client = new SequenceClient(SequenceClient.newHttp(), server.awaitListening());
                assertMarksBehindNothing(client, greatest(file));
                assertThat(callers.drawOnce(0, client, random)).isEqualTo(Load.ALL.size());
                callers.repeat(0, client, random);
                assertThat(server.stop()).as(server.said()).isZero();
                history.add(new Stopped(0));
            }
        }
        Report report = HistoryCheckerMain.check(file, new HistoryChecker.Demand(syncs / 2, 1));
        System.out.println(report.summary());
        assertThat(report.violations()).as("history: %s", file).isEmpty();
        assertThat(report.verdict()).isEqualTo(Report.Verdict.VALID);
        assertThat(surprises).isEmpty();
    }

    private Path library() throws IOException, InterruptedException {
        Path library = folder.resolve("failing_log_sync.so");
        Path source = Path.of("src/test/c/failing_log_sync.c").toAbsolutePath();
        Process compiler = new ProcessBuilder(
                        "cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")
                .inheritIO()
                .start();
        assertThat(compiler.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(compiler.exitValue()).isZero();
        return library;
    }

    private static void awaitStopped(SequenceClient client) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        while (client.send("GET", "/health/ready", "").statusCode() == 200) {
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .as("time until the store has stopped")
                    .isLessThan(STOPS);
        }
    }

    private static void assertEveryCallIsRefused(SequenceClient client) throws IOException, InterruptedException {
        assertThat(client.send("GET", "/health/live", "").statusCode()).isEqualTo(200);
        for (Load load : Load.ALL) {
            HistoryEvent.Defined it = load.sequence();
            for (HistoryEvent.Wish wish : HistoryEvent.Wish.values()) {
                assertThat(client.take(it.sequence(), wish, 1, it.increment(), Optional.of("after the end")))
                        .isInstanceOfSatisfying(Outcome.Refused.class, refused -> {
                            assertThat(refused.status()).isEqualTo(503);
                            assertThat(refused.code()).isEqualTo("STORE_UNAVAILABLE");
                        });
            }
        }
    }

    /** The greatest value of each sequence that anybody was given. */
    private static Map<String, Long> greatest(Path file) throws IOException {
        Map<String, Long> greatest = new HashMap<>();
        Map<Long, String> calls = new HashMap<>();
        for (String line : Files.readAllLines(file)) {
            HistoryEvent event = HistoryFormat.parse(line);
            if (event instanceof Invoked call) {
                calls.put(call.call(), call.sequence());
            } else if (event instanceof Answered answer) {
                String sequence = Objects.requireNonNull(calls.get(answer.call()));
                Direction direction = direction(sequence);
                for (Run run : answer.runs()) {
                    greatest.merge(sequence, run.last(), (one, other) -> direction.isAhead(one, other) ? one : other);
                }
            }
        }
        return greatest;
    }

    private static Direction direction(String sequence) {
        return Load.ALL.stream()
                .map(Load::sequence)
                .filter(it -> it.sequence().equals(sequence))
                .map(it -> new Direction(it.increment()))
                .findFirst()
                .orElseThrow();
    }

    private static void assertMarksBehindNothing(SequenceClient client, Map<String, Long> greatest)
            throws IOException, InterruptedException {
        assertThat(greatest).isNotEmpty();
        for (Map.Entry<String, Long> given : greatest.entrySet()) {
            HttpResponse<String> response = client.send("GET", "/v1/sequences/" + given.getKey(), "");
            long mark = JSON.readTree(response.body()).required("highWaterMark").longValue();
            assertThat(direction(given.getKey()).isAhead(given.getValue(), mark))
                    .as("%s gave %s, its mark is %s", given.getKey(), given.getValue(), mark)
                    .isFalse();
        }
    }
}
