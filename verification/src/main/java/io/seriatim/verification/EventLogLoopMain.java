package io.seriatim.verification;

import java.io.IOException;
import java.nio.file.Path;

/** Runs a loop of killed writers of an event log from the command line; verification/event-log-loop.sh calls it. */
public final class EventLogLoopMain {

    private static final int MOST_SHOWN = 20;

    private EventLogLoopMain() {}

    /** Exit codes: 0 all is well, 1 a promise was broken, 64 bad usage. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length != 3) {
            System.err.println("usage: EventLogLoopMain FOLDER KILLS SEED");
            System.exit(64);
        }
        int kills = Integer.parseInt(arguments[1]);
        long seed = Long.parseLong(arguments[2]);
        EventLogHistory.Result result = new EventLogLoop(Path.of(arguments[0])).run(kills, seed);
        result.violations().stream().limit(MOST_SHOWN).forEach(System.out::println);
        System.out.println("seed " + seed + ": " + kills + " kills, " + result.starts() + " starts, " + result.events()
                + " events in the log, " + result.acknowledged() + " acknowledged; a start replayed at most "
                + result.mostReplayed() + "; violations: " + result.violations().size());
        System.exit(result.violations().isEmpty() ? 0 : 1);
    }
}
