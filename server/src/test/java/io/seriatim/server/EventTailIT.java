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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code events --follow} as a process, beside a server that is killed and started again. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EventTailIT {

    private static final Path JAR = Path.of(System.getProperty("seriatim.jar", "target/seriatim.jar"));
    private static final String SHOP = "{\"partitions\":1,\"kinds\":{\"shop\":{\"sequences\":{\"RecordID\":200001}}},"
            + "\"types\":{\"customer\":{\"kind\":\"CDoc\"}}}";
    private static final String CUSTOMER =
            "{\"kind\":\"shop\",\"cuds\":[{\"type\":\"customer\",\"id\":1,\"fields\":{\"name\":\"Ada\"}}]}";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final List<Process> processes = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void killAll() {
        processes.forEach(Process::destroyForcibly);
    }

    /** A process in whose background SIGINT counts. */
    private Process start(String errors, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                JAR.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(folder.resolve(errors).toFile())
                .start();
        processes.add(process);
        return process;
    }

    private record Server(Process process, URI uri) {}

    private Server serve(int port) throws IOException {
        Process process = start(
                "server-errors",
                "serve",
                "--port",
                Integer.toString(port),
                "--data",
                folder.resolve("data").toString());
        String line = process.inputReader(StandardCharsets.UTF_8).readLine();
        assertThat(line).contains(" listening on ");
        return new Server(process, URI.create(line.replaceFirst(".*(http://[0-9.:]+).*", "$1")));
    }

    private int send(Server server, String method, String path, String body) throws Exception {
        return client.send(
                        HttpRequest.newBuilder(server.uri().resolve(path))
                                .method(method, HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private Process follow(Server server, String errors, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("events", "shop", "--follow", "--server", server.uri().toString()));
        arguments.addAll(List.of(more));
        return start(errors, arguments.toArray(String[]::new));
    }

    /** Appends until the server is gone, or so many are acknowledged; an answer that was lost may stand for an event. */
    private int append(Server server, int most) throws InterruptedException {
        for (int acknowledged = 0; acknowledged < most; acknowledged++) {
            try {
                if (send(server, "POST", "/v1/logs/shop/workspaces/0/events", CUSTOMER) == 503) {
                    acknowledged--; // its log is being read
                }
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                return acknowledged; // the server is gone
            }
        }
        return most;
    }

    @Test
    void tail_ofAServerThatIsKilledTwice_hasEveryEventOnceAndInOrder() throws Exception {
        Server server = serve(0);
        int port = server.uri().getPort();
        assertThat(send(server, "PUT", "/v1/logs/shop", SHOP)).isEqualTo(201);
        assertThat(append(server, 50)).isEqualTo(50);
        Process tail = follow(server, "tail-errors", "--partition", "0", "--json");
        BufferedReader lines = tail.inputReader(StandardCharsets.UTF_8);
        AtomicLong acknowledged = new AtomicLong();
        long next = readTo(lines, 1, 50);
        for (int life = 0; life < 2; life++) {
            Server living = server;
            Thread appending = new Thread(() -> {
                try {
                    acknowledged.addAndGet(append(living, 1_000_000));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            appending.start();
            next = readTo(lines, next, next + 100); // while events come, the server dies
            server.process().destroyForcibly().waitFor();
            appending.join();
            server = serve(port);
        }
        assertThat(append(server, 20)).isEqualTo(20);
        long last = lastOffset(server);
        assertThat(last)
                .as("all that were acknowledged, and at most one more a kill")
                .isBetween(70 + acknowledged.get(), 72 + acknowledged.get());

        assertThat(readTo(lines, next, last)).isEqualTo(last + 1);

        signal(tail, "-TERM");
        assertThat(lines.readLine()).isNull();
        assertThat(Files.readString(folder.resolve("tail-errors")))
                .contains("; waiting to go on at offset ", "seriatim: going on at offset ");
    }

    /** Reads events until one has an offset; each line must have the offset behind the one before it. */
    private static long readTo(BufferedReader lines, long first, long last) throws IOException {
        long next = first;
        while (next <= last) {
            JsonNode event = Calls.json(lines.readLine());
            assertThat(event.path("plogOffset").asLong()).isEqualTo(next);
            assertThat(event.path("cuds").path(0).path("id").asLong()).isEqualTo(200_000 + next);
            next++;
        }
        return next;
    }

    private long lastOffset(Server server) throws Exception {
        String body = client.send(
                        HttpRequest.newBuilder(server.uri().resolve("/v1/logs/shop/partitions/0"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        return Calls.json(body).path("durableOffset").asLong();
    }

    /** Tells a process to end, and sees that it does so cleanly. */
    private static void signal(Process process, String signal) throws Exception {
        assertThat(new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void tail_onSigint_endsWithItsLastLineWhole() throws Exception {
        Server server = serve(0);
        send(server, "PUT", "/v1/logs/shop", SHOP);
        append(server, 3);
        Process tail = follow(server, "tail-errors", "--workspace", "0", "--from", "2");
        BufferedReader lines = tail.inputReader(StandardCharsets.UTF_8);
        assertThat(lines.readLine()).matches("2 \\S+Z shop 0 customer 200002");
        assertThat(lines.readLine()).matches("3 \\S+Z shop 0 customer 200003");
        append(server, 1);
        assertThat(lines.readLine()).matches("4 \\S+Z shop 0 customer 200004");

        signal(tail, "-INT");
        assertThat(lines.readLine()).isNull();
        assertThat(Files.readString(folder.resolve("tail-errors"))).isEmpty();
    }
}
