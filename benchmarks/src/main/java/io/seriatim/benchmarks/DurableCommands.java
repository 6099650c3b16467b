package io.seriatim.benchmarks;

import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.application.Appended;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Commands a second of one partition on a RocksDB store, each with a record and answered when it is durable and applied,
 * with 1, 64 and 256 callers of which each has one command under way: 1 caller pays one sync a command.
 *
 * <p>Arguments: rounds (default 3), seconds a run (default 5), folder for the stores; it must be on the disk that is to be
 * measured.
 */
final class DurableCommands {

    private static final int[] CALLERS = {1, 64, 256};
    private static final int WORKSPACES = 16;
    private static final String KIND = "shop";
    private static final ApplicationDefinition SHOP = ApplicationDefinition.ofPartitions(1)
            .kind(KIND, ApplicationDefinition.RECORD_ID, 200_001)
            .type("order", RecordKind.WDOC);

    private DurableCommands() {}

    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
        Duration time = Duration.ofSeconds(arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5);
        Path near = Path.of(arguments.length > 2 ? arguments[2] : System.getProperty("java.io.tmpdir"));
        PrintStream out = System.out;
        out.println("| round | trust level | callers | commands/s | of one sync a command |");
        out.println("|---|---|---|---|---|");
        for (int round = 1; round <= rounds; round++) {
            for (TrustLevel level : TrustLevel.values()) {
                double alone = 0;
                for (int callers : CALLERS) {
                    double rate = inNewFolder(near, folder -> rate(folder, level, callers, time));
                    alone = callers == 1 ? rate : alone;
                    out.printf(
                            Locale.ROOT,
                            "| %d | %s | %d | %,.0f | %.1f |%n",
                            round,
                            level,
                            callers,
                            rate,
                            rate / alone);
                    out.flush();
                }
            }
        }
    }

    private interface Measurement {
        double run(Path folder) throws InterruptedException;
    }

    private static double inNewFolder(Path near, Measurement measurement) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(near, "seriatim-commands-");
        try {
            return measurement.run(folder);
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static double rate(Path folder, TrustLevel level, int callers, Duration time) throws InterruptedException {
        ApplicationSettings settings = ApplicationSettings.usual().withTrustLevel(level);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (RocksDbStore store = RocksDbStore.open(folder);
                SystemEnvironment environment = new SystemEnvironment();
                Applications applications = Applications.on(store.eventLog(), settings, environment)) {
            Application shop = applications.deploy("shop", SHOP).application();
            Appended unused = shop.append(command(0), Duration.ofSeconds(10));
            Callers all = new Callers(shop, threads, callers, time);
            for (int i = 0; i < callers; i++) {
                all.call(i);
            }
            return all.rate();
        } finally {
            threads.shutdown();
        }
    }

    private static Command command(int caller) {
        return Command.in(KIND, caller % WORKSPACES)
                .create(NewRecord.of("order", 1).with("customer", "Ada").with("total", 1234L));
    }

    /** Callers that have one command under way each, and send the next when it is answered. */
    private static final class Callers {

        private final Application shop;
        private final ExecutorService threads;
        private final CountDownLatch done;
        private final long warm;
        private final long end;
        private final LongAdder count = new LongAdder();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        Callers(Application shop, ExecutorService threads, int callers, Duration time) {
            this.shop = shop;
            this.threads = threads;
            done = new CountDownLatch(callers);
            long begin = System.nanoTime();
            warm = begin + time.toNanos() / 3;
            end = begin + time.toNanos();
        }

        void call(int caller) {
            var unused = shop.submit(command(caller))
                    .whenCompleteAsync(
                            (appended, thrown) -> {
                                long now = System.nanoTime();
                                if (thrown != null) {
                                    failure.set(thrown);
                                }
                                if (thrown != null || now >= end) {
                                    done.countDown();
                                    return;
                                }
                                if (now >= warm) {
                                    count.increment();
                                }
                                call(caller);
                            },
                            threads);
        }

        double rate() throws InterruptedException {
            done.await();
            if (failure.get() != null) {
                throw new IllegalStateException("a command failed", failure.get());
            }
            return count.sum() / ((end - warm) / 1e9);
        }
    }
}
