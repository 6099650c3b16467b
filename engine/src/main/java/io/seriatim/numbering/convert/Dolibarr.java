package io.seriatim.numbering.convert;

import io.seriatim.numbering.Reset;
import io.seriatim.numbering.Scope;
import io.seriatim.numbering.convert.Obstacle.Reason;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Numbers of Dolibarr: masks such as {@code FA{yy}{mm}-{0000+100@1}}. */
public final class Dolibarr {

    /*
     * {0000} is the value, of exactly as many digits and at least three; behind them, +N lets it begin with N + 1, and
     * behind that @ says when it begins again: @1 to @12 on the first day of that month, @99 each month, @0 and @=
     * on the first day of the fiscal year (@= never, where that is January 1). @+ and @- do as @=, and print the year in
     * which the fiscal year ends or begins instead of the calendar's. Without @ it never begins again, whatever dates
     * are printed.
     *
     * {ccc} is the beginning of the customer's code, which has no counter of its own; {ccc000} is that and a counter for
     * each of them. {tt} and {uu} are beginnings of the customer's type and the user's name; each has its own counter.
     */

    private static final Pattern COUNTER = Pattern.compile("(0+)([@+][-0-9+=]+)?([@+][-0-9+=]+)?");

    private static final Pattern COUNTER_IN_MASK = Pattern.compile("\\{" + COUNTER + "\\}");

    private static final Pattern CUSTOMER = Pattern.compile("(c+)(0*)", Pattern.CASE_INSENSITIVE);
    private static final Pattern TYPE = Pattern.compile("t+", Pattern.CASE_INSENSITIVE);
    private static final Pattern USER = Pattern.compile("u+", Pattern.CASE_INSENSITIVE);
    private static final Pattern MONTH = Pattern.compile("0?[2-9]|1[0-2]");
    private static final int LEAST_DIGITS = 3;
    private static final int MONTHLY = 99;

    /** Which year is printed. */
    private enum Years {
        CALENDAR,
        FIRST_OF_FISCAL,
        LAST_OF_FISCAL
    }

    private final String mask;
    private final Draft draft;
    private Years years = Years.CALENDAR;
    private boolean counted;

    private Dolibarr(String mask, Draft draft) {
        this.mask = mask;
        this.draft = draft;
    }

    public static Conversion mask(String mask, Given given) {
        Matcher counter = COUNTER_IN_MASK.matcher(mask);
        String reset = counter.find() ? behind('@', counter.group(2), counter.group(3)) : "";
        Given known = MONTH.matcher(reset).matches()
                ? given.fiscalStart((reset.length() == 1 ? "0" : "") + reset + "-01")
                : given;
        Dolibarr dolibarr = new Dolibarr(mask, new Draft(known, Place.all(Place.TEXT, mask)));
        dolibarr.years = years(reset, known);
        dolibarr.read();
        return dolibarr.draft.finish();
    }

    private static Years years(String reset, Given given) {
        if (beginsInJanuary(given)) {
            return Years.CALENDAR;
        }
        return switch (reset) {
            case "+" -> Years.LAST_OF_FISCAL;
            case "-" -> Years.FIRST_OF_FISCAL;
            default -> Years.CALENDAR;
        };
    }

    private static boolean beginsInJanuary(Given given) {
        return given.fiscalStart().filter("01-01"::equals).isPresent();
    }

    /** What stands behind a sign; empty if it does not stand there. */
    private static String behind(char sign, @Nullable String one, @Nullable String other) {
        for (String each : new String[] {one == null ? "" : one, other == null ? "" : other}) {
            if (!each.isEmpty() && each.charAt(0) == sign) {
                return each.substring(1);
            }
        }
        return "";
    }

    private void read() {
        int at = 0;
        while (at < mask.length()) {
            int open = mask.indexOf('{', at);
            int close = open < 0 ? -1 : mask.indexOf('}', open);
            int until = close < 0 ? mask.length() : open;
            draft.literal(mask.substring(at, until), Place.in(Place.TEXT, mask, at, until));
            if (close >= 0) {
                code(mask.substring(open + 1, close), Place.in(Place.TEXT, mask, open, close + 1));
            }
            at = close < 0 ? mask.length() : close + 1;
        }
    }

