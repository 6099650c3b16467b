package io.seriatim.numbering.convert;

import io.seriatim.numbering.Reset;
import io.seriatim.numbering.convert.Obstacle.Reason;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Odoo sees in the last number of a journal: a year, its end, a month, and the digits that it counts with. */
final class OdooJournal {

    /** A year of four digits, or of two that no third one follows; no digit stands before it. */
    private static final String ONE_YEAR = "(?<![0-9])(?:(?:19|20|21)[0-9]{2}|[0-9]{2}(?![0-9]))";

    private static final String ONE_MONTH = "(?<month>0[1-9]|1[0-2])";
    private static final String VALUE = "(?<value>[0-9]*)[^0-9]*";

    /** In the order in which Odoo tries them. */
    private enum Kind {
        MONTH_OF_YEARS(
                "(?<year>" + ONE_YEAR + ")[^0-9](?<end>" + ONE_YEAR + ")[^0-9]" + ONE_MONTH + "[^0-9]+?",
                Reset.MONTHLY),
        MONTH("(?<year>" + ONE_YEAR + ")[^0-9]*?" + ONE_MONTH + "[^0-9]+?", Reset.MONTHLY),
        YEARS("(?<year>" + ONE_YEAR + ")[^0-9](?<end>" + ONE_YEAR + ")[^0-9]+?", Reset.FISCAL),
        YEAR("(?<year>(?<![0-9])(?:19|20|21)?[0-9]{2})[^0-9]+?", Reset.YEARLY),
        NONE("", Reset.NEVER);

        private final Pattern pattern;
        private final Reset reset;

        Kind(String dates, Reset reset) {
            this.pattern = Pattern.compile("(?s).*?" + dates + VALUE);
            this.reset = reset;
        }
    }

    private final String number;
    private final Kind kind;
    private final Matcher found;

    private OdooJournal(String number, Kind kind, Matcher found) {
        this.number = number;
        this.kind = kind;
        this.found = found;
    }

    static Optional<OdooJournal> read(String number) {
        for (Kind kind : Kind.values()) {
            Matcher found = kind.pattern.matcher(number);
            if (found.matches() && endsAYearLater(kind, found)) {
                return found.group("value").isEmpty()
                        ? Optional.empty()
                        : Optional.of(new OdooJournal(number, kind, found));
            }
        }
        return Optional.empty();
    }

    private static boolean endsAYearLater(Kind kind, Matcher found) {
        if (kind != Kind.MONTH_OF_YEARS && kind != Kind.YEARS) {
            return true;
        }
        String year = found.group("year");
        String end = found.group("end");
        int power = end.length() == 4 ? 10_000 : 100;
        return year.length() >= end.length() && (Integer.parseInt(year) + 1) % power == Integer.parseInt(end);
    }

    void addTo(Draft draft) {
        Place all = Place.all(Place.TEXT, number);
        if (kind.reset == Reset.FISCAL && draft.given().fiscalStart().isEmpty()) {
            draft.obstacle(Reason.NOT_SAID, place("year"), "the first day of the fiscal year: --fiscal-start");
        }
        draft.reset(kind.reset, all);
        int at = 0;
        for (String group : groups()) {
            Place place = place(group);
            draft.literal(
                    number.substring(at, found.start(group)), Place.in(Place.TEXT, number, at, found.start(group)));
            add(draft, group, place);
            at = found.end(group);
        }
        draft.literal(number.substring(at), Place.in(Place.TEXT, number, at, number.length()));
        String value = found.group("value");
        draft.remark(
                Remark.Kind.ASSUMED,
                place("value"),
                "numbers begin with 1; to go on behind this one: restart NAME "
                        + value.replaceFirst("^0+(?=.)", "")
                        + period());
    }

    private String period() {
        return switch (kind) {
            case NONE -> "";
            case YEAR -> " --period " + year();
            case YEARS -> " --period FY" + year();
            case MONTH -> " --period " + year() + "-" + found.group("month");
            case MONTH_OF_YEARS -> " --period with the key of its month";
        };
    }

    private String year() {
        String year = found.group("year");
        return year.length() == 2 ? "20" + year : year;
    }

    private List<String> groups() {
        return switch (kind) {
            case MONTH_OF_YEARS -> List.of("year", "end", "month", "value");
            case MONTH -> List.of("year", "month", "value");
            case YEARS -> List.of("year", "end", "value");
            case YEAR -> List.of("year", "value");
            case NONE -> List.of("value");
        };
    }

    private void add(Draft draft, String group, Place place) {
        String digits = place.part();
        switch (group) {
            case "year" -> {
                String name = hasEnd() ? "fystart" : "year";
                draft.field(digits.length() == 2 ? "{" + name + ":2}" : "{" + name + "}", place);
            }
            case "end" -> draft.field(digits.length() == 2 ? "{fyend:2}" : "{fyend}", place);
            case "month" -> draft.field("{month}", place);
            default -> draft.counter(digits.length(), "", place);
        }
    }

    private boolean hasEnd() {
        return kind == Kind.MONTH_OF_YEARS || kind == Kind.YEARS;
    }

    private Place place(String group) {
        return Place.in(Place.TEXT, number, found.start(group), found.end(group));
    }
}
