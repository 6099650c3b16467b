package io.seriatim.verification;

import java.io.IOException;
import java.nio.file.Path;

/** Runs a loop of killed transactions from the command line; verification/transaction-loop.sh calls it. */
public final class TransactionLoopMain {

    private static final int MOST_LINES = 8_000;
    private static final int MOST_SHOWN = 20;

    private TransactionLoopMain() {}

    /** Exit codes: 0 all is well, 1 a promise was broken, 64 bad usage. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length != 3) {
            System.err.println("usage: TransactionLoopMain FOLDER KILLS SEED");
            System.exit(64);
        }
        int kills = Integer.parseInt(arguments[1]);
        long seed = Long.parseLong(arguments[2]);
        TransactionLoop.Result result = new TransactionLoop(Path.of(arguments[0])).run(kills, MOST_LINES, seed);
        result.violations().stream().limit(MOST_SHOWN).forEach(System.out::println);
        System.out.println(
                "seed " + seed + ": " + kills + " kills, " + result.starts() + " starts, " + result.committed()
                        + " transactions acknowledged, " + result.rows() + " rows; violations: "
                        + result.violations().size());
        System.exit(result.violations().isEmpty() ? 0 : 1);
    }
}
