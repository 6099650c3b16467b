package io.seriatim.postgresql;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/** Instants as text in ISO 8601, UTC. */
final class Instants {

    /*
     * A timestamptz has no place for nanoseconds and ends in the year 294276; rows come back as they went in. All
     * nine digits are written, so within the years 0 to 9999 the order of the texts is the order of time.
     */

    private static final DateTimeFormatter NINE_DIGITS =
            new DateTimeFormatterBuilder().appendInstant(9).toFormatter();

    private Instants() {}

    static String format(Instant instant) {
        return NINE_DIGITS.format(instant);
    }

    static Instant parse(String text) {
        return Instant.parse(text);
    }
}
