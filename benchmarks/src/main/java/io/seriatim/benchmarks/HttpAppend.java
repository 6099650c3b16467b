package io.seriatim.benchmarks;

import io.seriatim.benchmarks.HttpLoad.Seen;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * {@code POST …/events} on the server's jar over loopback with 1, 16 and 64 connections; each answer is durable and applied.
 *
 * <p>Arguments: the jar, rounds (default 3), seconds a run (default 5), folder for the data; it must be on the disk that is
 * to be measured.
 */
final class HttpAppend {

    private static final int[] CONNECTIONS = {1, 16, 64};
    private static final Duration WARMUP = Duration.ofSeconds(3);
    static final String DEFINITION = """
            {"partitions":%d,"kinds":{"shop":{"sequences":{"RecordID":200001}}},"types":{"order":{"kind":"WDoc"}}}""";
    static final String COMMAND = """
            {"kind":"shop","cuds":[{"type":"order","id":1,"fields":{"customer":"Ada","total":1234}}]}""";

    private HttpAppend() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path jar = Path.of(arguments[0]);
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
        Duration time = Duration.ofSeconds(arguments.length > 2 ? Integer.parseInt(arguments[2]) : 5);
        Path near = Path.of(arguments.length > 3 ? arguments[3] : System.getProperty("java.io.tmpdir"));
        PrintStream out = System.out;
        out.println("| round | connections | events/s | of one connection | p50 ms | p99 ms |");
        out.println("|---|---|---|---|---|---|");
        try (ServedJar server = ServedJar.start(jar, Files.createTempDirectory(near, "seriatim-append-"))) {
            deploy(server, 1);
            HttpLoad load = new HttpLoad(server.address(), "/v1/logs/shop/workspaces/1/events", COMMAND);
            Seen unused = load.run(16, WARMUP);
            for (int round = 1; round <= rounds; round++) {
                double alone = 0;
                for (int connections : CONNECTIONS) {
                    Seen seen = load.run(connections, time);
                    alone = connections == 1 ? seen.perSecond() : alone;
                    out.printf(
                            Locale.ROOT,
                            "| %d | %d | %,.0f | %.1f | %.2f | %.2f |%n",
                            round,
                            connections,
                            seen.perSecond(),
                            seen.perSecond() / alone,
                            seen.percentileMicros(50) / 1e3,
                            seen.percentileMicros(99) / 1e3);
                    out.flush();
                }
            }
        }
    }

    static void deploy(ServedJar server, int partitions) throws IOException, InterruptedException {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(server.uri().resolve("/v1/logs/shop"))
                                .header("Content-Type", "application/json")
                                .PUT(BodyPublishers.ofString(DEFINITION.formatted(partitions)))
                                .build(),
                        BodyHandlers.ofString());
        if (answer.statusCode() != 201) {
            throw new IllegalStateException("not deployed: " + answer.body());
        }
    }
}
