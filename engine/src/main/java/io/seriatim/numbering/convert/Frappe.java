package io.seriatim.numbering.convert;

import io.seriatim.numbering.Reset;
import io.seriatim.numbering.Scope;
import io.seriatim.numbering.convert.Obstacle.Reason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of Frappe and ERPNext: naming series, and {@code format:} rules. */
public final class Frappe {

    /*
     * INV-.YYYY.-.##### is cut at its dots, which vanish. A part that begins with # is the value, with as many digits;
     * YYYY, YY, MM, DD, JJJ, WW, FY are dates; {customer} is a field of the document; any other part is text. The counter
     * is found by all that was printed before the value: so the dates that stand before it say when it starts again,
     * the fields there are scopes, and what stands behind it does neither.
     *
     * format:LOG-{MM}-{#####} has its parts in braces. There nothing is before the value when it is taken, so all rules
     * of this kind share one counter.
     */

    private static final String FORMAT = "format:";
    private static final String USUAL_COUNTER = "#####";
    private static final Pattern FIELD = Pattern.compile("\\{([A-Za-z][A-Za-z0-9_]{0,63})\\}");
    private static final Pattern IN_BRACES = Pattern.compile("\\{([\\w |#]+)\\}");
    private static final Pattern LIKE_A_FIELD = Pattern.compile("[a-z]+(?:_[a-z]+)*");
    private static final Map<String, String> DATES = Map.of(
            "YYYY", "{year}",
            "YY", "{year:2}",
            "MM", "{month}",
            "DD", "{day}",
            "JJJ", "{doy}");

    private final Draft draft;
    private final Place all;
    private final Set<String> datesBefore = new HashSet<>();
    /** Whether week and year are printed. */
    private boolean weekly;

    private boolean counted;

    private Frappe(Given given, String text) {
        this.all = Place.all(Place.TEXT, text);
        this.draft = new Draft(given, all);
    }

    /** A naming series, or with {@code format:} before it a format. */
    public static Conversion series(String text, Given given) {
        Frappe frappe = new Frappe(given, text);
        if (text.toLowerCase(Locale.ROOT).startsWith(FORMAT)) {
            frappe.readFormat(text);
        } else {
            frappe.readSeries(text);
        }
        return frappe.draft.finish();
    }

    // ---- naming series

    private void readSeries(String text) {
        if (text.indexOf('#') >= 0 && !text.startsWith("#") && !text.contains(".#")) {
            draft.obstacle(Reason.NOT_READ, all, "Frappe wants a dot before the #");
            return;
        }
        List<Place> parts = parts(text);
        boolean yearly = parts.stream()
                .anyMatch(part -> part.part().equals("YYYY") || part.part().equals("YY"));
        weekly = yearly && parts.stream().anyMatch(part -> part.part().equals("WW"));
        parts.forEach(this::part);
        if (text.indexOf('#') < 0) {
            counter(USUAL_COUNTER, all); // Frappe adds it
        }
        reset();
    }

    private static List<Place> parts(String text) {
        List<Place> parts = new ArrayList<>();
        int from = 0;
        while (from <= text.length()) {
            int dot = text.indexOf('.', from);
            int until = dot < 0 ? text.length() : dot;
            if (until > from) {
                parts.add(Place.in(Place.TEXT, text, from, until));
            }
            from = until + 1;
        }
        return parts;
    }

    private void part(Place place) {
        String part = place.part();
        if (part.startsWith("#")) {
            counter(part, place);
        } else if (DATES.containsKey(part)) {
            date(part, DATES.get(part).replace("{year", weekly ? "{isoyear" : "{year"), place);
        } else if (part.equals("WW")) {
            week(place);
        } else if (part.equals("FY")) {
            fiscalYear(place);
        } else if (part.equals("timestamp")) {
            draft.obstacle(Reason.NOT_PRINTED, place, "no field prints the time to the microsecond");
        } else if (part.indexOf('{') >= 0 || part.indexOf('}') >= 0) {
            field(part, place);
        } else {
            if (LIKE_A_FIELD.matcher(part).matches()) {
                draft.remark(Remark.Kind.ASSUMED, place, "this is text; a field of the document is written in braces");
            }
            draft.literal(part, place);
        }
    }

    private void counter(String hashes, Place place) {
        if (!hashes.chars().allMatch(c -> c == '#')) {
            draft.obstacle(
                    Reason.NOT_READ, place, "Frappe counts all of this part as #, and prints nothing of the rest");
        } else if (counted) {
            draft.obstacle(Reason.NOT_READ, place, "Frappe prints the first value only");
        } else {
            draft.counter(hashes.length(), "", place);
        }
        counted = true;
    }

