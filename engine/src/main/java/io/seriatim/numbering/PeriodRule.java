package io.seriatim.numbering;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which period a day belongs to.
 *
 * @param fiscalStart the first day of each fiscal year, never February 29
 */
record PeriodRule(Reset reset, MonthDay fiscalStart) {

    private static final Pattern KEY = Pattern.compile("(?:FY)?([0-9]{4})(?:-(Q|W)?([0-9]{1,2})(?:-([0-9]{2}))?)?");

    /** Whether both give every day a period of the same key; where the counter never starts again, years do not matter. */
    boolean countsLike(PeriodRule other) {
        return reset == other.reset && (reset == Reset.NEVER || fiscalStart.equals(other.fiscalStart));
    }

    /** The period of a day from year 1 to 9999. */
    Period periodOf(LocalDate day) {
        int year = day.getYear();
        return switch (reset) {
            case NEVER -> new Period("", Moment.FIRST_DAY, Moment.LAST_DAY);
            case YEARLY -> new Period(digits(year, 4), LocalDate.of(year, 1, 1), LocalDate.of(year, 12, 31));
            case QUARTERLY -> quarterOf(day);
            case MONTHLY ->
                new Period(
                        digits(year, 4) + "-" + digits(day.getMonthValue(), 2),
                        day.withDayOfMonth(1),
                        day.with(TemporalAdjusters.lastDayOfMonth()));
            case WEEKLY -> weekOf(day);
            case DAILY ->
                new Period(
                        digits(year, 4) + "-" + digits(day.getMonthValue(), 2) + "-" + digits(day.getDayOfMonth(), 2),
                        day,
                        day);
            case FISCAL -> fiscalPeriod(fiscalYearOf(day));
        };
    }

    private static Period quarterOf(LocalDate day) {
        int quarter = (day.getMonthValue() + 2) / 3;
        LocalDate first = LocalDate.of(day.getYear(), quarter * 3 - 2, 1);
        return new Period(
                digits(day.getYear(), 4) + "-Q" + quarter,
                first,
                first.plusMonths(3).minusDays(1));
    }

    private static Period weekOf(LocalDate day) {
        LocalDate monday = day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
        return new Period(
                digits(day.get(IsoFields.WEEK_BASED_YEAR), 4) + "-W"
                        + digits(day.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2),
                monday,
                monday.plusDays(6));
    }

    private Period fiscalPeriod(int fiscalYear) {
        return new Period(
                "FY" + digits(fiscalYear, 4), fiscalStart.atYear(fiscalYear), lastDayOfFiscalYear(fiscalYear));
    }

    /** The year of the first day of the fiscal year that a day belongs to. */
    int fiscalYearOf(LocalDate day) {
        boolean begun = !day.isBefore(fiscalStart.atYear(day.getYear()));
        return begun ? day.getYear() : day.getYear() - 1;
    }

    LocalDate lastDayOfFiscalYear(int fiscalYear) {
        return fiscalStart.atYear(fiscalYear + 1).minusDays(1);
    }

    /** The period after a period; nothing after the last one. */
    Optional<Period> after(Period period) {
        LocalDate first = period.lastDay().plusDays(1);
        return Moment.holds(first) ? Optional.of(periodOf(first)) : Optional.empty();
    }

    /** The period with a key; nothing if this rule gives no period that key. */
    Optional<Period> named(String key) {
        if (reset == Reset.NEVER) {
            return key.isEmpty() ? Optional.of(periodOf(Moment.FIRST_DAY)) : Optional.empty();
        }
        Matcher matcher = KEY.matcher(key);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        return dayIn(matcher)
                .filter(Moment::holds)
                .map(this::periodOf)
                .filter(period -> period.key().equals(key));
    }

    /** A day of the period that a key names, if it names one of ours. */
    private Optional<LocalDate> dayIn(Matcher key) {
        int year = Integer.parseInt(key.group(1));
        int second = key.group(3) == null ? 1 : Integer.parseInt(key.group(3));
        int third = key.group(4) == null ? 1 : Integer.parseInt(key.group(4));
        try {
            return Optional.of(
                    switch (reset) {
                        case NEVER -> Moment.FIRST_DAY;
                        case YEARLY -> LocalDate.of(year, 1, 1);
                        case QUARTERLY -> LocalDate.of(year, second * 3 - 2, 1);
                        case MONTHLY, DAILY -> LocalDate.of(year, second, third);
                        case WEEKLY -> LocalDate.of(year, 1, 4).plusWeeks(second - 1L);
                        case FISCAL -> year == 0 ? lastDayOfFiscalYear(0) : fiscalStart.atYear(year);
                    });
        } catch (DateTimeException e) {
            return Optional.empty(); // a month 13, a February 30: no day, so no period
        }
    }

    private static String digits(int value, int width) {
        String digits = Integer.toString(value);
        return "0".repeat(Math.max(0, width - digits.length())) + digits;
    }
}
