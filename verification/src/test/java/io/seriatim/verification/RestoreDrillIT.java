package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server is backed up under load, killed, and restored from the copy: no number comes twice. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class RestoreDrillIT {

    private static final Map<String, String> DEFINITIONS = Map.of(
            "fast",
            "{\"cache\":50}",
            "ordered",
            "{\"contract\":\"ordered\"}",
            "gapless",
            "{\"contract\":\"gapless\",\"format\":{\"template\":\"{year}-{seq}\",\"reset\":\"yearly\"}}");

    private static final int AFTER = 40;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final HttpClient http = SequenceClient.newHttp();
    /** Everything that anybody got, by sequence. */
    private final Map<String, Set<String>> given = new ConcurrentHashMap<>();

    private ServerProcess launch(String data, String errors) throws IOException {
        Files.createDirectories(folder.resolve("copies"));
        return ServerProcess.launch(
                ServerJar.path(),
                List.of(
                        "--data",
                        folder.resolve(data).toString(),
                        "--backup-dir",
                        folder.resolve("copies").toString()),
                folder.resolve(errors),
                Map.of());
    }

    private HttpResponse<String> send(URI server, String method, String path, String body)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(server.resolve(path))
                        .timeout(Duration.ofSeconds(30))
                        .header("Accept", path.endsWith("/next") ? "text/plain" : "application/json")
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    /** Takes numbers until the server is gone; a number that comes twice ends the test. */
    private void take(URI server, String sequence, AtomicBoolean enough, AtomicLong count) {
        while (!enough.get()) {
            try {
                HttpResponse<String> answer = send(server, "POST", "/v1/sequences/" + sequence + "/next", "");
                if (answer.statusCode() == 200) {
                    note(sequence, answer.body());
                    count.incrementAndGet();
                }
            } catch (IOException e) {
                return; // the server was killed
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void note(String sequence, String number) {
        assertThat(given.computeIfAbsent(sequence, each -> ConcurrentHashMap.newKeySet())
                        .add(number))
                .as(sequence + " " + number)
                .isTrue();
    }

    private int run(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                ServerJar.path().toString()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        System.out.println(String.join(" ", arguments.subList(0, 1)) + ": " + said);
        return process.waitFor();
    }

    @Test
    void serverBackedUpUnderLoadKilledAndRestored_givesNoNumberTwice() throws Exception {
        long most;
        try (ServerProcess server = launch("data", "first")) {
            URI at = server.awaitListening();
            for (Map.Entry<String, String> definition : DEFINITIONS.entrySet()) {
                assertThat(send(at, "PUT", "/v1/sequences/" + definition.getKey(), definition.getValue())
                                .statusCode())
                        .isEqualTo(201);
            }
            AtomicBoolean enough = new AtomicBoolean();
            Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
            List<Thread> takers = new ArrayList<>();
            for (String sequence : DEFINITIONS.keySet()) {
                AtomicLong count = counts.computeIfAbsent(sequence, each -> new AtomicLong());
                Thread taker = new Thread(() -> take(at, sequence, enough, count), "drill-" + sequence);
                taker.setDaemon(true);
                taker.start();
                takers.add(taker);
            }
            awaitAll(counts, AFTER);
            long before =
                    counts.values().stream().mapToLong(AtomicLong::get).min().orElseThrow();
            assertThat(send(at, "POST", "/v1/backup", "{\"name\":\"drill\"}").statusCode())
                    .isEqualTo(200);
            Map<String, AtomicLong> then = new ConcurrentHashMap<>(counts);
            awaitAll(then, before + AFTER);
            server.kill();
            enough.set(true);
            for (Thread taker : takers) {
                taker.join();
            }
            // Each counter has given at most everything since it was defined, and what was on its way or in a block.
            most = counts.values().stream().mapToLong(AtomicLong::get).max().orElseThrow() + 200;
        }
        assertThat(run(List.of(
                        "restore",
                        folder.resolve("copies").resolve("drill").toString(),
                        "--data",
                        folder.resolve("restored").toString(),
                        "--margin",
                        Long.toString(most))))
                .isZero();
        try (ServerProcess server = launch("restored", "second")) {
            URI at = server.awaitListening();
            for (String sequence : DEFINITIONS.keySet()) {
                for (int i = 0; i < AFTER; i++) {
                    HttpResponse<String> answer = send(at, "POST", "/v1/sequences/" + sequence + "/next", "");
                    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                    note(sequence, answer.body());
                }
            }
            assertThat(server.stop()).isZero();
        }
        assertThat(run(List.of("check", "--data", folder.resolve("restored").toString())))
                .isZero();
        assertThat(new HashSet<>(given.keySet())).isEqualTo(DEFINITIONS.keySet());
    }

    private static void awaitAll(Map<String, AtomicLong> counts, long least) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (counts.size() < DEFINITIONS.size() || counts.values().stream().anyMatch(count -> count.get() < least)) {
            assertThat(System.nanoTime()).as("numbers come").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    @Test
    void backup_ontoAFullDisk_failsAloneAndLeavesNothing() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 16);
                ServerProcess server = ServerProcess.launch(
                        ServerJar.path(),
                        List.of(
                                "--data",
                                folder.resolve("data").toString(),
                                "--backup-dir",
                                disk.folder().toString()),
                        folder.resolve("full"),
                        Map.of())) {
            URI at = server.awaitListening();
            assertThat(send(at, "PUT", "/v1/sequences/fast", "{}").statusCode()).isEqualTo(201);
            disk.fill();
            HttpResponse<String> refused = send(at, "POST", "/v1/backup", "{\"name\":\"full\"}");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("STORE_UNAVAILABLE");
            assertThat(send(at, "POST", "/v1/sequences/fast/next", "").body()).isEqualTo("1\n");
            disk.free();
            assertThat(disk.folder().resolve("full.part")).doesNotExist();
            assertThat(send(at, "POST", "/v1/backup", "{\"name\":\"full\"}").statusCode())
                    .isEqualTo(200);
            assertThat(server.stop()).isZero();
        }
    }
}
