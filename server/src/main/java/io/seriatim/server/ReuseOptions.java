package io.seriatim.server;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The leave to hand out numbers again, on the command line. */
final class ReuseOptions {

    @Option(names = "--allow-reuse", description = "Numbers may come again; needs --reason.")
    private boolean allowReuse;

    @Option(names = "--reason", description = "Why; the audit trail keeps it.")
    private @Nullable String reason;

    Body addTo(Body body) {
        if (allowReuse) {
            body.put("allowReuse", true);
        }
        return body.put("reason", reason);
    }
}