    private void code(String code, Place place) {
        Matcher counter = COUNTER.matcher(code);
        Matcher customer = CUSTOMER.matcher(code);
        if (counter.matches()) {
            counter(counter, place);
        } else if (customer.matches()) {
            customer(customer.group(1).length(), customer.group(2).length(), place);
        } else if (TYPE.matcher(code).matches()) {
            beginning("type", code.length(), place);
        } else if (USER.matcher(code).matches()) {
            beginning("user", code.length(), place);
        } else {
            date(code.toLowerCase(Locale.ROOT), place);
        }
    }

    private void date(String code, Place place) {
        String year = switch (years) {
            case CALENDAR -> "year";
            case FIRST_OF_FISCAL -> "fystart";
            case LAST_OF_FISCAL -> "fyend";
        };
        switch (code) {
            case "yyyy" -> draft.field("{" + year + "}", place);
            case "yy" -> draft.field("{" + year + ":2}", place);
            case "mm" -> draft.field("{month}", place);
            case "dd" -> draft.field("{day}", place);
            case "y" -> draft.obstacle(Reason.NOT_PRINTED, place, "a year of one digit comes again after ten years");
            default -> draft.obstacle(Reason.NOT_READ, place, "Dolibarr's own masks have no such code");
        }
    }

    // ---- the value

    private void counter(Matcher counter, Place place) {
        if (isSecond(place) || isShort(counter.group(1).length(), place)) {
            return;
        }
        draft.counter(counter.group(1).length(), "!", place);
        String offset = behind('+', counter.group(2), counter.group(3));
        String reset = behind('@', counter.group(2), counter.group(3));
        if (!offset.isEmpty()) {
            start(offset, place);
        }
        reset(reset, place);
    }

    private boolean isSecond(Place place) {
        if (counted) {
            draft.obstacle(Reason.NOT_COUNTED, place, "a number has one value, not a second one");
            return true;
        }
        counted = true;
        return false;
    }

    private boolean isShort(int digits, Place place) {
        if (digits < LEAST_DIGITS) {
            draft.obstacle(Reason.NOT_READ, place, "Dolibarr wants at least " + LEAST_DIGITS + " digits");
        }
        return digits < LEAST_DIGITS;
    }

    private void start(String offset, Place place) {
        if (!offset.matches("[0-9]{1,18}")) {
            draft.obstacle(Reason.NOT_READ, place, "behind + stands a number: +" + offset);
        } else if (Long.parseLong(offset) > 0) {
            draft.value("start", Long.toString(Long.parseLong(offset) + 1), place);
        }
    }

    private void reset(String reset, Place place) {
        switch (reset) {
            case "" -> draft.reset(Reset.NEVER, place);
            case "0" -> fiscal(Reset.YEARLY, place);
            case "=", "+", "-" -> fiscal(Reset.NEVER, place);
            default -> {
                int month = reset.matches("[0-9]{1,2}") ? Integer.parseInt(reset) : 0;
                if (month == MONTHLY) {
                    draft.reset(Reset.MONTHLY, place);
                } else if (month == 1) {
                    draft.reset(Reset.YEARLY, place);
                } else if (month >= 2 && month <= 12) {
                    draft.reset(Reset.FISCAL, place);
                } else {
                    draft.obstacle(Reason.NOT_READ, place, "behind @ stands 0 to 12, 99, =, + or -: @" + reset);
                }
            }
        }
    }

    /**
     * Begins again with the fiscal year.
     *
     * @param inJanuary when it begins again where the fiscal year begins in January
     */
    private void fiscal(Reset inJanuary, Place place) {
        if (draft.given().fiscalStart().isEmpty()) {
            draft.obstacle(Reason.NOT_SAID, place, "the first month of the fiscal year is a setting: --fiscal-start");
        }
        draft.reset(beginsInJanuary(draft.given()) ? inJanuary : Reset.FISCAL, place);
    }

    // ---- customer, type, user

    private void customer(int letters, int digits, Place place) {
        if (digits == 0) {
            draft.obstacle(
                    Reason.NOT_COUNTED,
                    place,
                    "Dolibarr counts all customers together and prints their code; a scope counts for each by itself");
        } else if (!isSecond(place) && !isShort(digits, place)) {
            beginning("customer", letters, place);
            draft.counter(digits, "!", place);
        }
    }

    private void beginning(String name, int letters, Place place) {
        draft.scope(Scope.of(name, letters).ofFixedLength(), place);
    }
}
