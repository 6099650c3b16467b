package io.seriatim.numbering.convert;

import io.seriatim.numbering.Reset;
import io.seriatim.numbering.convert.Obstacle.Reason;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of Odoo: a sequence with prefix and suffix, and the numbers of journals since version 14. */
public final class Odoo {

    /*
     * A sequence prints prefix % dates, then the value with as many digits as its padding says, then suffix % dates.
     * Of each date there are three: %(year)s of the document, %(range_year)s of the first day of the date range whose
     * counter it is, %(current_year)s of the clock. Date ranges are calendar years where nobody has made others.
     *
     * A journal has no template: the next number is the last one with its last group of digits raised, and what else in
     * it looks like a year, a year's end and a month says when it starts with 1 again.
     */

    private static final Pattern DATE = Pattern.compile("%\\(([^()%]*)\\)s");
    private static final Map<String, String> FIELDS = Map.of(
            "year", "{year}",
            "y", "{year:2}",
            "month", "{month}",
            "day", "{day}",
            "doy", "{doy}",
            "h24", "{hour}",
            "min", "{minute}",
            "sec", "{second}");
    private static final Set<String> NOT_OURS = Set.of("woy", "weekday", "h12");

    private static final Pattern MONTH_DAY = Pattern.compile("([0-9]{2})-([0-9]{2})");
    private static final String RANGE = "range_";
    private static final String CURRENT = "current_";

    private Odoo() {}

    /**
     * A sequence ({@code ir.sequence}). Immutable: each option returns a new one.
     *
     * @param dateRanges how long its date ranges are; empty: it has none, or calendar years if it prints them
     */
    public record Sequence(
            String prefix, String suffix, int padding, long start, long increment, Optional<Reset> dateRanges) {

        public static Sequence of(String prefix) {
            return new Sequence(prefix, "", 0, 1, 1, Optional.empty());
        }

        public Sequence suffix(String text) {
            return new Sequence(prefix, text, padding, start, increment, dateRanges);
        }

        public Sequence padding(int digits) {
            return new Sequence(prefix, suffix, digits, start, increment, dateRanges);
        }

        public Sequence start(long value) {
            return new Sequence(prefix, suffix, padding, value, increment, dateRanges);
        }

        public Sequence increment(long distance) {
            return new Sequence(prefix, suffix, padding, start, distance, dateRanges);
        }

        public Sequence dateRanges(Reset often) {
            return new Sequence(prefix, suffix, padding, start, increment, Optional.of(often));
        }

        /** Whether it looks like a sequence rather than like a journal's number: it names dates. */
        public static boolean isPrefix(String text) {
            return text.indexOf('%') >= 0 || !text.chars().anyMatch(c -> c >= '0' && c <= '9');
        }
    }

    public static Conversion sequence(Sequence sequence, Given given) {
        Draft draft = new Draft(given, Place.all(Place.TEXT, sequence.prefix()));
        Reset ranges = sequence.dateRanges().orElseGet(() -> usualRanges(sequence, given));
        draft.reset(ranges, Place.all(Place.TEXT, sequence.prefix()));
        new Dates(draft, ranges).add(Place.TEXT, sequence.prefix());
        draft.counter(sequence.padding(), "", Place.all("padding", Integer.toString(sequence.padding())));
        new Dates(draft, ranges).add("suffix", sequence.suffix());
        number(draft, "start", sequence.start());
        number(draft, "increment", sequence.increment());
        return draft.finish();
    }

    private static Reset usualRanges(Sequence sequence, Given given) {
        boolean printsRanges = (sequence.prefix() + sequence.suffix()).contains("%(" + RANGE);
        if (!printsRanges) {
            return Reset.NEVER;
        }
        return given.fiscalStart().isPresent() ? Reset.FISCAL : Reset.YEARLY;
    }

    private static void number(Draft draft, String option, long value) {
        if (value != 1) {
            draft.value(option, Long.toString(value), Place.all(option, Long.toString(value)));
        }
    }

    /** Adds prefix or suffix, in which dates stand. */
    private record Dates(Draft draft, Reset ranges) {

