package io.seriatim.server;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** For what a number is wanted, on the command line. */
final class AskOptions {

    @Option(names = "--at", paramLabel = "INSTANT", description = "The instant that decides period and printed date.")
    @Nullable
    String at;

    @Option(names = "--date", paramLabel = "DAY", description = "A business date instead, such as 2026-07-09.")
    @Nullable
    String date;

    @Mixin
    final ScopeOption scope = new ScopeOption();
}
