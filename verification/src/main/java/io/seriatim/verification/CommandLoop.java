package io.seriatim.verification;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Kills a server while clients append to the workspaces of a log and a follower reads along, starts it again on the same
 * folder, and so on; then reads the whole log and compares it with what everybody was told.
 */
final class CommandLoop {

    private static final int CLIENTS = 8;
    private static final int MOST_MILLIS = 1_500;
    private static final int MOST_MILLIS_OF_START = 1_200;
    private static final int ONE_KILL_AT_START_IN = 5;
    private static final Duration LAST = Duration.ofSeconds(20);

    private final Path jar;
    private final Path folder;
    private final long seed;
    private final Queue<String> surprises = new ConcurrentLinkedQueue<>();
    /** Where the server can be called; the clients wait while it is nowhere. */
    private final AtomicReference<URI> server = new AtomicReference<>(LogFollower.NOWHERE);

    /** @param folder where data and the server's error output go; made anew */
    CommandLoop(Path jar, Path folder, long seed) {
        this.jar = jar;
        this.folder = folder;
        this.seed = seed;
    }

    CommandHistory.Result run(int kills) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        SplittableRandom random = new SplittableRandom(seed);
        HttpClient http = SequenceClient.newHttp();
        CommandHistory history = new CommandHistory();
        List<CommandCaller> callers = new ArrayList<>();
        List<LogFollower> followers = new ArrayList<>();
        try {
            for (int kill = 0; kill < kills; kill++) {
                if (kill > 0 && random.nextInt(ONE_KILL_AT_START_IN) == 0) {
                    killWhileStarting(random);
                }
                try (ServerProcess life = launch()) {
                    URI now = life.awaitListening();
                    if (kill == 0) {
                        new LogClient(http, now).deploy();
                        begin(http, history, random, callers, followers);
                    }
                    server.set(now);
                    if (life.endsWithin(Duration.ofMillis(random.nextInt(MOST_MILLIS)))) {
                        surprises.add("a server ended by itself: " + life.said());
                    }
                    life.kill();
                    server.set(LogFollower.NOWHERE);
                }
            }
            return lastLife(http, history, callers, followers, kills);
        } finally {
            callers.forEach(CommandCaller::stop);
            followers.forEach(LogFollower::stop);
        }
    }

    private ServerProcess launch() throws IOException {
        return ServerProcess.launch(jar, folder.resolve("data"), folder.resolve("server-errors.txt"));
    }

    private void killWhileStarting(SplittableRandom random) throws IOException, InterruptedException {
        try (ServerProcess life = launch()) {
            if (life.endsWithin(Duration.ofMillis(random.nextInt(MOST_MILLIS_OF_START)))) {
                surprises.add("a server ended while it started: " + life.said());
            }
            life.kill();
        }
    }

    private void begin(
            HttpClient http,
            CommandHistory history,
            SplittableRandom random,
            List<CommandCaller> callers,
            List<LogFollower> followers) {
        for (int i = 0; i < CLIENTS; i++) {
            callers.add(CommandCaller.start(i, http, server, random.split(), history));
        }
        for (int partition = 0; partition < LogClient.PARTITIONS; partition++) {
            followers.add(LogFollower.start(partition, http, server));
        }
    }

    /** All that is open is settled: each caller ends what it has begun, and the followers come to the end of the log. */
    private CommandHistory.Result lastLife(
            HttpClient http,
            CommandHistory history,
            List<CommandCaller> callers,
            List<LogFollower> followers,
            int kills)
            throws IOException, InterruptedException {
        try (ServerProcess life = launch()) {
            URI now = life.awaitListening();
            server.set(now);
            for (CommandCaller each : callers) {
                each.finish(LAST);
            }
            LogClient client = new LogClient(http, now);
            client.awaitReady();
            CommandHistory.Result result = history.check(client, kills);
            for (LogFollower each : followers) {
                each.awaitOffset(result.lastOffsets().get(each.partition()), LAST)
                        .forEach(result.violations()::add);
            }
            result.violations().addAll(surprises);
            int code = life.stop();
            if (code != 0) {
                result.violations().add("the last server ended with " + code + ": " + life.said());
            }
            return result;
        }
    }
}
