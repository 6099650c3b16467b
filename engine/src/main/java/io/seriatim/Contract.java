package io.seriatim;

import java.util.Locale;

/** What a sequence promises. The promises are numbered and spelled out in docs/promises.md. */
public enum Contract {
    /**
     * Unique, and rising within a process. Blocks of values are made durable before the first value of them
     * is handed out; a crash skips at most the blocks in memory, a clean stop skips nothing.
     */
    FAST;

    /** The name in JSON and on the command line: {@code fast}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
