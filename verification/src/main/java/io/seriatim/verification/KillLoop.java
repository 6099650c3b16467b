package io.seriatim.verification;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * Kills a server while clients draw numbers, starts it again on the same folder, and so on; then checks the
 * history of all calls.
 *
 * <p>The seed decides what is called and when the end comes, not how the machine schedules it: a second run with
 * the same seed is alike, not equal.
 */
final class KillLoop {

    private final Path jar;
    private final Path data;
    private final Path errors;
    private final Path historyFile;
    private final long seed;
    private final Consumer<String> progress;
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
    record Result(Report report, List<String> surprises) {}

    Result run(int rounds) throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        try (HistoryWriter history = HistoryWriter.create(historyFile)) {
            Load.ALL.forEach(load -> history.add(load.sequence()));
            Callers callers = new Callers(history, surprises::add);
            ServerLives lives =
                    new ServerLives(0, () -> ServerProcess.launch(jar, data, errors), history, callers, surprises::add);
            try {
                lives.rounds(rounds, random, round -> report(round, rounds));
                lives.lastLife(random);
            } catch (IllegalStateException e) {
                surprises.add("the loop ended early: " + e.getMessage());
            }
        }
        long calls = Math.min(1_000, 10L * rounds);
        Report report = HistoryCheckerMain.check(historyFile, new HistoryChecker.Demand(calls, 1));
        return new Result(report, List.copyOf(surprises));
    }

    private void report(int round, int rounds) {
        if (round % Math.max(1, Math.min(25, rounds / 10)) == 0) {
            progress.accept("round " + round + " of " + rounds + ", surprises: " + surprises.size());
        }
    }
}
