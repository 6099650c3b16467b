package io.seriatim.verification;

import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.verification.HistoryEvent.Crashed;
import io.seriatim.verification.HistoryEvent.Started;
import io.seriatim.verification.HistoryEvent.Stopped;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Two servers on one database, each killed, stopped for longer than its lease or ended at random, while clients at both
 * draw numbers of every contract and append events; then everything that was answered is compared with what is there.
 */
final class ClusterLoop {

    private static final int SERVERS = 2;
    private static final int CALLERS_EACH = 3;
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final int LEAST_MILLIS = 300;
    private static final int MOST_MILLIS = 2_000;
    private static final Duration LAST = Duration.ofSeconds(40);
    /** Acknowledged in a loop, however slow the machine. */
    private static final int LEAST_COMMANDS = 50;

    private static final int TRY_AGAIN = 5;
    private static final int MOST_STARTS = 5;

    private final Path jar;
    private final PostgresSettings database;
    private final Path folder;
    private final long seed;
    private final HttpClient http = SequenceClient.newHttp();
    private final Queue<String> surprises = new ConcurrentLinkedQueue<>();
    private final CommandHistory commands = new CommandHistory();
    private final GaplessHistory gapless = new GaplessHistory();
    private final AtomicInteger kills = new AtomicInteger();
    private final AtomicInteger pauses = new AtomicInteger();
    private final AtomicInteger stops = new AtomicInteger();
    /** Where each server can be called. */
    private final List<AtomicReference<URI>> places = new ArrayList<>();

    private final List<CommandCaller> callers = new ArrayList<>();
    private final List<GaplessHistory.Caller> drawers = new ArrayList<>();
    private final List<LogFollower> followers = new ArrayList<>();

    /** @param folder where histories and the servers' error output go; made anew */
    ClusterLoop(Path jar, PostgresSettings database, Path folder, long seed) {
        this.jar = jar;
        this.database = database;
        this.folder = folder;
        this.seed = seed;
        for (int i = 0; i < SERVERS; i++) {
            places.add(new AtomicReference<>(LogFollower.NOWHERE));
        }
    }

    /**
     * What came of a loop.
     *
     * @param sequences of contracts fast and ordered
     * @param gaplessNumbers how many numbers were drawn without a gap
     */
    record Result(
            int kills,
            int pauses,
            int stops,
            Report sequences,
            CommandHistory.Result events,
            int gaplessNumbers,
            List<String> violations) {

        @Override
        public String toString() {
            return kills + " kills, " + pauses + " pauses, " + stops + " stops; " + sequences.summary() + "; "
                    + events.events() + " events, " + events.acknowledged() + " acknowledged, " + events.unknowns()
                    + " without an answer, of which " + events.landed() + " are there; " + gaplessNumbers
                    + " numbers without a gap; violations: " + violations.size();
        }
    }

