package io.seriatim.numbering;

import java.time.LocalDate;

/**
 * What the calendar and the clock on the wall show.
 *
 * @param secondOfDay 0 for a business date, which is never printed
 */
record Moment(LocalDate date, int secondOfDay) {

    static final int SECONDS_OF_DAY = 86_400;

    /** The days that have period keys: the years of four digits. */
    static final LocalDate FIRST_DAY = LocalDate.of(1, 1, 1);

    static final LocalDate LAST_DAY = LocalDate.of(9_999, 12, 31);

    static Moment startOf(LocalDate date) {
        return new Moment(date, 0);
    }

    static boolean holds(LocalDate date) {
        return !date.isBefore(FIRST_DAY) && !date.isAfter(LAST_DAY);
    }
}
