package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs a program that prints a line for each thing it has done, and kills it after some of them. */
final class DriverProcess {

    private static final Duration START = Duration.ofSeconds(60);

    private final Class<?> program;
    private final Path errors;
    private final Consumer<String> lines;
    private final Consumer<String> surprises;

    /**
     * @param errors the file that its error output goes to
     * @param lines is told each line that it has printed to the end
     * @param surprises is told what should not have happened
     */
    DriverProcess(Class<?> program, Path errors, Consumer<String> lines, Consumer<String> surprises) {
        this.program = program;
        this.errors = errors;
        this.lines = lines;
        this.surprises = surprises;
    }

    /** Starts it, kills it with SIGKILL after so many lines, and returns when all that it printed is told. */
    void live(List<String> arguments, int most) throws IOException, InterruptedException {
        Life life = begin(arguments);
        boolean worked = life.awaitLines(most) && life.process.isAlive();
        life.kill();
        if (!worked) {
            surprises.accept("a process said too little, or ended by itself; see " + errors);
        }
    }

    /** Starts it. */
    Life begin(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(arguments);
        return new Life(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                .start());
    }

    /** One process of the program. */
    final class Life {

        /** More than anybody waits for. */
        private static final int ALL = Integer.MAX_VALUE / 2;

        private final Process process;
        private final Thread reader;
        private final Semaphore said = new Semaphore(0);

        private Life(Process process) {
            this.process = process;
            this.reader = new Thread(this::read, "verification-driver-lines");
            reader.start();
        }

        /** Waits until it has printed so many more lines, or has ended; false if that takes too long. */
        boolean awaitLines(int count) throws InterruptedException {
            return said.tryAcquire(count, START.toMillis(), TimeUnit.MILLISECONDS);
        }

        /** Sends SIGSTOP: it stands still until {@link #resume}. */
        void pause() throws IOException, InterruptedException {
            signal("-STOP");
        }

        /** Sends SIGCONT. */
        void resume() throws IOException, InterruptedException {
            signal("-CONT");
        }

        private void signal(String name) throws IOException, InterruptedException {
            int exitCode = new ProcessBuilder("kill", name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exitCode != 0) {
                throw new IllegalStateException("the process has gone; see " + errors);
            }
        }

        /** Sends SIGKILL, and waits until all that it printed is told. */
        void kill() throws InterruptedException {
            process.toHandle()
                    .destroyForcibly(); // unlike that of the process it leaves the rest of the output readable
            int unused = awaitEnd();
        }

        /** Waits until it has ended and all that it printed is told; returns its exit code. */
        int awaitEnd() throws InterruptedException {
            int exitCode = process.waitFor();
            reader.join();
            return exitCode;
        }

        /** A line without an end was broken off by the kill. */
        private void read() {
            StringBuilder line = new StringBuilder();
            try (BufferedReader output = process.inputReader(UTF_8)) {
                for (int c = output.read(); c >= 0; c = output.read()) {
                    if (c == '\n') {
                        lines.accept(line.toString());
                        line.setLength(0);
                        said.release();
                    } else {
                        line.append((char) c);
                    }
                }
            } catch (IOException e) {
                surprises.accept("the output of a process broke off: " + e);
            }
            said.release(ALL);
        }
    }
}
