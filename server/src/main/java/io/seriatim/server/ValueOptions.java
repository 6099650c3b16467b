package io.seriatim.server;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a definition beside its format, on the command line; each takes {@code default} for its default. */
final class ValueOptions {

    @Option(names = "--contract", description = "What is promised: fast, ordered or gapless.")
    private @Nullable String contract;

    @Option(names = "--type", description = "smallint, integer or bigint.")
    private @Nullable String type;

    @Option(names = "--start", description = "The first value.")
    private @Nullable String start;

    @Option(names = "--min", description = "The least value.")
    private @Nullable String min;

    @Option(names = "--max", description = "The greatest value.")
    private @Nullable String max;

    @Option(names = "--increment", description = "From one value to the next; negative goes down.")
    private @Nullable String increment;

    @Option(
            names = "--cycle",
            arity = "0..1",
            fallbackValue = "true",
            description = "Go on at the other limit after the last value.")
    private @Nullable String cycle;

    @Option(names = "--cache", description = "The size of a block, or auto.")
    private @Nullable String cache;

    @Option(names = "--warn-at", description = "How many values may be left before it is warned.")
    private @Nullable String warnAt;

    /** The options that were given. */
    Body body() {
        return new Body()
                .putOrDefault("contract", contract)
                .putOrDefault("type", type)
                .putOrDefault("start", start)
                .putOrDefault("min", min)
                .putOrDefault("max", max)
                .putOrDefault("increment", increment)
                .putOrDefault("cache", cache)
                .putOrDefault("warnAt", warnAt)
                .putFlagOrDefault("cycle", cycle);
    }
}
