package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.seriatim.postgresql.PostgresSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server in a process of its own, run from the jar. Ends with its owner at the latest: {@link #close} kills
 * it, and so does the end of this process.
 */
final class ServerProcess implements AutoCloseable {

    /** A start on a busy machine. */
    private static final Duration START = Duration.ofSeconds(60);

    /** The server's own bound is 10 s. */
    private static final Duration STOP = Duration.ofSeconds(20);

    private static final Pattern LISTENING = Pattern.compile("listening on (http://\\S+?),");

    private static final Pattern NODE = Pattern.compile(" - node ([0-9a-f]{16})");

    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "verification-kill-children"));
    }

    private final Process process;
    private final Path errors;
    private final CompletableFuture<URI> listening = new CompletableFuture<>();

    private ServerProcess(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
    }

    /**
     * Starts a server on a data folder and any free port; does not wait until it can be called.
     *
     * @param errors the file that its error output goes to
     */
    static ServerProcess launch(Path jar, Path data, Path errors) throws IOException {
        return launch(jar, List.of("--data", data.toString()), errors, Map.of());
    }

    /** The same for a database, which others may use at the same time. */
    static ServerProcess launch(Path jar, PostgresSettings database, Path errors) throws IOException {
        return launch(
                jar,
                List.of("--store", "postgresql", "--url", database.url(), "--user", database.user()),
                errors,
                Map.of());
    }

    /** The same with a lease. */
    static ServerProcess launch(Path jar, PostgresSettings database, Duration lease, Path errors) throws IOException {
        return launch(
                jar,
                List.of(
                        "--store",
                        "postgresql",
                        "--url",
                        database.url(),
                        "--user",
                        database.user(),
                        "--lease",
                        Long.toString(lease.toSeconds())),
                errors,
                Map.of());
    }

    /** The same for any store, with variables of the environment. */
    static ServerProcess launch(Path jar, List<String> store, Path errors, Map<String, String> environment)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Ready soon, and small: many of them come and go.
        command.addAll(List.of("-Xmx256m", "-Xshare:auto", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-jar", jar.toString(), "serve", "--port", "0"));
        command.addAll(store);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()));
        builder.environment().putAll(environment);
        Process process = builder.start();
        RUNNING.add(process);
        ServerProcess server = new ServerProcess(process, errors);
        Thread reader = new Thread(server::read, "verification-server-output");
        reader.setDaemon(true);
        reader.start();
        return server;
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher matcher = LISTENING.matcher(line);
                if (matcher.find()) {
                    listening.complete(URI.create(matcher.group(1)));
                }
            }
            listening.completeExceptionally(new IllegalStateException("the server ended before it listened"));
        } catch (IOException e) {
            listening.completeExceptionally(e);
        }
    }

    /** Waits until the server can be called, and returns where. */
    URI awaitListening() throws InterruptedException {
        try {
            return listening.get(START.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the server does not listen; it said: " + said(), e);
        }
    }

    /** Its name among the nodes of a database, once it can be called. */
    String node() {
        return NODE.matcher(said())
                .results()
                .reduce((earlier, later) -> later) // others may have written to the same file before
                .orElseThrow(() -> new IllegalStateException("the server does not name its node; it said: " + said()))
                .group(1);
    }

    /** What it wrote to its error output. */
    String said() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            return "(its output cannot be read: " + e + ")";
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean endsWithin(Duration wait) throws InterruptedException {
        return process.waitFor(wait.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Waits until the server has ended by itself, and returns its exit code. */
    int awaitEnd() throws InterruptedException {
        if (!endsWithin(START)) {
            throw new IllegalStateException("the server does not end; it said: " + said());
        }
        RUNNING.remove(process);
        return process.exitValue();
    }

    /** Sends SIGTERM, waits for the end and returns the exit code. */
    int stop() throws InterruptedException {
        process.destroy();
        if (!endsWithin(STOP)) {
            throw new IllegalStateException("the server does not end after SIGTERM; it said: " + said());
        }
        RUNNING.remove(process);
        return process.exitValue();
    }

    /** Sends SIGSTOP: the process stands still until {@link #resume}. */
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
            throw new IllegalStateException("the server has gone; it said: " + said());
        }
    }

    /** Sends SIGKILL and waits for the end. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
        RUNNING.remove(process);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
