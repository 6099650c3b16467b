package io.seriatim.server;

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

    Progress(PrintWriter err) {
        this(err, Boolean.getBoolean(IS_TERMINAL));
    }

    Progress(PrintWriter err, boolean shown) {
        this.err = err;
        this.shown = shown;
    }

    /** @param part of the whole that is done, 0 to 1 */
    void show(double part, long calls) {
        if (shown) {
            int full = (int) Math.round(part * WIDTH);
            err.print(String.format(
                    Locale.ROOT,
                    "\r[%s%s] %3d %% %,d calls",
                    "#".repeat(full),
                    " ".repeat(WIDTH - full),
                    Math.round(part * 100),
                    calls));
            err.flush();
        }
    }

    /** Takes the bar away. */
    @Override
    public void close() {
        if (shown) {
            err.print("\r" + " ".repeat(WIDTH + 40) + "\r");
            err.flush();
        }
    }
}
