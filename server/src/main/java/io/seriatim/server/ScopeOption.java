package io.seriatim.server;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The values of scopes, on the command line. */
final class ScopeOption {

    @Option(
            names = "--scope",
            paramLabel = "KEY=VALUE",
            converter = ScopeValue.OfText.class,
            description = "The value of a scope; once for each.")
    @Nullable
    List<ScopeValue> values;
}
