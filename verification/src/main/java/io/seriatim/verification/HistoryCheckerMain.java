package io.seriatim.verification;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Checks a history file. Exit codes: 0 valid, 1 invalid, 2 it proves nothing, 64 bad usage. */
public final class HistoryCheckerMain {

    private static final HistoryChecker.Demand DEMAND = new HistoryChecker.Demand(1_000, 1);

    private HistoryCheckerMain() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 1) {
            System.err.println("usage: HistoryCheckerMain FILE");
            System.exit(64);
        }
        Report report = check(Path.of(arguments[0]), DEMAND);
        report.violations().forEach(System.out::println);
        System.out.println(report.summary());
        System.exit(exitCode(report));
    }

    static int exitCode(Report report) {
        return switch (report.verdict()) {
            case VALID -> 0;
            case INVALID -> 1;
            case UNKNOWN -> 2;
        };
    }

    /** @throws IllegalArgumentException if a line other than an unfinished last one is no event */
    static Report check(Path file, HistoryChecker.Demand demand) throws IOException {
        HistoryChecker checker = new HistoryChecker(demand);
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            String line = lines.readLine();
            while (line != null) {
                String next = lines.readLine();
                HistoryEvent event = event(line, next == null);
                if (event != null) {
                    checker.accept(event);
                }
                line = next;
            }
        }
        return checker.report();
    }

    /** The last line may be torn: its writer was killed. */
    private static @Nullable HistoryEvent event(String line, boolean last) {
        try {
            return HistoryFormat.parse(line);
        } catch (IllegalArgumentException e) {
            if (last) {
                return null;
            }
            throw e;
        }
    }
}
