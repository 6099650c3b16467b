package io.seriatim.verification;

import java.io.IOException;
import java.nio.file.Path;

/** Runs a loop of a killed server of an event log from the command line; verification/command-loop.sh calls it. */
public final class CommandLoopMain {

    private static final int MOST_SHOWN = 20;

    private CommandLoopMain() {}

    /** Exit codes: 0 all is well, 1 a promise was broken, 64 bad usage. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length != 3) {
            System.err.println("usage: CommandLoopMain FOLDER KILLS SEED");
            System.exit(64);
        }
        int kills = Integer.parseInt(arguments[1]);
        long seed = Long.parseLong(arguments[2]);
        Path jar = Path.of(System.getProperty("seriatim.jar", ""));
        CommandHistory.Result result = new CommandLoop(jar, Path.of(arguments[0]), seed).run(kills);
        result.violations().stream().limit(MOST_SHOWN).forEach(System.out::println);
        System.out.println("seed " + seed + ": " + kills + " kills, " + result.events() + " events in the log, "
                + result.acknowledged() + " acknowledged, " + result.unknowns() + " without an answer, of which "
                + result.landed() + " are there; " + result.records() + " records; violations: "
                + result.violations().size());
        System.exit(result.violations().isEmpty() ? 0 : 1);
    }
}
