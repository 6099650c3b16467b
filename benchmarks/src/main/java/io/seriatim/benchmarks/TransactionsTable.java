package io.seriatim.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs {@link Transactions} and prints one table, beside what Voedger's sequencer in Go took on a machine like this.
 *
 * <p>Arguments: seconds an iteration (default 1), a folder on the disk that is to be measured.
 */
final class TransactionsTable {

    private static final double GO_HOT_NANOS = 1_330;
    private static final double GO_MANY_NANOS = 6_800;

    private TransactionsTable() {}

    public static void main(String[] arguments) throws RunnerException {
        double seconds = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 1;
        String folder = arguments.length > 1 ? arguments[1] : System.getProperty("java.io.tmpdir");
        TimeValue iteration = TimeValue.milliseconds(Math.round(seconds * 1_000));
        PrintStream out = System.out;
        out.println("| store | workspaces | ns a transaction | error | Voedger's / ours | B/op |");
        out.println("|---|---|---|---|---|---|");
        for (RunResult result : new Runner(new OptionsBuilder()
                        .include("\\." + Transactions.class.getSimpleName() + "\\.")
                        .warmupTime(iteration)
                        .measurementTime(iteration)
                        .jvmArgsAppend("-Dtransactions.folder=" + folder, "-Xmx2g")
                        .addProfiler(GCProfiler.class)
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true)
                        .build())
                .run()) {
            out.println(row(result));
        }
    }

    private static String row(RunResult result) {
        int workspaces = Integer.parseInt(result.getParams().getParam("workspaces"));
        double nanos = result.getPrimaryResult().getScore();
        double error = result.getPrimaryResult().getScoreError();
        List<Double> bytes = new ArrayList<>();
        result.getSecondaryResults().forEach((label, secondary) -> {
            if (label.endsWith("gc.alloc.rate.norm")) {
                bytes.add(secondary.getScore());
            }
        });
        double reference = workspaces > 100_000 ? GO_MANY_NANOS : GO_HOT_NANOS;
        return String.format(
                Locale.ROOT,
                "| %s | %,d | %.1f | %.1f | %s | %.3f |",
                result.getParams().getParam("store"),
                workspaces,
                nanos,
                error,
                workspaces == 10_000 ? "" : String.format(Locale.ROOT, "%.1f", reference / nanos),
                bytes.get(0));
    }
}
