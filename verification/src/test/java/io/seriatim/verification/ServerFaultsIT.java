package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.verification.HistoryEvent.Run;
import io.seriatim.verification.HistoryEvent.Wish;
import io.seriatim.verification.SequenceClient.Outcome;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the whole server does when its folder is taken, full or damaged: it says so and gives no number. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class ServerFaultsIT {

    private static final String SEQUENCE = "orders";
    private static final int DISK_MEGABYTES = 8;

    private final HttpClient http = SequenceClient.newHttp();

    @TempDir
    private Path folder;

    @Test
    void secondServerOnAFolder_isRefusedAndTheFirstGoesOn() throws Exception {
        Path data = folder.resolve("data");
        try (ServerProcess first = launch(data, "first")) {
            SequenceClient client = client(first);
            define(client);
            assertThat(next(client)).isEqualTo(1);
            try (ServerProcess second = launch(data, "second")) {
                assertThat(second.awaitEnd()).isEqualTo(5);
                assertThat(second.said()).contains("open in another process").contains(data.toString());
            }
            assertThat(next(client)).isEqualTo(2);
            assertThat(first.stop()).isZero();
        }
    }

    @Test
    void fullDisk_stopsTheStoreAndNotTheServer() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), DISK_MEGABYTES)) {
            Path data = disk.folder().resolve("data");
            long last;
            try (ServerProcess server = launch(data, "full")) {
                SequenceClient client = client(server);
                define(client);
                last = next(client);
                disk.fill();
                last = nextUntilRefused(client, last);
                assertStoppedStore(client);
                disk.free();
                assertStoppedStore(client); // room alone does not bring it back
                assertThat(server.stop()).isEqualTo(7);
            }
            try (ServerProcess server = launch(data, "again")) {
                assertThat(next(client(server))).isGreaterThan(last);
                assertThat(server.stop()).isZero();
            }
        }
    }

    @Test
    void flippedByteInTheLog_keepsTheServerFromStarting() throws Exception {
        Path data = folder.resolve("data");
        try (ServerProcess server = launch(data, "before")) {
            SequenceClient client = client(server);
            define(client);
            for (int i = 1; i <= 40; i++) {
                assertThat(next(client)).isEqualTo(i);
            }
            server.kill();
        }
        Path log = newestLog(data);
        long length = Files.size(log);
        for (long offset : List.of(length / 4, length / 2, length * 3 / 4)) {
            flip(log, offset);
            try (ServerProcess server = launch(data, "flipped-" + offset)) {
                assertThat(server.awaitEnd())
                        .as("byte %s of %s", offset, length)
                        .isEqualTo(7);
                assertThat(server.said()).contains("STORE_CORRUPT").contains(data.toString());
            }
            flip(log, offset);
        }
        try (ServerProcess server = launch(data, "mended")) {
            assertThat(next(client(server))).isGreaterThan(40);
            assertThat(server.stop()).isZero();
        }
    }

    // ---- the calls

    private ServerProcess launch(Path data, String name) throws IOException {
        return ServerProcess.launch(ServerJar.path(), data, folder.resolve(name + "-errors.txt"));
    }

    private SequenceClient client(ServerProcess server) throws InterruptedException {
        return new SequenceClient(http, server.awaitListening());
    }

    /** Cache 1: each number is a write of its own. */
    private static void define(SequenceClient client) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send("PUT", "/v1/sequences/" + SEQUENCE, "{\"cache\":1}");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    }

    private static long next(SequenceClient client) throws InterruptedException {
        Outcome outcome = take(client);
        assertThat(outcome).isInstanceOf(Outcome.Values.class);
        return value(outcome);
    }

    private static Outcome take(SequenceClient client) throws InterruptedException {
        return client.take(SEQUENCE, Wish.EXACTLY, 1, 1);
    }

    private static long value(Outcome outcome) {
        List<Run> runs = ((Outcome.Values) outcome).runs();
        assertThat(runs).hasSize(1);
        return runs.get(0).first();
    }

    /** Returns the last value that came. */
    private static long nextUntilRefused(SequenceClient client, long before) throws InterruptedException {
        long last = before;
        for (int i = 0; i < 10_000; i++) {
            Outcome outcome = take(client);
            if (outcome instanceof Outcome.Refused) {
                return last;
            }
            assertThat(value(outcome)).isGreaterThan(last);
            last = value(outcome);
        }
        throw new AssertionError("the store goes on on a full disk");
    }

    private static void assertStoppedStore(SequenceClient client) throws IOException, InterruptedException {
        assertThat(client.send("GET", "/health/live", "").statusCode()).isEqualTo(200);
        assertUnavailable(client.send("GET", "/health/ready", ""));
        for (String call : List.of("/next", "/blocks")) {
            assertUnavailable(client.send("POST", "/v1/sequences/" + SEQUENCE + call, "{\"count\":1}"));
        }
    }

    private static void assertUnavailable(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(503);
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
        assertThat(response.headers().firstValue("Retry-After")).isPresent();
    }

    // ---- the files

    private static Path newestLog(Path data) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            return files.filter(file -> file.getFileName().toString().matches("\\d+\\.log"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }

    /** Flipping a second time mends it. */
    private static void flip(Path file, long offset) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(offset);
            int value = bytes.read();
            bytes.seek(offset);
            bytes.write(value ^ 0x01);
        }
    }
}
