package io.seriatim.benchmarks;

import io.seriatim.SequenceDefinition;
import io.seriatim.Sequences;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.server.HttpServer;
import io.undertow.Undertow;
import io.undertow.util.Headers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * {@code POST /v1/sequences/{name}/next} over loopback, beside bare Undertow that answers the same number of
 * bytes and does nothing else.
 *
 * <p>Arguments: rounds (default 3) and seconds a run (default 5). Starts two processes and ends them.
 */
final class HttpNext {

    /*
     * Each server is a JVM of its own with the same options and the libraries' defaults; both are up all the
     * time, and the load goes to one after the other, so that a slow minute of the machine hits both. The load
     * comes from this process: on a machine with few cores it takes its part of them, the same part for both.
     *
     * A server process ends when its standard input does, so it cannot outlive this one.
     */

    private static final int[] CONNECTIONS = {1, 16, 64};
    private static final String OURS = "serve-seriatim";
    private static final String BARE = "serve-undertow";
    private static final String PATH = "/v1/sequences/" + Contender.NAME + "/next";
    private static final Duration WARMUP = Duration.ofSeconds(5);
    private static final Duration END = Duration.ofSeconds(15);
    /** So far from 1 that all values have as many digits. */
    private static final long START = 1_000_000_000;

    private HttpNext() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length > 0 && arguments[0].equals(OURS)) {
            serveSeriatim(Path.of(arguments[1]));
        } else if (arguments.length > 0 && arguments[0].equals(BARE)) {
            serveUndertow(arguments[1]);
        } else {
            int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
            int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
            compare(rounds, Duration.ofSeconds(seconds));
        }
    }

    // ---- the servers, each in its process

    private static void serveSeriatim(Path folder) throws IOException {
        try (Sequences sequences = Sequences.on(RocksDbStore.open(folder))) {
            sequences.define(Contender.NAME, SequenceDefinition.ascending().start(START));
            try (HttpServer server = HttpServer.start(sequences, anyPort())) {
                untilInputEnds(server.uri());
            }
        }
    }

    private static void serveUndertow(String body) throws IOException {
        Undertow server = Undertow.builder()
                .addHttpListener(0, anyPort().getHostString())
                .setHandler(exchange -> {
                    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
                    exchange.getResponseSender().send(body);
                })
                .build();
        server.start();
        try {
            InetSocketAddress address =
                    (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
            untilInputEnds(URI.create("http://127.0.0.1:" + address.getPort()));
        } finally {
            server.stop();
        }
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static void untilInputEnds(URI uri) throws IOException {
        System.out.println(uri);
        System.out.flush();
        while (System.in.read() >= 0) {
            // only the end counts
        }
    }

    /** A server process, ended by closing it. */
    private static final class Served implements AutoCloseable {
        private final Process process;
        private final InetSocketAddress address;

        private Served(String... arguments) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xms512m",
                    "-Xmx512m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    HttpNext.class.getName()));
            command.addAll(List.of(arguments));
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String line = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            if (line == null) {
                throw new IOException("the server did not start: command=" + command);
            }
            address = new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), URI.create(line).getPort());
        }

        @Override
        public void close() {
            try (OutputStream input = process.getOutputStream()) {
                input.flush();
            } catch (IOException e) {
                System.err.println("the server has ended before it was told to: " + e);
            }
            try {
                if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }

    // ---- the comparison

    private static void compare(int rounds, Duration time) throws IOException {
        Path folder = Files.createTempDirectory("seriatim-benchmark");
        try (Served ours = new Served(OURS, folder.toString())) {
            HttpLoad oursLoad = new HttpLoad(ours.address, PATH);
            String body = oursLoad.once();
            try (Served bare = new Served(BARE, body)) {
                HttpLoad bareLoad = new HttpLoad(bare.address, PATH);
                oursLoad.run(16, WARMUP);
                bareLoad.run(16, WARMUP);
                PrintStream out = System.out;
                out.println("answer: " + body);
                out.println(
                        "| connections | ours req/s | p50 µs | p99 µs | Undertow req/s | p50 µs | p99 µs | ours / Undertow |");
                out.println("|---|---|---|---|---|---|---|---|");
                for (int connections : CONNECTIONS) {
                    List<HttpLoad.Seen> oursSeen = new ArrayList<>();
                    List<HttpLoad.Seen> bareSeen = new ArrayList<>();
                    for (int round = 0; round < rounds; round++) {
                        oursSeen.add(oursLoad.run(connections, time));
                        bareSeen.add(bareLoad.run(connections, time));
                    }
                    out.println(row(connections, median(oursSeen), median(bareSeen)));
                    out.flush();
                }
            }
        } finally {
            delete(folder);
        }
    }

    private static String row(int connections, HttpLoad.Seen ours, HttpLoad.Seen bare) {
        return String.format(
                Locale.ROOT,
                "| %d | %,.0f | %,d | %,d | %,.0f | %,d | %,d | %.2f |",
                connections,
                ours.perSecond(),
                ours.percentileMicros(50),
                ours.percentileMicros(99),
                bare.perSecond(),
                bare.percentileMicros(50),
                bare.percentileMicros(99),
                ours.perSecond() / bare.perSecond());
    }

    private static HttpLoad.Seen median(List<HttpLoad.Seen> seen) {
        return seen.stream()
                .sorted(Comparator.comparingDouble(HttpLoad.Seen::perSecond))
                .skip(seen.size() / 2)
                .findFirst()
                .orElseThrow();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
