package io.seriatim.verification;

import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.verification.ServerLives.Launcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * Kills servers while clients draw numbers, starts them again on the same store, and so on; then checks the history
 * of all calls.
 *
 * <p>The seed decides what is called and when the end comes, not how the machine schedules it: a second run with
 * the same seed is alike, not equal.
 */
final class KillLoop {

    private final Path historyFile;
    private final List<Launcher> launchers;
    private final long seed;
    private final Consumer<String> progress;
    /** Answers that no call should get. */
    private final Queue<String> surprises = new ConcurrentLinkedQueue<>();

    private KillLoop(Path folder, List<Launcher> launchers, long seed, Consumer<String> progress) {
        this.historyFile = folder.resolve("history.jsonl");
        this.launchers = List.copyOf(launchers);
        this.seed = seed;
        this.progress = progress;
    }

    /**
     * One server on a data folder.
     *
     * @param folder where data, history and the server's error output go; made anew
     * @param progress takes a line now and then; called by a thread for each server
     */
    static KillLoop onFolder(Path jar, Path folder, long seed, Consumer<String> progress) throws IOException {
        Path data = folder.resolve("data");
        prepare(jar, folder);
        Path errors = folder.resolve("server-errors.txt");
        return new KillLoop(folder, List.of(() -> ServerProcess.launch(jar, data, errors)), seed, progress);
    }

    /** Two servers on a database that nobody has used, each killed or stopped whatever the other does. */
    static KillLoop onDatabase(Path jar, PostgresSettings database, Path folder, long seed, Consumer<String> progress)
            throws IOException {
        prepare(jar, folder);
        List<Launcher> launchers = new ArrayList<>();
        for (int process = 0; process < 2; process++) {
            Path errors = folder.resolve("server-errors-" + process + ".txt");
            launchers.add(() -> ServerProcess.launch(jar, database, errors));
        }
        return new KillLoop(folder, launchers, seed, progress);
    }

    private static void prepare(Path jar, Path folder) throws IOException {
        if (!Files.isRegularFile(jar)) {
            throw new IllegalArgumentException("there is no such jar: seriatim.jar=" + jar);
        }
        Files.createDirectories(folder);
        if (Files.exists(folder.resolve("history.jsonl"))) {
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
    record Result(Report report, List<String> surprises) {}

    /** @param rounds of each server */
    Result run(int rounds) throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        try (HistoryWriter history = HistoryWriter.create(historyFile)) {
            Load.ALL.forEach(load -> history.add(load.sequence()));
            Callers callers = new Callers(history, surprises::add);
            Optional<Operators> operators = operators(history);
            List<ServerLives> lives = new ArrayList<>();
            for (Launcher launcher : launchers) {
                lives.add(new ServerLives(lives.size(), launcher, history, callers, operators, surprises::add));
            }
            List<Thread> threads = lives.stream()
                    .map(each -> start(each, random.split(), rounds))
                    .toList();
            for (Thread thread : threads) {
                thread.join();
            }
            attempt(() -> lives.get(0).lastLife(random));
        }
        long calls = Math.min(1_000, 10L * rounds);
        long changes = isShared() ? rounds / 2 : 0;
        Report report = HistoryCheckerMain.check(historyFile, new HistoryChecker.Demand(calls, 1, changes));
        return new Result(report, List.copyOf(surprises));
    }

    private boolean isShared() {
        return launchers.size() > 1;
    }

    /** Where a store has one server, nothing has to be asked back from another. */
    private Optional<Operators> operators(HistoryWriter history) {
        if (!isShared()) {
            return Optional.empty();
        }
        Operators.SEQUENCES.forEach(history::add);
        return Optional.of(new Operators(history, surprises::add));
    }

    private Thread start(ServerLives lives, SplittableRandom random, int rounds) {
        Thread thread = new Thread(
                () -> attempt(() -> lives.rounds(rounds, random, round -> report(round, rounds))),
                "verification-kills");
        thread.start();
        return thread;
    }

    private interface Part {
        void run() throws IOException, InterruptedException;
    }

    private void attempt(Part part) {
        try {
            part.run();
        } catch (IOException | IllegalStateException e) {
            surprises.add("the loop ended early: " + e);
        } catch (InterruptedException e) {
            surprises.add("the loop was interrupted");
            Thread.currentThread().interrupt();
        }
    }

    private void report(int round, int rounds) {
        if (round % Math.max(1, Math.min(25, rounds / 10)) == 0) {
            progress.accept("round " + round + " of " + rounds + ", surprises: " + surprises.size());
        }
    }
}
