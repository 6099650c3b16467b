package io.seriatim.server;

import io.seriatim.eventlog.ReplayProgress;
import java.io.PrintWriter;
import java.util.Locale;

/** A bar on stderr that grows; nothing where stderr is no terminal, which the launcher tells. */
final class Progress implements AutoCloseable {

    /*
     * Java cannot tell whether stderr alone is a terminal: System.console() looks at stdin and stdout. The shell
     * can, in one word. A library for bars brings a terminal library of a megabyte, and asks the same.
     */

    /** Set by the launcher. */
    private static final String IS_TERMINAL = "seriatim.stderr.terminal";

    private static final int WIDTH = 40;

    private final PrintWriter err;
    private final boolean shown;
    private int longest;

    Progress(PrintWriter err) {
        this(err, Boolean.getBoolean(IS_TERMINAL));
    }

    Progress(PrintWriter err, boolean shown) {
        this.err = err;
        this.shown = shown;
    }

    /** @param part of the whole that is done, 0 to 1 */
    void show(double part, long calls) {
        show(part, String.format(Locale.ROOT, "%,d calls", calls));
    }

    /** How far a log is read. */
    void show(ReplayProgress progress) {
        String rate = String.format(Locale.ROOT, "%,d events/s", progress.eventsPerSecond());
        String left = progress.left()
                .map(time -> String.format(Locale.ROOT, ", %d:%02d left", time.toMinutes(), time.toSecondsPart()))
                .orElse("");
        show(progress.percent() / 100.0, rate + left);
    }

    void show(double part, String beside) {
        if (shown) {
            int full = (int) Math.round(part * WIDTH);
            String line = String.format(
                    Locale.ROOT,
                    "[%s%s] %3d %% %s",
                    "#".repeat(full),
                    " ".repeat(WIDTH - full),
                    Math.round(part * 100),
                    beside);
            err.print("\r" + line + " ".repeat(Math.max(0, longest - line.length())));
            err.flush();
            longest = Math.max(longest, line.length());
        }
    }

    /** Takes the bar away. */
    @Override
    public void close() {
        if (shown) {
            err.print("\r" + " ".repeat(longest) + "\r");
            err.flush();
        }
    }
}
