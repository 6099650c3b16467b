package io.seriatim.benchmarks;

import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.application.Application;
import io.seriatim.eventlog.application.ApplicationDefinition;
import io.seriatim.eventlog.application.ApplicationSettings;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.eventlog.application.Command;
import io.seriatim.eventlog.application.NewRecord;
import io.seriatim.eventlog.application.RecordKind;
import io.seriatim.eventlog.application.TrustLevel;
import io.seriatim.rocksdb.RocksDbStore;
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
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long a server with a log of eight partitions takes, killed under load, from its start to the first command that it
 * accepts in every partition, as the log grows.
 *
 * <p>Arguments: the jar, a folder on the disk that is to be measured, numbers of events in rising order. The log is one and
 * grows from one to the next.
 */
final class ServerRestart {

    private static final int PARTITIONS = 8;
    private static final int WORKSPACES = 10_000;
    private static final int CALLERS = 2_048;
    private static final int ROUNDS = 5;
    private static final String FILL = "fill";
    private static final ApplicationDefinition SHOP = ApplicationDefinition.ofPartitions(PARTITIONS)
            .kind("shop", ApplicationDefinition.RECORD_ID, 200_001)
            .type("order", RecordKind.WDOC);

    private ServerRestart() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments[0].equals(FILL)) {
            fill(Path.of(arguments[1]), Long.parseLong(arguments[2]));
            return;
        }
        Path jar = Path.of(arguments[0]);
        Path folder = Path.of(arguments[1]).resolve("data");
        PrintStream out = System.out;
        out.println(
                "| events | to the first answer, ms median | ms best | to an accepted command in all partitions, ms median"
                        + " | ms best |");
        out.println("|---|---|---|---|---|");
        long before = 0;
        for (String number : List.of(arguments).subList(2, arguments.length)) {
            long events = Long.parseLong(number);
            fillInAnotherProcess(folder, events - before);
            before = events;
            double[] first = new double[ROUNDS];
            double[] all = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                start(jar, folder, round, first, all);
            }
            Arrays.sort(first);
            Arrays.sort(all);
            out.printf(
                    Locale.ROOT,
                    "| %,d | %.0f | %.0f | %.0f | %.0f |%n",
                    events,
                    first[ROUNDS / 2],
                    first[0],
                    all[ROUNDS / 2],
                    all[0]);
            out.flush();
        }
    }

    private static void start(Path jar, Path folder, int round, double[] first, double[] all)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        try (ServedJar server = ServedJar.start(jar, folder)) {
            HttpClient client = HttpClient.newHttpClient();
            for (int workspace = 0; workspace < PARTITIONS; workspace++) {
                while (!accepts(client, server, workspace)) {
                    first[round] = first[round] == 0 ? (System.nanoTime() - begin) / 1e6 : first[round];
                }
                first[round] = first[round] == 0 ? (System.nanoTime() - begin) / 1e6 : first[round];
            }
            all[round] = (System.nanoTime() - begin) / 1e6;
            for (int i = 0; i < 500; i++) {
                boolean unused = accepts(client, server, i % PARTITIONS);
            }
            server.kill();
        }
    }

    private static boolean accepts(HttpClient client, ServedJar server, long workspace)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(server.uri().resolve("/v1/logs/shop/workspaces/" + workspace + "/events"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(HttpAppend.COMMAND))
                        .build(),
                BodyHandlers.ofString());
        if (answer.statusCode() != 201 && answer.statusCode() != 503) {
            throw new IllegalStateException("neither accepted nor put off: " + answer.body());
        }
        return answer.statusCode() == 201;
    }

    // ---- the log

    private static void fillInAnotherProcess(Path folder, long events) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx2g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServerRestart.class.getName(),
                        FILL,
                        folder.toString(),
                        Long.toString(events))
                .inheritIO()
                .start();
        if (process.waitFor() != 0) {
            throw new IllegalStateException("the log was not filled");
        }
    }

    private static void fill(Path folder, long events) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        ApplicationSettings settings = ApplicationSettings.usual().withTrustLevel(TrustLevel.TRUST_ALL);
        try (RocksDbStore store = RocksDbStore.open(folder);
                SystemEnvironment environment = new SystemEnvironment();
                Applications applications = Applications.on(store.eventLog(), settings, environment)) {
            Application shop = applications.deploy("shop", SHOP).application();
            for (int workspace = 0; workspace < PARTITIONS; workspace++) {
                var unused = shop.append(command(workspace), Duration.ofMinutes(1));
            }
            AtomicLong left = new AtomicLong(events - PARTITIONS);
            CountDownLatch done = new CountDownLatch(CALLERS);
            for (int i = 0; i < CALLERS; i++) {
                call(shop, left, done, threads);
            }
            done.await();
            Runtime.getRuntime().halt(0); // as a kill does: nothing is stored at a clean stop
        }
    }

    private static void call(Application shop, AtomicLong left, CountDownLatch done, ExecutorService threads) {
        long number = left.getAndDecrement();
        if (number <= 0) {
            done.countDown();
            return;
        }
        var unused = shop.submit(command(number % WORKSPACES))
                .whenCompleteAsync(
                        (appended, thrown) -> {
                            if (thrown != null) {
                                requirePutOff(thrown);
                                long unusedCount = left.incrementAndGet();
                            }
                            call(shop, left, done, threads);
                        },
                        threads);
    }

    /** Too much is not stored yet: a caller comes again. Anything else ends the measurement. */
    private static void requirePutOff(Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        if (!(cause instanceof EventLogException e) || !e.code().mayBeRetried()) {
            thrown.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private static Command command(long workspace) {
        return Command.in("shop", workspace)
                .create(NewRecord.of("order", 1).with("customer", "Ada").with("total", 1234L));
    }
}
