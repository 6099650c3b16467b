package io.seriatim.benchmarks;

import io.seriatim.eventlog.application.TrustLevel;
import io.seriatim.rocksdb.RocksDbStore;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Commands a second of one partition on a RocksDB store, each with a record and answered when it is durable and applied,
 * with 1, 64 and 256 callers of which each has one command under way: 1 caller pays one sync a command.
 *
 * <p>Arguments: rounds (default 3), seconds a run (default 5), folder for the stores; it must be on the disk that is to be
 * measured.
 */
final class DurableCommands {

    private static final int[] CALLERS = {1, 64, 256};

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
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            return CommandLoad.rate(store.eventLog(), level, callers, time);
        }
    }
}
