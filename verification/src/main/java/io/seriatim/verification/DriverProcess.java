package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                .start();
        CountDownLatch enough = new CountDownLatch(most);
        Thread reader = new Thread(() -> read(process, enough), "verification-driver-lines");
        reader.start();
        boolean worked = enough.await(START.toMillis(), TimeUnit.MILLISECONDS) && process.isAlive();
        process.toHandle().destroyForcibly(); // unlike that of the process it leaves the rest of the output readable
        process.waitFor();
        reader.join();
        if (!worked) {
            surprises.accept("a process said too little, or ended by itself; see " + errors);
        }
    }

    /** A line without an end was broken off by the kill. */
    private void read(Process process, CountDownLatch enough) {
        StringBuilder line = new StringBuilder();
        try (BufferedReader output = process.inputReader(UTF_8)) {
            for (int c = output.read(); c >= 0; c = output.read()) {
                if (c == '\n') {
                    lines.accept(line.toString());
                    line.setLength(0);
                    enough.countDown();
                } else {
                    line.append((char) c);
                }
            }
        } catch (IOException e) {
            surprises.accept("the output of a process broke off: " + e);
        }
        while (enough.getCount() > 0) {
            enough.countDown();
        }
    }
}
