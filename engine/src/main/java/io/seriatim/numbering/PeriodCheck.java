package io.seriatim.numbering;

import java.time.LocalDate;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Whether the printed parts of a date say in which period it lies. */
final class PeriodCheck {

    /*
     * Most templates print what the rule asks for, such as year and month; the rest is decided by looking at every
     * day. The calendar, weeks included, repeats every 400 years, and two days with the same printed year of any kind
     * are less than two years apart. So 400 years and the next two show every pair of days that there is; without a
     * printed year the pair of a day and itself 400 years later is among them. Only days that the template can print
     * count: two digits of a year leave the days from 2000 to 2099.
     */

    private static final LocalDate FIRST = LocalDate.of(2000, 1, 1);
    private static final LocalDate LAST = LocalDate.of(2402, 12, 31);
    /** Where the search begins, so that examples look plain. */
    private static final LocalDate PLAIN = LocalDate.of(Samples.YEAR, 1, 1);

    /** Two days with the same printed parts in two periods. */
    record Twins(LocalDate one, LocalDate other) {}

    private PeriodCheck() {}

    /** Two days that the layout prints alike although their counters differ; nothing if there are none. */
    static Optional<Twins> twins(Layout layout) {
        if (layout.periods().reset() == Reset.NEVER || suffices(layout.periods(), printed(layout))) {
            return Optional.empty();
        }
        return search(layout);
    }

    private static Set<DatePart> printed(Layout layout) {
        Set<DatePart> parts = EnumSet.noneOf(DatePart.class);
        layout.dateParts().forEach(part -> parts.add(part.full()));
        parts.removeIf(DatePart::isTimeOfDay);
        return parts;
    }

    private static boolean suffices(PeriodRule rule, Set<DatePart> parts) {
        boolean year = parts.contains(DatePart.YEAR);
        boolean fiscalYear = parts.contains(DatePart.FYSTART) || parts.contains(DatePart.FYEND);
        boolean wholeMonths = rule.fiscalStart().getDayOfMonth() == 1;
        boolean month = parts.contains(DatePart.MONTH) && (year || fiscalYear && wholeMonths);
        boolean date = parts.contains(DatePart.MONTH) && parts.contains(DatePart.DAY);
        boolean day = date && (year || fiscalYear) || year && parts.contains(DatePart.DOY);
        return day
                || switch (rule.reset()) {
                    case NEVER -> true;
                    case YEARLY -> year || month;
                    case QUARTERLY -> month || year && parts.contains(DatePart.QUARTER);
                    case MONTHLY -> month;
                    case WEEKLY -> parts.contains(DatePart.ISOYEAR) && parts.contains(DatePart.ISOWEEK);
                    case FISCAL -> fiscalYear || month && wholeMonths;
                    case DAILY -> false;
                };
    }

    /** The same without a look at the rule's own parts; slow. */
    static Optional<Twins> search(Layout layout) {
        Set<DatePart> parts = printed(layout);
        Map<Long, LocalDate> seen = new HashMap<>();
        Optional<Twins> twins = search(layout, parts, seen, PLAIN, LAST);
        return twins.isPresent() ? twins : search(layout, parts, seen, FIRST, PLAIN.minusDays(1));
    }

    private static Optional<Twins> search(
            Layout layout, Set<DatePart> parts, Map<Long, LocalDate> seen, LocalDate from, LocalDate to) {
        PeriodRule rule = layout.periods();
        for (LocalDate day = from; !day.isAfter(to); day = day.plusDays(1)) {
            Moment moment = Moment.startOf(day);
            if (!layout.canPrint(moment)) {
                continue;
            }
            LocalDate before = seen.putIfAbsent(packed(parts, moment, rule), day);
            if (before != null && !isIn(rule.periodOf(before), day)) {
                return Optional.of(new Twins(before, day));
            }
        }
        return Optional.empty();
    }

    private static boolean isIn(Period period, LocalDate day) {
        return !day.isBefore(period.firstDay()) && !day.isAfter(period.lastDay());
    }

    /** The printed parts in one long: years count from 1999 and have 405 values here, so that all fit. */
    private static long packed(Set<DatePart> parts, Moment moment, PeriodRule rule) {
        long packed = 0;
        for (DatePart part : parts) {
            int value = part.valueOf(moment, rule);
            int range = switch (part.full()) {
                case MONTH -> 13;
                case DAY -> 32;
                case DOY -> 367;
                case QUARTER -> 5;
                case ISOWEEK -> 54;
                default -> 405;
            };
            packed = packed * range + (range == 405 ? value - 1_999 : value);
        }
        return packed;
    }
}
