package io.seriatim.server;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of a format beside its template, on the command line; each takes {@code default} for its default. */
final class NumberOptions {

    @Option(
            names = "--reset",
            description = "When the counter starts again: never, yearly, quarterly, monthly, weekly, daily or fiscal.")
    private @Nullable String reset;

    @Option(names = "--zone", description = "The time zone that decides what day it is; default UTC.")
    private @Nullable String zone;

    @Option(names = "--fiscal-start", paramLabel = "MM-DD", description = "The first day of the fiscal year.")
    private @Nullable String fiscalStart;

    @Option(
            names = "--scope",
            paramLabel = "NAME:MAX[:fixed][:upper][:ALPHABET]",
            converter = ToScope.class,
            description = "A part of the number with counters of its own; once for each.")
    private @Nullable List<Scope> scopes;

    @Option(names = "--max-length", description = "The greatest length of a number; default 255.")
    private @Nullable String maxLength;

    @Option(names = "--charset", description = "The characters that a number may have, such as [A-Z0-9-].")
    private @Nullable String charset;

    @Option(
            names = "--allow-repeats",
            arity = "0..1",
            fallbackValue = "true",
            description = "Numbers may have the same text in two periods or scopes.")
    private @Nullable String allowRepeats;

    @Option(
            names = "--monotonic-period",
            arity = "0..1",
            fallbackValue = "true",
            description = "Periods may only rise.")
    private @Nullable String monotonicPeriod;

    @Option(
            names = "--policy",
            description = "What becomes of a number that was given back, with gapless: relaxed, strict or void.")
    private @Nullable String policy;

    @Option(names = "--reservation-seconds", description = "How long a reservation is held, with gapless; default 600.")
    private @Nullable String reservationSeconds;

    /** The options that were given, behind those of a body. */
    Body addTo(Body body) {
        body.putOrDefault("reset", reset)
                .putOrDefault("zone", zone)
                .putOrDefault("fiscalStart", fiscalStart)
                .putOrDefault("maxLength", maxLength)
                .putOrDefault("charset", charset)
                .putFlagOrDefault("allowRepeats", allowRepeats)
                .putFlagOrDefault("monotonicPeriod", monotonicPeriod)
                .putOrDefault("policy", policy)
                .putOrDefault("reservationSeconds", reservationSeconds);
        if (scopes != null) {
            body.put(
                    "scopes",
                    scopes.stream()
                            .filter(scope -> !scope.isDefault())
                            .map(Scope::body)
                            .toList());
        }
        return body;
    }

    /** A scope as its words: name, max, and what stands behind them. */
    record Scope(List<String> words) {

        boolean isDefault() {
            return words.equals(List.of(Body.DEFAULT));
        }

        Body body() {
            Body body = new Body().put("name", words.get(0)).put("max", words.get(1));
            int next = 2;
            if (isAt(next, "fixed")) {
                body.put("fixed", true);
                next++;
            }
            if (isAt(next, "upper")) {
                body.put("case", "upper");
                next++;
            }
            return next == words.size()
                    ? body
                    : body.put("alphabet", String.join(":", words.subList(next, words.size())));
        }

        private boolean isAt(int index, String word) {
            return index < words.size() && words.get(index).equals(word);
        }
    }

    static final class ToScope implements ITypeConverter<Scope> {
        @Override
        public Scope convert(String text) {
            Scope scope = new Scope(List.of(text.split(":", -1)));
            if (scope.words().size() < 2 && !scope.isDefault()) {
                throw new TypeConversionException("'" + text + "' is not NAME:MAX[:fixed][:upper][:ALPHABET]");
            }
            return scope;
        }
    }
}
