package io.seriatim.verification;

import io.seriatim.verification.HistoryEvent.Answered;
import io.seriatim.verification.HistoryEvent.Crashed;
import io.seriatim.verification.HistoryEvent.Defined;
import io.seriatim.verification.HistoryEvent.Failed;
import io.seriatim.verification.HistoryEvent.Started;
import io.seriatim.verification.HistoryEvent.Stopped;
import io.seriatim.verification.HistoryEvent.Wish;
import io.seriatim.verification.SequenceClient.Outcome;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Kills a server while clients draw numbers, starts it again on the same folder, and so on; then checks the
 * history of all calls.
 */
final class KillLoop {

    /*
     * A round is one life of the server under load. It ends when a number of calls, drawn from the seed, has
     * been answered: mostly by SIGKILL a few milliseconds later, with eight calls under way, sometimes by
     * SIGTERM. Before some rounds a life ends by SIGKILL while it starts, so that recovery itself is
     * interrupted. The last life of a loop only shows where each sequence goes on.
     *
     * The seed decides what is called and when the end comes, not how the machine schedules it: a second run
     * with the same seed is alike, not equal.
     */

    private static final int CLIENTS = 8;
    private static final int MOST_CALLS = 1_500;
    private static final int MOST_VALUES = 20;
    private static final int ONE_STOP_IN = 5;
    private static final int ONE_KILL_AT_START_IN = 6;
    private static final int MOST_MILLIS_AFTER_LAST_CALL = 20;
    private static final int MOST_MILLIS_OF_START = 1_500;
    private static final Duration LOAD = Duration.ofSeconds(60);

    /** What a client may ask of a sequence. */
    private record Load(Defined sequence, List<Wish> calls, long mostValues) {}

    private static final List<Load> LOADS = List.of(
            new Load(up("one-by-one", OptionalLong.of(1)), List.of(Wish.EXACTLY), 1),
            new Load(up("hundreds", OptionalLong.of(100)), List.of(Wish.EXACTLY), 1),
            new Load(up("by-rate", OptionalLong.empty()), List.of(Wish.EXACTLY, Wish.AT_MOST), MOST_VALUES),
            new Load(
                    new Defined("down", 1, -1, Long.MIN_VALUE, -1, -3, OptionalLong.of(7)),
                    List.of(Wish.EXACTLY, Wish.AT_MOST),
                    MOST_VALUES));

    private final Path jar;
    private final Path data;
    private final Path errors;
    private final Path historyFile;
    private final long seed;
    private final Consumer<String> progress;
    private final HttpClient http = SequenceClient.newHttp();
    /** Answers that no call should get. */
    private final Queue<String> surprises = new ConcurrentLinkedQueue<>();

    /**
     * @param folder where data, history and the server's error output go; made anew
     * @param progress takes a line now and then
     */
    KillLoop(Path jar, Path folder, long seed, Consumer<String> progress) throws IOException {
        if (!Files.isRegularFile(jar)) {
            throw new IllegalArgumentException("there is no such jar: seriatim.jar=" + jar);
        }
        Files.createDirectories(folder);
        this.jar = jar;
        this.data = folder.resolve("data");
        this.errors = folder.resolve("server-errors.txt");
        this.historyFile = folder.resolve("history.jsonl");
        this.seed = seed;
        this.progress = progress;
        if (Files.exists(data)) {
            throw new IllegalArgumentException("there is data of an earlier loop: folder=" + folder);
        }
    }

    Path historyFile() {
        return historyFile;
    }

    /**
     * What came of a loop.
     *
     * @param surprises what the history cannot show: answers of an unexpected kind, stops that failed
     */
    record Result(Report report, List<String> surprises) {
        boolean isGood() {
            return report.verdict() == Report.Verdict.VALID && surprises.isEmpty();
        }
    }

