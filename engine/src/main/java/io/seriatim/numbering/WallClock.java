package io.seriatim.numbering;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;

/**
 * What calendar and clock show at an instant, and the seconds around it in which what is printed stays the same.
 *
 * @param moment cut to the unit that is printed
 * @param from the first second since 1970 of them, inclusive
 * @param until exclusive
 */
record WallClock(Moment moment, long from, long until) {

    /*
     * Between two changes of a zone's offset the clock on the wall runs like any other, so a day is simply 24 hours
     * of it. Everything odd lies at the changes: days of 23 or 25 hours, days that begin at one o'clock, that are
     * left out, or that come twice. Cutting the seconds at the change before and the change after covers them all:
     * a day with a change in it has two such pieces, with one date.
     */

    /** Beyond these no zone has a date of four-digit years. */
    private static final long FIRST_SECOND =
            Moment.FIRST_DAY.minusDays(2).atStartOfDay().toEpochSecond(ZoneOffset.UTC);

    private static final long LAST_SECOND =
            Moment.LAST_DAY.plusDays(2).atStartOfDay().toEpochSecond(ZoneOffset.UTC);

    /** Nothing for an instant that is thousands of years away. */
    static Optional<WallClock> at(Instant instant, ZoneId zone, int unitSeconds) {
        long second = instant.getEpochSecond();
        if (second < FIRST_SECOND || second > LAST_SECOND) {
            return Optional.empty();
        }
        ZoneRules rules = zone.getRules();
        ZoneOffset offset = rules.getOffset(instant);
        LocalDateTime shown = LocalDateTime.ofEpochSecond(second, 0, offset);
        int secondOfDay = shown.toLocalTime().toSecondOfDay();
        int begun = secondOfDay - secondOfDay % unitSeconds;
        long from = second - (secondOfDay - begun);
        long until = from + unitSeconds;
        ZoneOffsetTransition before = rules.previousTransition(instant.plusNanos(1));
        ZoneOffsetTransition after = rules.nextTransition(instant);
        if (before != null) {
            from = Math.max(from, before.toEpochSecond());
        }
        if (after != null) {
            until = Math.min(until, after.toEpochSecond());
        }
        LocalDate date = shown.toLocalDate();
        return Optional.of(new WallClock(new Moment(date, begun), from, until));
    }
}
