package io.seriatim.verification;

import io.seriatim.rocksdb.RocksDbStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Runs a loop of killed reservations from the command line; verification/reservation-loop.sh calls it. */
public final class ReservationLoopMain {

    private ReservationLoopMain() {}

    /** Exit codes: 0 all is well, 1 a promise was broken, 64 bad usage. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length != 3) {
            System.err.println("usage: ReservationLoopMain FOLDER KILLS SEED");
            System.exit(64);
        }
        Path folder = Path.of(arguments[0]);
        Files.createDirectories(folder);
        int kills = Integer.parseInt(arguments[1]);
        long seed = Long.parseLong(arguments[2]);
        Path data = folder.resolve("data");
        ReservationLoop loop = new ReservationLoop(
                List.of(data.toString()), folder.resolve("errors.txt"), () -> RocksDbStore.open(data));
        ReservationLoop.Result result = loop.run(1, kills, seed);
        result.violations().forEach(System.out::println);
        System.out.println("seed " + seed + ": " + result.kills() + " kills, " + result.steps() + " steps, "
                + result.values() + " values, " + result.states() + "; violations: "
                + result.violations().size());
        System.exit(result.violations().isEmpty() ? 0 : 1);
    }
}