    private void date(String name, String field, Place place) {
        draft.field(field, place);
        if (!counted) {
            datesBefore.add(name);
        }
    }

    /** Frappe's weeks are ISO weeks, but for those that begin in one year and end in another. */
    private void week(Place place) {
        if (!weekly) {
            draft.obstacle(Reason.NOT_COUNTED, place, "a week without its year comes again each year");
            return;
        }
        draft.remark(
                Remark.Kind.DIFFERS,
                place,
                "the year is the ISO week's; Frappe cuts the week at the turn of the year, into week 53 or 01 and week 00");
        date("WW", "{isoweek}", place);
    }

    private void fiscalYear(Place place) {
        Optional<String> start = draft.given().fiscalStart();
        if (start.isEmpty()) {
            draft.obstacle(
                    Reason.NOT_SAID, place, "FY is the name of a fiscal year; say its first day: --fiscal-start");
            return;
        }
        boolean calendarYear = start.get().equals("01-01");
        draft.remark(
                Remark.Kind.ASSUMED,
                place,
                "fiscal years are named " + (calendarYear ? "2026" : "2025-2026") + ", as ERPNext names them");
        date("FY", calendarYear ? "{fystart}" : "{fystart}-{fyend}", place);
    }

    private void field(String part, Place place) {
        Matcher field = FIELD.matcher(part);
        if (!field.matches()) {
            draft.obstacle(Reason.NOT_READ, place, "Frappe reads a field only where it stands between two dots alone");
        } else if (counted) {
            draft.obstacle(
                    Reason.NOT_COUNTED,
                    place,
                    "behind the value, Frappe does not count for each by itself; a scope always does");
        } else {
            draft.scope(Scope.of(field.group(1), 20), place);
        }
    }

    /** What is printed before the value says when it begins with 1. */
    private void reset() {
        boolean year = datesBefore.contains("YYYY") || datesBefore.contains("YY");
        boolean month = datesBefore.contains("MM");
        boolean day = datesBefore.contains("DD");
        boolean dayOfYear = datesBefore.contains("JJJ");
        boolean week = datesBefore.contains("WW");
        boolean fiscalYear = datesBefore.contains("FY");
        if (datesBefore.isEmpty()) {
            draft.reset(Reset.NEVER, all);
        } else if (year && (month && day || dayOfYear) || fiscalYear && month && day) {
            draft.reset(Reset.DAILY, all);
        } else if ((year || fiscalYear) && month && !day && !week) {
            draft.reset(Reset.MONTHLY, all);
        } else if (year && week && !day && !month) {
            draft.reset(Reset.WEEKLY, all);
        } else if (fiscalYear && !year && !day && !dayOfYear && !week) {
            draft.reset(Reset.FISCAL, all);
        } else if (year && !fiscalYear && !month && !day && !week) {
            draft.reset(Reset.YEARLY, all);
        } else {
            draft.obstacle(
                    Reason.NOT_COUNTED,
                    all,
                    "the dates before the value are those of no period: Frappe goes on where it was when they come again");
        }
    }

    // ---- format:

    private void readFormat(String text) {
        Matcher braces = IN_BRACES.matcher(text);
        int at = FORMAT.length();
        while (braces.find(at)) {
            draft.literal(text.substring(at, braces.start()), Place.in(Place.TEXT, text, at, braces.start()));
            inBraces(braces.group(1), Place.in(Place.TEXT, text, braces.start(), braces.end()));
            at = braces.end();
        }
        draft.literal(text.substring(at), Place.in(Place.TEXT, text, at, text.length()));
        draft.reset(Reset.NEVER, all);
        draft.remark(Remark.Kind.DIFFERS, all, "all format: rules of a site share one counter; here it has its own");
    }

    private void inBraces(String name, Place place) {
        if (name.startsWith("#")) {
            counter(name, place);
        } else if (DATES.containsKey(name)) {
            draft.field(DATES.get(name), place);
        } else if (name.equals("FY")) {
            fiscalYear(place);
        } else if (name.equals("WW") || name.equals("timestamp")) {
            draft.obstacle(Reason.NOT_PRINTED, place, "no field prints this");
        } else {
            draft.obstacle(
                    Reason.NOT_COUNTED, place, "in a format:, Frappe does not count for each by itself; a scope does");
        }
    }
}
