package io.seriatim.server;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which counter of a sequence with a format is meant, on the command line. */
final class CounterOptions {

    @Option(names = "--period", paramLabel = "KEY", description = "Whose counter, such as 2026-07.")
    @Nullable
    String period;

    @Mixin
    final ScopeOption scope = new ScopeOption();
}
