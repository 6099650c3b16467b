package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The runnable jar as a process: its start, its signals, its exit codes. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServingIT {

    private static final Path JAR = Path.of(System.getProperty("seriatim.jar", "target/seriatim.jar"));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    /** What the process that was started last says on stderr. */
    private Path err = Path.of("none");

    private final List<Process> processes = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void killAll() {
        processes.forEach(Process::destroyForcibly);
    }

    /** A server process that accepts connections. */
    private record Server(Process process, URI uri, BufferedReader out) {}

    private static List<String> commandLine(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-jar",
                JAR.toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** A shell starts what runs in its background with SIGINT ignored, and a JVM would keep that. */
    private static final List<String> SIGINT_COUNTS = List.of("env", "--default-signal=INT");

    private Process start(String... arguments) throws IOException {
        err = Files.createTempFile(folder, "err", ".txt");
        List<String> command = new ArrayList<>(SIGINT_COUNTS);
        command.addAll(commandLine(arguments));
        Process process =
                new ProcessBuilder(command).redirectError(err.toFile()).start();
        processes.add(process);
        return process;
    }

    private Server serve(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("serve", "--port", "0", "--data", folder.resolve("data").toString()));
        arguments.addAll(List.of(more));
        Process process = start(arguments.toArray(String[]::new));
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        assertThat(line).matches("seriatim \\S+ listening on http://127\\.0\\.0\\.1:\\d+, data .+");
        return new Server(process, URI.create(line.replaceFirst(".*(http://[0-9.:]+).*", "$1")), out);
    }

    private int command(String... arguments) throws Exception {
        Process process = start(arguments);
        process.getInputStream().readAllBytes();
        return process.waitFor();
    }

    private HttpResponse<String> send(Server server, String method, String path, String body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(server.uri().resolve(path))
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .header("Accept", "text/plain")
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private long next(Server server) throws Exception {
        HttpResponse<String> response = send(server, "POST", "/v1/sequences/a/next", "");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return Long.parseLong(response.body().strip());
    }

    /** SIGTERM, and what the process says by its exit. */
    private static int terminate(Server server) throws InterruptedException {
        long before = System.nanoTime();
        server.process().destroy();
        assertThat(server.process().waitFor(10, TimeUnit.SECONDS))
                .as("ended within 10 s")
                .isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
        return server.process().exitValue();
    }

    @Test
    void sigterm_underLoad_answersWhatWasBegunAndGivesTheTailBack() throws Exception {
        Server server = serve();
        assertThat(send(server, "PUT", "/v1/sequences/a", "{\"cache\": 5000}").statusCode())
                .isEqualTo(201);
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        AtomicLong answered = new AtomicLong();
        AtomicBoolean stopped = new AtomicBoolean();
        List<Callable<Void>> callers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            callers.add(() -> {
                try {
                    while (!stopped.get()) {
                        HttpResponse<String> response = send(server, "POST", "/v1/sequences/a/next", "{\"count\": 3}");
                        if (response.statusCode() == 503) {
                            assertThat(response.headers().firstValue("Retry-After"))
                                    .isPresent();
                            continue;
                        }
                        assertThat(response.statusCode()).isEqualTo(200);
                        for (String text : response.body().split("\n")) {
                            assertThat(seen.add(Long.parseLong(text))).as(text).isTrue();
                        }
                        answered.incrementAndGet();
                    }
                } catch (IOException e) {
                    stopped.set(true); // the server is gone
                }
                return null;
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(callers.size());
        List<Future<Void>> running = callers.stream().map(threads::submit).toList();
        while (answered.get() < 2_000) {
            Thread.onSpinWait();
        }

        assertThat(terminate(server)).isZero();

        assertThat(Files.readString(err)).as("a clean stop is no trouble").isEmpty();
        stopped.set(true);
        for (Future<Void> caller : running) {
            caller.get();
        }
        threads.shutdown();
        long last = seen.stream().mapToLong(Long::longValue).max().orElseThrow();
        Server again = serve();
        assertThat(next(again)).isEqualTo(last + 1);
        assertThat(terminate(again)).isZero();
    }

    @Test
    void sigkill_losesAtMostTheBlocksInMemory() throws Exception {
        Server server = serve();
        send(server, "PUT", "/v1/sequences/a", "{\"cache\": 100}");
        long last = 0;
        for (int i = 0; i < 250; i++) {
            last = next(server);
        }
        server.process().destroyForcibly().waitFor();
        Server again = serve();
        assertThat(next(again)).isGreaterThan(last).isLessThanOrEqualTo(last + 201);
        assertThat(terminate(again)).isZero();
    }

    @Test
    void sigint_endsCleanlyToo() throws Exception {
        Server server = serve();
        send(server, "PUT", "/v1/sequences/a", "{\"cache\": 100}");
        assertThat(next(server)).isEqualTo(1);
        new ProcessBuilder("kill", "-INT", Long.toString(server.process().pid()))
                .start()
                .waitFor();
        assertThat(server.process().waitFor()).isZero();
        Server again = serve();
        assertThat(next(again)).isEqualTo(2);
        assertThat(terminate(again)).isZero();
    }

    @Test
    void secondProcessOnTheFolder_isTryAgain() throws Exception {
        Server server = serve();
        String data = folder.resolve("data").toString();
        assertThat(command("serve", "--port", "0", "--data", data)).isEqualTo(5);
        assertThat(command("next", "a", "--data", data)).isEqualTo(5);
        assertThat(command("define", "a", "--server", server.uri().toString())).isZero();
        assertThat(next(server)).isEqualTo(1);
        assertThat(terminate(server)).isZero();
        assertThat(command("next", "a", "--data", data)).isZero();
    }

    @Test
    void storeThatStops_leavesTheServerUpAndEndsWith7() throws Exception {
        Server server = serve();
        send(server, "PUT", "/v1/sequences/a", "{}");
        assertThat(terminate(server)).isZero();
        damage("definitions");

        Server damaged = serve();

        assertThat(send(damaged, "POST", "/v1/sequences/a/next", "").body()).contains("\"code\":\"STORE_CORRUPT\"");
        assertThat(send(damaged, "GET", "/health/ready", "").statusCode()).isEqualTo(503);
        assertThat(send(damaged, "GET", "/health/live", "").statusCode()).isEqualTo(200);
        assertThat(terminate(damaged)).isEqualTo(7);
        assertThat(Files.readAllLines(err))
                .as("told once, in one line")
                .singleElement()
                .asString()
                .contains("ERROR", "the store has stopped", "checksum mismatch");
    }

    @Test
    void storeThatIsDamagedAtTheStart_endsWith7() throws Exception {
        assertThat(terminate(serve())).isZero();
        damage("default");
        assertThat(command(
                        "serve", "--port", "0", "--data", folder.resolve("data").toString()))
                .isEqualTo(7);
    }

    /** Turns over bits of the first row in the files of one of the store's families. */
    private void damage(String family) throws IOException {
        int damaged = 0;
        try (Stream<Path> files = Files.list(folder.resolve("data").resolve("rocksdb"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".sst")).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                if (new String(bytes, StandardCharsets.ISO_8859_1).contains("name" + family)) {
                    bytes[8] ^= 0x55;
                    Files.write(file, bytes);
                    damaged++;
                }
            }
        }
        assertThat(damaged).isPositive();
    }

    @Test
    void stdoutThatIsClosed_disturbsNothing() throws Exception {
        Process process =
                start("serve", "--port", "0", "--data", folder.resolve("data").toString());
        process.getInputStream().close();
        while (!Files.exists(folder.resolve("data").resolve("seriatim.store"))) {
            Thread.onSpinWait();
        }
        process.destroy();
        assertThat(process.waitFor()).isIn(0, 143); // 143: so early that there was nothing to end yet
    }

    @Test
    void answerThatCannotBeWritten_isSaidAndTheCallStands() throws Exception {
        String data = folder.resolve("data").toString();
        command("define", "a", "--data", data);
        String next = String.join(" ", commandLine("next", "a", "--data", data));
        Process unwritable = new ProcessBuilder("sh", "-c", next + " >&-").start();
        String said = new String(unwritable.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).contains("could not be written to stdout");
        assertThat(unwritable.waitFor()).isZero();
        assertThat(new String(
                        start("next", "a", "--data", data).getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("2\n");
    }

    @Test
    void defaultDefinition_comesFromAFile() throws Exception {
        Path file = Files.writeString(folder.resolve("default.json"), "{\"start\": 77}");
        Server server = serve("--default-definition", file.toString());
        assertThat(send(server, "POST", "/v1/sequences/a/next?define=true", "").body())
                .isEqualTo("77\n");
        assertThat(terminate(server)).isZero();
    }

    @Test
    void logAsJson_tellsOfABrokenFileOnceAndNeverOfTokens() throws Exception {
        Tokens.Fresh fresh = Tokens.fresh(new SecureRandom(), "operator", "operator", List.of());
        Path tokens = Files.writeString(folder.resolve("tokens"), fresh.line() + "\n");
        Server server = serve("--log-format", "json", "--tokens", tokens.toString());
        assertThat(send(server, "GET", "/v1/sequences", "").statusCode()).isEqualTo(401);
        Files.writeString(tokens, fresh.token() + "\n"); // the wrong one of the two
        while (Files.size(err) == 0) {
            Thread.onSpinWait();
        }
        assertThat(terminate(server)).isZero();
        assertThat(Files.readAllLines(err)).singleElement().satisfies(line -> {
            assertThat(Calls.json(line).path("level").asString()).isEqualTo("ERROR");
            assertThat(Calls.json(line).path("message").asString()).contains("stays as it was", "line 1");
            assertThat(line).doesNotContain(fresh.token());
        });
    }

    /** The database's driver has a way of its own to log; all that is said of it comes from us. */
    @Test
    void databaseThatIsAway_isOneSentence() throws Exception {
        Process process = start(
                "serve", "--store", "postgresql", "--url", "jdbc:postgresql://127.0.0.1:1/postgres", "--port", "0");
        process.getInputStream().readAllBytes();
        assertThat(process.waitFor()).isEqualTo(5);
        assertThat(Files.readAllLines(err)).singleElement().asString().startsWith("seriatim: STORE_UNAVAILABLE: ");
    }
}
