package io.seriatim;

import java.util.Locale;

/** SQL's integer types; they bound min and max, not the increment (PostgreSQL 15, CREATE SEQUENCE). */
public enum ValueType {
    SMALLINT(Short.MIN_VALUE, Short.MAX_VALUE),
    INTEGER(Integer.MIN_VALUE, Integer.MAX_VALUE),
    BIGINT(Long.MIN_VALUE, Long.MAX_VALUE);

    private final long least;
    private final long greatest;

    ValueType(long least, long greatest) {
        this.least = least;
        this.greatest = greatest;
    }

    public long least() {
        return least;
    }

    public long greatest() {
        return greatest;
    }

    /** The name in JSON and on the command line: {@code bigint}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
