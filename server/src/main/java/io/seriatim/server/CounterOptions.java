package io.seriatim.server;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which counter of a sequence with a format is meant, on the command line. */
final class CounterOptions {

    @Option(names = "--period", paramLabel = "KEY", description = "Whose counter, such as 2026-07.")
    @Nullable
    String period;

    @Option(
            names = "--scope",
            paramLabel = "KEY=VALUE",
            converter = ScopeValue.OfText.class,
            description = "The value of a scope; once for each.")
    @Nullable
    List<ScopeValue> scope;
}