    /** @param rounds of each server: how often something happens to it */
    Result run(int rounds) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        SplittableRandom random = new SplittableRandom(seed);
        Path historyFile = folder.resolve("history.jsonl");
        CommandHistory.Result events;
        try (HistoryWriter history = HistoryWriter.create(historyFile)) {
            Load.ALL.forEach(load -> history.add(load.sequence()));
            Callers drawing = new Callers(history, surprises::add);
            prepare(random);
            List<Thread> lives = new ArrayList<>();
            for (int process = 0; process < SERVERS; process++) {
                lives.add(live(process, rounds, history, drawing, random.split()));
            }
            for (Thread each : lives) {
                each.join();
            }
            events = lastLife(history, drawing, random);
        } finally {
            callers.forEach(CommandCaller::stop);
            drawers.forEach(GaplessHistory.Caller::stop);
            followers.forEach(LogFollower::stop);
        }
        Report report = HistoryCheckerMain.check(historyFile, new HistoryChecker.Demand(10L * rounds, 0));
        List<String> violations = new ArrayList<>(surprises);
        report.violations().forEach(each -> violations.add(each.toString()));
        violations.addAll(events.violations());
        violations.addAll(gapless.violations());
        if (report.verdict() != Report.Verdict.VALID) {
            violations.add("the history of sequences is " + report.verdict());
        }
        return new Result(
                kills.get(), pauses.get(), stops.get(), report, events, gapless.count(), List.copyOf(violations));
    }

    /** What all of it is about is there before anything happens; then the clients begin. */
    private void prepare(SplittableRandom random) throws IOException, InterruptedException {
        try (ServerProcess first = launched(0)) {
            URI now = first.awaitListening();
            new LogClient(http, now).deploy();
            SequenceClient client = new SequenceClient(http, now);
            for (Load load : Load.ALL) {
                load.define(client);
            }
            gapless.define(client);
            int unused = first.stop();
        }
        for (int process = 0; process < SERVERS; process++) {
            for (int i = 0; i < CALLERS_EACH; i++) {
                callers.add(CommandCaller.start(
                        process * CALLERS_EACH + i, http, places.get(process), random.split(), commands));
            }
            drawers.add(gapless.start(process, http, places.get(process)));
        }
        for (int partition = 0; partition < LogClient.PARTITIONS; partition++) {
            followers.add(LogFollower.start(partition, http, places.get(partition % SERVERS)));
        }
    }

    private ServerProcess launch(int process) throws IOException {
        return ServerProcess.launch(jar, database, LEASE, folder.resolve("server-errors-" + process + ".txt"));
    }

    /** A server that listens. One that finds its database too busy ends, and says by its exit code to try again. */
    private ServerProcess launched(int process) throws IOException, InterruptedException {
        for (int start = 1; ; start++) {
            ServerProcess server = launch(process);
            try {
                URI unused = server.awaitListening();
                return server;
            } catch (IllegalStateException e) {
                boolean again = server.awaitEnd() == TRY_AGAIN && start < MOST_STARTS;
                if (!again) {
                    throw e;
                }
            }
        }
    }

    // ---- what happens to a server

    private Thread live(int process, int rounds, HistoryWriter history, Callers drawing, SplittableRandom random) {
        Thread thread = new Thread(
                () -> {
                    try {
                        int left = rounds;
                        while (left > 0) {
                            left = life(process, left, history, drawing, random.split());
                        }
                    } catch (IOException | RuntimeException e) {
                        surprises.add("the loop of server " + process + " ended early: " + e);
                    } catch (InterruptedException e) {
                        surprises.add("the loop was interrupted");
                        Thread.currentThread().interrupt();
                    } finally {
                        places(process).set(LogFollower.NOWHERE);
                    }
                },
                "verification-lives-" + process);
        thread.start();
        return thread;
    }

    private AtomicReference<URI> places(int process) {
        return Objects.requireNonNull(places.get(process));
    }

    /** One process, until it is killed or stopped; returns how many rounds are left. */
    private int life(int process, int rounds, HistoryWriter history, Callers drawing, SplittableRandom random)
            throws IOException, InterruptedException {
        history.add(new Started(process));
        int left = rounds;
        try (ServerProcess server = launched(process)) {
            URI now = server.awaitListening();
            SequenceClient client = new SequenceClient(http, now);
            List<Thread> clients = drawing.start(process, client, random.split(), () -> {});
            places(process).set(now);
            while (true) {
                left--;
                if (server.endsWithin(Duration.ofMillis(LEAST_MILLIS + random.nextInt(MOST_MILLIS)))) {
                    surprises.add("server " + process + " ended by itself: " + server.said());
                }
                int kind = random.nextInt(10);
                if (kind < 4) {
                    pause(server, random);
                    if (left > 0) {
                        continue;
                    }
                }
                places(process).set(LogFollower.NOWHERE);
                end(process, server, kind >= 8, history);
                break;
            }
            for (Thread each : clients) {
                each.join();
            }
        }
        return left;
    }

    /** For longer than its lease mostly, so that the other one takes what it has; it finds out when it goes on. */
    private void pause(ServerProcess server, SplittableRandom random) throws IOException, InterruptedException {
        pauses.incrementAndGet();
        server.pause();
        Duration still = LEASE.plusMillis(random.nextInt((int) LEASE.toMillis()) - 500L);
        if (server.endsWithin(still)) {
            surprises.add("a server that stands still has ended: " + server.said());
        }
        server.resume();
        if (server.endsWithin(Duration.ofMillis(random.nextInt(MOST_MILLIS)))) {
            surprises.add("a server that went on has ended: " + server.said());
        }
    }

    private void end(int process, ServerProcess server, boolean cleanly, HistoryWriter history)
            throws InterruptedException {
        if (!cleanly) {
            kills.incrementAndGet();
            server.kill();
            history.add(new Crashed(process));
            return;
        }
        stops.incrementAndGet();
        int exitCode = server.stop();
        if (exitCode == 0) {
            history.add(new Stopped(process));
        } else {
            surprises.add("SIGTERM ended with exit code " + exitCode + ": " + server.said());
            history.add(new Crashed(process));
        }
    }

    // ---- the end

    /** Both servers once more: whatever is open is settled, and both show the same. */
    private CommandHistory.Result lastLife(HistoryWriter history, Callers drawing, SplittableRandom random)
            throws IOException, InterruptedException {
        history.add(new Started(0));
        history.add(new Started(1));
        try (ServerProcess a = launched(0);
                ServerProcess b = launched(1)) {
            places(0).set(a.awaitListening());
            places(1).set(b.awaitListening());
            commands.awaitAcknowledged(LEAST_COMMANDS, LAST);
            for (CommandCaller each : callers) {
                each.finish(LAST);
            }
            for (GaplessHistory.Caller each : drawers) {
                each.finish(LAST);
            }
            LogClient client = new LogClient(http, a.awaitListening());
            client.awaitReady();
            CommandHistory.Result result = commands.check(client, kills.get());
            for (LogFollower each : followers) {
                each.awaitOffset(result.lastOffsets().get(each.partition()), LAST)
                        .forEach(result.violations()::add);
            }
            SequenceClient sequences = new SequenceClient(http, b.awaitListening());
            int given = drawing.drawOnce(1, sequences, random);
            if (given < Load.ALL.size()) {
                surprises.add("only " + given + " sequences gave a value at the end");
            }
            drawing.repeat(1, sequences, random);
            for (int process = 0; process < SERVERS; process++) {
                end(process, process == 0 ? a : b, true, history);
            }
            return result;
        }
    }
}
