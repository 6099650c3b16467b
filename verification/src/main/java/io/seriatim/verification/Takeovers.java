package io.seriatim.verification;

import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.verification.LogClient.Outcome;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Measures how long a partition carries out nothing when its owner ends: from SIGTERM or SIGKILL to the first command that
 * the other server answers.
 */
final class Takeovers {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final String COMMAND =
            "{\"kind\":\"shop\",\"cuds\":[{\"type\":\"customer\",\"id\":9,\"fields\":{\"name\":\"Ada\"}}]}";

    private final Path jar;
    private final PostgresSettings database;
    private final Path folder;
    private final HttpClient http = SequenceClient.newHttp();

    Takeovers(Path jar, PostgresSettings database, Path folder) {
        this.jar = jar;
        this.database = database;
        this.folder = folder;
    }

    /**
     * Ends the owner of a partition, and waits each time until the other server carries out a command in it.
     *
     * @param count of each kind
     */
    String run(int count) throws IOException, InterruptedException {
        List<Duration> stops = new ArrayList<>();
        List<Duration> kills = new ArrayList<>();
        try (ServerProcess stays = launch("stays")) {
            LogClient client = new LogClient(http, stays.awaitListening());
            client.deploy();
            for (int i = 0; i < 2 * count; i++) {
                boolean cleanly = i % 2 == 0;
                try (ServerProcess goes = launch("goes")) {
                    LogClient other = new LogClient(http, goes.awaitListening());
                    awaitAll(other);
                    long workspace = awaitOwned(client, goes);
                    long begin = System.nanoTime();
                    if (cleanly) {
                        Thread stopping = new Thread(() -> stop(goes), "verification-stop");
                        stopping.start();
                        stops.add(untilAnswered(client, workspace, begin));
                        stopping.join();
                    } else {
                        goes.kill();
                        kills.add(untilAnswered(client, workspace, begin));
                    }
                }
            }
        }
        return "takeover with a lease of " + LEASE.toSeconds() + " s: after SIGTERM " + figures(stops)
                + "; after SIGKILL " + figures(kills);
    }

    private static void stop(ServerProcess server) {
        try {
            int unused = server.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private ServerProcess launch(String name) throws IOException {
        return ServerProcess.launch(jar, database, LEASE, folder.resolve(name + ".txt"));
    }

    private static void awaitAll(LogClient client) throws InterruptedException {
        for (long workspace = 0; workspace < LogClient.PARTITIONS; workspace++) {
            while (!(client.append(workspace, COMMAND, Optional.empty()) instanceof Outcome.Appended)) {
                Thread.onSpinWait();
            }
        }
    }

    /** A workspace whose partition a server has. */
    private static long awaitOwned(LogClient client, ServerProcess server) throws IOException, InterruptedException {
        String node = server.node();
        while (true) {
            for (int partition = 0; partition < LogClient.PARTITIONS; partition++) {
                if (client.owner(partition).equals(Optional.of(node))) {
                    return partition;
                }
            }
        }
    }

    private static Duration untilAnswered(LogClient client, long workspace, long begin) throws InterruptedException {
        while (!(client.append(workspace, COMMAND, Optional.empty()) instanceof Outcome.Appended)) {
            Thread.onSpinWait();
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static String figures(List<Duration> times) {
        List<Duration> sorted = new ArrayList<>(times);
        Collections.sort(sorted);
        return "median " + sorted.get(sorted.size() / 2).toMillis() + " ms, from "
                + sorted.get(0).toMillis() + " to "
                + sorted.get(sorted.size() - 1).toMillis() + " ms, " + sorted.size() + " times";
    }
}
