package io.seriatim.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How long a server takes from the start of its process to its first number, and how much of the processors:
 * without and with the archive of classes, by turns.
 *
 * <p>Arguments: the jar, the archive, rounds (default 10).
 */
final class StartTime {

    private record Start(double wallMillis, double processorMillis) {}

    private StartTime() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        String jar = arguments[0];
        String archive = arguments[1];
        int rounds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 10;
        if (!Files.exists(Path.of(archive))) {
            throw new IllegalArgumentException("there is no archive; run ./seriatim once: archive=" + archive);
        }
        List<Start> without = new ArrayList<>();
        List<Start> with = new ArrayList<>();
        HttpClient client = HttpClient.newHttpClient();
        for (int round = 0; round < rounds; round++) {
            without.add(start(client, List.of("-Xshare:auto"), jar));
            with.add(start(client, List.of("-Xshare:auto", "-XX:SharedArchiveFile=" + archive), jar));
        }
        PrintStream out = System.out;
        out.println("| archive | first number, ms median | ms best | processor ms median |");
        out.println("|---|---|---|---|");
        out.println(row("none", without));
        out.println(row("of classes", with));
    }

    private static Start start(HttpClient client, List<String> options, String jar)
            throws IOException, InterruptedException {
        Path data = Files.createTempDirectory("seriatim-start");
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(options);
        command.addAll(List.of("-jar", jar, "serve", "--port", "0", "--data", data.toString()));
        long begin = System.nanoTime();
        Process process = new ProcessBuilder(command).start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            String line = out.readLine();
            if (line == null) {
                throw new IllegalStateException("the server has not started");
            }
            URI uri = URI.create(line.replaceFirst(".*(http://[0-9.:]+).*", "$1"));
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(uri.resolve("/v1/sequences/a/next?define=true"))
                            .POST(HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            long wall = System.nanoTime() - begin;
            if (answer.statusCode() != 200) {
                throw new IllegalStateException("no number: " + answer.body());
            }
            Duration processor = process.info().totalCpuDuration().orElse(Duration.ZERO);
            return new Start(wall / 1e6, processor.toMillis());
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    private static String row(String name, List<Start> starts) {
        return String.format(
                Locale.ROOT,
                "| %s | %.0f | %.0f | %.0f |",
                name,
                median(starts.stream().map(Start::wallMillis).toList()),
                starts.stream().mapToDouble(Start::wallMillis).min().orElseThrow(),
                median(starts.stream().map(Start::processorMillis).toList()));
    }

    private static double median(List<Double> numbers) {
        return numbers.stream().sorted().skip(numbers.size() / 2).findFirst().orElseThrow();
    }
}
