package io.seriatim.server;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a definition on the command line; each takes {@code default} for its default. */
final class DefinitionOptions {

    @Mixin
    private ValueOptions values = new ValueOptions();

    @Option(names = "--template", description = "How a number is printed, such as INV-{year}-{seq:5}.")
    private @Nullable String template;

    @Mixin
    private NumberOptions numbers = new NumberOptions();

    /** The options that were given. */
    Body body() {
        return values.body().put("format", numbers.addTo(new Body().putOrDefault("template", template)));
    }
}
