package io.seriatim;

import java.util.Locale;

/** What a sequence promises. The promises are numbered and spelled out in docs/promises.md. */
public enum Contract {
    /**
     * Unique, and rising within a process. Blocks of values are made durable before the first value of them
     * is handed out; a crash skips at most the blocks in memory, a clean stop skips nothing.
     */
    FAST,

    /**
     * Unique, and every value lies behind any value returned anywhere, by any process, before its call began.
     * Every value is durable before it is returned; calls that wait together share one write. A crash skips at
     * most the calls in flight.
     */
    ORDERED,

    /**
     * Every number ends as confirmed, or voided with a reason; none is missing, none used twice. A number is reserved,
     * then confirmed or cancelled; reservations outlive crashes, and expire. Two store writes a number.
     */
    GAPLESS;

    /** The name in JSON and on the command line: {@code fast}, {@code ordered}, {@code gapless}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
