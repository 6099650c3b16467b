package io.seriatim.verification;

import io.seriatim.verification.HistoryEvent.Crashed;
import io.seriatim.verification.HistoryEvent.Started;
import io.seriatim.verification.HistoryEvent.Stopped;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** One server after another in the same place, each killed or stopped under load. */
final class ServerLives {

    /*
     * A round is one life of the server under load. It ends when numbers of calls and changes, drawn from the seed, have
     * been answered: mostly by SIGKILL a few milliseconds later, with eight calls under way, sometimes by
     * SIGTERM. Before some rounds a life ends by SIGKILL while it starts, so that recovery itself is
     * interrupted.
     */

    private static final int MOST_CALLS = 1_500;
    private static final int MOST_CHANGES = 3;
    private static final int ONE_STOP_IN = 5;
    private static final int ONE_KILL_AT_START_IN = 6;
    private static final int MOST_MILLIS_AFTER_LAST_CALL = 20;
    private static final int MOST_MILLIS_OF_START = 1_500;
    private static final int TRY_AGAIN = 5;
    private static final int MOST_STARTS = 5;
    private static final Duration LOAD = Duration.ofSeconds(60);

    /** Starts a server; does not wait until it can be called. */
    interface Launcher {
        ServerProcess launch() throws IOException;
    }

    private final int process;
    private final Launcher launcher;
    private final HistoryWriter history;
    private final Callers callers;
    private final Optional<Operators> operators;
    private final Consumer<String> surprises;
    private final HttpClient http = SequenceClient.newHttp();

    /**
     * @param process its number in the history
     * @param operators empty where nothing is changed meanwhile
     * @param surprises what the history cannot show: stops that failed
     */
    ServerLives(
            int process,
            Launcher launcher,
            HistoryWriter history,
            Callers callers,
            Optional<Operators> operators,
            Consumer<String> surprises) {
        this.process = process;
        this.launcher = launcher;
        this.history = history;
        this.callers = callers;
        this.operators = operators;
        this.surprises = surprises;
    }

    /** @param progress takes the number of each round that is over */
    void rounds(int rounds, SplittableRandom random, IntConsumer progress) throws IOException, InterruptedException {
        for (int round = 1; round <= rounds; round++) {
            if (round > 1 && random.nextInt(ONE_KILL_AT_START_IN) == 0) {
                killWhileStarting(random);
            }
            round(random.split(), round == 1);
            progress.accept(round);
        }
    }

    private void killWhileStarting(SplittableRandom random) throws IOException, InterruptedException {
        history.add(new Started(process));
        try (ServerProcess server = launcher.launch()) {
            if (server.endsWithin(Duration.ofMillis(random.nextInt(MOST_MILLIS_OF_START)))) {
                surprises.accept("a server ended while it started: " + server.said());
            }
            server.kill();
            history.add(new Crashed(process));
        }
    }

    private void round(SplittableRandom random, boolean first) throws IOException, InterruptedException {
        history.add(new Started(process));
        try (ServerProcess server = launched()) {
            SequenceClient client = new SequenceClient(http, server.awaitListening());
            if (first) {
                for (Load load : Load.ALL) {
                    load.define(client);
                }
            }
            Optional<String> node = operators.map(it -> server.node());
            CountDownLatch changes = new CountDownLatch(operators.isPresent() ? random.nextInt(MOST_CHANGES + 1) : 0);
            CountDownLatch calls = new CountDownLatch(1 + random.nextInt(MOST_CALLS));
            node.ifPresent(name -> operators.orElseThrow().began(name));
            List<Thread> clients = new ArrayList<>(callers.start(process, client, random, calls::countDown));
            operators.ifPresent(it -> clients.addAll(it.start(process, client, random, changes)));
            await(calls, "calls");
            await(changes, "changes");
            if (server.endsWithin(Duration.ofNanos(random.nextLong(1_000_000L * MOST_MILLIS_AFTER_LAST_CALL)))) {
                surprises.accept("a server ended by itself: " + server.said());
            }
            node.ifPresent(name -> operators.orElseThrow().ending(name));
            if (!first && random.nextInt(ONE_STOP_IN) == 0) {
                stop(server);
            } else {
                server.kill();
                history.add(new Crashed(process));
            }
            node.ifPresent(name -> operators.orElseThrow().ended(name));
            for (Thread each : clients) {
                each.join();
            }
        }
    }

    /** A server that listens. One that finds its database too busy ends, and says by its exit code to try again. */
    private ServerProcess launched() throws IOException, InterruptedException {
        for (int start = 1; ; start++) {
            ServerProcess server = launcher.launch();
            try {
                server.awaitListening();
                return server;
            } catch (IllegalStateException e) {
                boolean again = server.awaitEnd() == TRY_AGAIN && start < MOST_STARTS;
                if (!again) {
                    throw e;
                }
            }
        }
    }

    private void await(CountDownLatch load, String of) throws InterruptedException {
        if (!load.await(LOAD.toSeconds(), TimeUnit.SECONDS)) {
            surprises.accept("a server answered too few " + of + " within " + LOAD);
        }
    }

    /** A last life, which shows where each sequence goes on. */
    void lastLife(SplittableRandom random) throws IOException, InterruptedException {
        history.add(new Started(process));
        try (ServerProcess server = launched()) {
            SequenceClient client = new SequenceClient(http, server.awaitListening());
            callers.drawOnce(process, client, random);
            callers.repeat(process, client, random);
            stop(server);
        }
    }

    private void stop(ServerProcess server) throws InterruptedException {
        int exitCode = server.stop();
        if (exitCode == 0) {
            history.add(new Stopped(process));
        } else {
            surprises.accept("SIGTERM ended with exit code " + exitCode + ": " + server.said());
            history.add(new Crashed(process));
        }
    }
}
