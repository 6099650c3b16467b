package io.seriatim.verification;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Runs a kill loop from the command line; verification/kill-loop.sh calls it. */
public final class KillLoopMain {

    private KillLoopMain() {}

    /** Exit codes: 0 all is well, 1 a promise was broken, 2 the loop proves nothing, 64 bad usage. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length != 3) {
            System.err.println("usage: KillLoopMain FOLDER ROUNDS SEED, with -Dseriatim.jar=JAR");
            System.exit(64);
        }
        Path jar = Path.of(System.getProperty("seriatim.jar", "server/target/seriatim.jar"));
        int rounds = Integer.parseInt(arguments[1]);
        long seed = Long.parseLong(arguments[2]);
        System.out.println("kill loop: rounds=" + rounds + " seed=" + seed);
        long begin = System.nanoTime();
        KillLoop loop = KillLoop.onFolder(jar, Path.of(arguments[0]), seed, System.out::println);
        KillLoop.Result result = loop.run(rounds);
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
        result.report().violations().forEach(System.out::println);
        result.surprises().forEach(surprise -> System.out.println("SURPRISE " + surprise));
        System.out.println(rounds + " rounds in " + seconds + " s, seed " + seed + ": "
                + result.report().summary() + "; surprises: "
                + result.surprises().size());
        System.out.println("history: " + loop.historyFile());
        System.exit(result.surprises().isEmpty() ? HistoryCheckerMain.exitCode(result.report()) : 1);
    }
}