    Result run(int rounds) throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        try (HistoryWriter history = HistoryWriter.create(historyFile)) {
            LOADS.forEach(load -> history.add(load.sequence()));
            try {
                rounds(history, random, rounds);
                lastLife(history);
            } catch (IllegalStateException e) {
                surprises.add("the loop ended early: " + e.getMessage());
            }
        }
        long calls = Math.min(1_000, 10L * rounds);
        Report report = HistoryCheckerMain.check(historyFile, new HistoryChecker.Demand(calls, 1));
        return new Result(report, List.copyOf(surprises));
    }

    private void rounds(HistoryWriter history, SplittableRandom random, int rounds)
            throws IOException, InterruptedException {
        for (int round = 1; round <= rounds; round++) {
            if (round > 1 && random.nextInt(ONE_KILL_AT_START_IN) == 0) {
                killWhileStarting(history, random);
            }
            round(history, random.split(), round == 1);
            if (round % Math.max(1, Math.min(25, rounds / 10)) == 0) {
                progress.accept("round " + round + " of " + rounds + ", surprises: " + surprises.size());
            }
        }
    }

    private void killWhileStarting(HistoryWriter history, SplittableRandom random)
            throws IOException, InterruptedException {
        history.add(new Started());
        try (ServerProcess server = ServerProcess.launch(jar, data, errors)) {
            if (server.endsWithin(Duration.ofMillis(random.nextInt(MOST_MILLIS_OF_START)))) {
                surprises.add("a server ended while it started: " + server.said());
            }
            server.kill();
            history.add(new Crashed());
        }
    }

    private void round(HistoryWriter history, SplittableRandom random, boolean first)
            throws IOException, InterruptedException {
        history.add(new Started());
        try (ServerProcess server = ServerProcess.launch(jar, data, errors)) {
            SequenceClient client = new SequenceClient(http, server.awaitListening());
            if (first) {
                define(client);
            }
            CountDownLatch calls = new CountDownLatch(1 + random.nextInt(MOST_CALLS));
            List<Thread> clients = startClients(client, history, random, calls);
            if (!calls.await(LOAD.toSeconds(), TimeUnit.SECONDS)) {
                surprises.add("a server answered too few calls within " + LOAD);
            }
            if (server.endsWithin(Duration.ofNanos(random.nextLong(1_000_000L * MOST_MILLIS_AFTER_LAST_CALL)))) {
                surprises.add("a server ended by itself: " + server.said());
            }
            end(server, history, random);
            for (Thread each : clients) {
                each.join();
            }
        }
    }

    private void end(ServerProcess server, HistoryWriter history, SplittableRandom random) throws InterruptedException {
        if (random.nextInt(ONE_STOP_IN) != 0) {
            server.kill();
            history.add(new Crashed());
            return;
        }
        int exitCode = server.stop();
        if (exitCode == 0) {
            history.add(new Stopped());
        } else {
            surprises.add("SIGTERM ended with exit code " + exitCode + ": " + server.said());
            history.add(new Crashed());
        }
    }

    private void lastLife(HistoryWriter history) throws IOException, InterruptedException {
        history.add(new Started());
        try (ServerProcess server = ServerProcess.launch(jar, data, errors)) {
            SequenceClient client = new SequenceClient(http, server.awaitListening());
            for (Load load : LOADS) {
                call(client, history, load, Wish.EXACTLY, 1);
            }
            int exitCode = server.stop();
            if (exitCode != 0) {
                surprises.add("the last SIGTERM ended with exit code " + exitCode + ": " + server.said());
            }
            history.add(new Stopped());
        }
    }

    private List<Thread> startClients(
            SequenceClient client, HistoryWriter history, SplittableRandom random, CountDownLatch calls) {
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            SplittableRandom own = random.split();
            Thread thread = new Thread(() -> drawUntilTheEnd(client, history, own, calls), "verification-client-" + i);
            thread.setDaemon(true);
            clients.add(thread);
        }
        clients.forEach(Thread::start);
        return clients;
    }

    private void drawUntilTheEnd(
            SequenceClient client, HistoryWriter history, SplittableRandom random, CountDownLatch calls) {
        try {
            boolean goesOn = true;
            while (goesOn) {
                Load load = LOADS.get(random.nextInt(LOADS.size()));
                Wish wish = load.calls().get(random.nextInt(load.calls().size()));
                goesOn = call(client, history, load, wish, 1 + random.nextLong(load.mostValues()));
                calls.countDown();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            surprises.add("a client failed: " + e);
        }
    }

    /** Says whether the server is still there. */
    private boolean call(SequenceClient client, HistoryWriter history, Load load, Wish wish, long count)
            throws InterruptedException {
        Defined sequence = load.sequence();
        long call = history.addCall(sequence.sequence(), wish, count);
        Outcome outcome = client.take(sequence.sequence(), wish, count, sequence.increment());
        if (outcome instanceof Outcome.Values values) {
            history.add(new Answered(call, values.generation(), values.runs()));
            return true;
        }
        if (outcome instanceof Outcome.Refused refused) {
            history.add(new Failed(call, refused.code()));
            if (refused.status() != 503) {
                surprises.add("call " + call + " was answered " + refused);
            }
            return true;
        }
        if (outcome instanceof Outcome.NotSent) {
            history.add(new Failed(call, "NOT_SENT"));
        }
        return false;
    }

    private static void define(SequenceClient client) throws IOException, InterruptedException {
        for (Load load : LOADS) {
            Defined it = load.sequence();
            String cache = it.cache().isPresent() ? Long.toString(it.cache().getAsLong()) : "\"auto\"";
            String body = "{\"start\":" + it.start() + ",\"min\":" + it.min() + ",\"max\":" + it.max()
                    + ",\"increment\":" + it.increment() + ",\"cache\":" + cache + "}";
            HttpResponse<String> response = client.send("PUT", "/v1/sequences/" + it.sequence(), body);
            if (response.statusCode() != 201) {
                throw new IllegalStateException("cannot define " + it + ": " + response.body());
            }
        }
    }

    private static Defined up(String name, OptionalLong cache) {
        return new Defined(name, 1, 1, 1, Long.MAX_VALUE, 1, cache);
    }
}
