package io.seriatim.numbering;

import java.util.Locale;
import java.util.Optional;

/** How often a counter starts again. */
public enum Reset {
    NEVER,
    YEARLY,
    QUARTERLY,
    MONTHLY,
    /** By ISO weeks, which begin on Monday. */
    WEEKLY,
    DAILY,
    /** Each fiscal year, which begins on the definition's {@code fiscalStart}. */
    FISCAL;

    /** The name in JSON and on the command line: {@code never}, {@code yearly} and so on. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Reset> of(String text) {
        for (Reset reset : values()) {
            if (reset.text().equals(text)) {
                return Optional.of(reset);
            }
        }
        return Optional.empty();
    }
}
