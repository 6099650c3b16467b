package io.seriatim.server;

import io.seriatim.numbering.Scope;
import io.seriatim.numbering.convert.Given;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What may be said beside another product's text, whatever the product. */
final class ConvertOptions {

    @Option(names = "--name", description = "The name in the printed command; default numbers.")
    private String name = "numbers";

    @Option(names = "--at", paramLabel = "INSTANT", description = "The instant whose numbers are shown; default: now.")
    private @Nullable String at;

    @Option(names = "--zone", description = "The time zone that decides what day it is; default UTC.")
    private @Nullable String zone;

    @Option(names = "--fiscal-start", paramLabel = "MM-DD", description = "The first day of the fiscal year.")
    private @Nullable String fiscalStart;

    @Option(
            names = "--scope",
            paramLabel = "NAME:MAX[:fixed][:upper][:ALPHABET]",
            converter = NumberOptions.ToScope.class,
            description = "Declares a scope that the text prints, in place of what would be assumed.")
    private @Nullable List<NumberOptions.Scope> scopes;

    String name() {
        return name;
    }

    @Nullable
    String at() {
        return at;
    }

    Given given() {
        Given given = Given.NOTHING;
        if (zone != null) {
            given = given.zone(zone);
        }
        if (fiscalStart != null) {
            given = given.fiscalStart(fiscalStart);
        }
        List<Scope> declared = new ArrayList<>();
        for (NumberOptions.Scope scope : scopes == null ? List.<NumberOptions.Scope>of() : scopes) {
            declared.add(FormatJson.scope(Fields.of(scope.body().text())));
        }
        return given.scopes(declared);
    }
}