        void add(String source, String text) {
            Matcher date = DATE.matcher(text);
            int at = 0;
            while (at < text.length()) {
                int end = at + 1;
                if (text.charAt(at) != '%') {
                    int percent = text.indexOf('%', at);
                    end = percent < 0 ? text.length() : percent;
                    draft.literal(text.substring(at, end), Place.in(source, text, at, end));
                } else if (text.startsWith("%%", at)) {
                    end = at + 2;
                    draft.literal("%", Place.in(source, text, at, end));
                } else if (date.region(at, text.length()).lookingAt()) {
                    end = date.end();
                    add(date.group(1), Place.in(source, text, at, end));
                } else {
                    draft.obstacle(
                            Reason.NOT_READ,
                            Place.in(source, text, at, text.length()),
                            "a % begins %(name)s, or is written twice: Odoo refuses to print this");
                    return;
                }
                at = end;
            }
        }

        private void add(String name, Place place) {
            String unit = name.startsWith(RANGE)
                    ? name.substring(RANGE.length())
                    : name.startsWith(CURRENT) ? name.substring(CURRENT.length()) : name;
            if (NOT_OURS.contains(unit)) {
                draft.obstacle(Reason.NOT_PRINTED, place, "no field prints " + whatIs(unit));
            } else if (!FIELDS.containsKey(unit)) {
                draft.obstacle(Reason.NOT_READ, place, "Odoo knows no date of this name");
            } else if (name.startsWith(RANGE) && ranges != Reset.NEVER) {
                ofRange(unit, place);
            } else {
                if (name.startsWith(CURRENT)) {
                    draft.remark(
                            Remark.Kind.DIFFERS,
                            place,
                            "one date decides all of a number; Odoo prints the clock here, whatever the document's date");
                }
                draft.field(FIELDS.get(unit), place);
            }
        }

        private static String whatIs(String unit) {
            return switch (unit) {
                case "woy" -> "the week of the year from its first Monday; {isoyear} and {isoweek} are the ISO week";
                case "weekday" -> "the day of the week";
                default -> "hours of a.m. and p.m.";
            };
        }

        /** What is printed of the first day of the range. */
        private void ofRange(String unit, Place place) {
            switch (ranges) {
                case YEARLY -> ofYear(unit, "{year", "01", "01", place);
                case FISCAL -> {
                    Matcher first =
                            MONTH_DAY.matcher(draft.given().fiscalStart().orElse(""));
                    if (first.matches()) {
                        ofYear(unit, "{fystart", first.group(1), first.group(2), place);
                    } else {
                        draft.obstacle(Reason.NOT_SAID, place, "the first day of the fiscal year: --fiscal-start");
                    }
                }
                case MONTHLY -> {
                    if (unit.equals("day")) {
                        draft.literal("01", place);
                    } else {
                        ofDay(unit, Set.of("year", "y", "month"), place);
                    }
                }
                case DAILY -> ofDay(unit, Set.of("year", "y", "month", "day", "doy"), place);
                default -> draft.obstacle(Reason.NOT_PRINTED, place, "no field prints the first day of such a range");
            }
        }

        private void ofYear(String unit, String field, String month, String day, Place place) {
            switch (unit) {
                case "year" -> draft.field(field + "}", place);
                case "y" -> draft.field(field + ":2}", place);
                case "month" -> draft.literal(month, place);
                case "day" -> draft.literal(day, place);
                default -> draft.obstacle(Reason.NOT_PRINTED, place, "of a range, the first day's date is printed");
            }
        }

        private void ofDay(String unit, Set<String> known, Place place) {
            String field = FIELDS.get(unit);
            if (field != null && known.contains(unit)) {
                draft.field(field, place);
            } else {
                draft.obstacle(Reason.NOT_PRINTED, place, "of a range, the first day's date is printed");
            }
        }
    }

    /** A number of a journal, such as {@code INV/2026/07/0001}: those that follow it are alike. */
    public static Conversion journal(String number, Given given) {
        Draft draft = new Draft(given, Place.all(Place.TEXT, number));
        Optional<OdooJournal> journal = OdooJournal.read(number);
        if (journal.isEmpty()) {
            draft.obstacle(Reason.NOT_READ, Place.all(Place.TEXT, number), "there are no digits to count with");
        } else {
            journal.get().addTo(draft);
        }
        return draft.finish();
    }
}
