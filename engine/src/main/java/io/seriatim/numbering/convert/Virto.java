package io.seriatim.numbering.convert;

import io.seriatim.numbering.Reset;
import io.seriatim.numbering.Scope;
import io.seriatim.numbering.convert.Obstacle.Reason;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of Virto Commerce, in the two forms that it had. */
public final class Virto {

    /*
     * Today: CO{0:yyMMdd}-{1:D5}@Weekly:1:10. String.Format with {0} the time, {1} the counter, {2} the tenant; behind
     * the last @ when the counter starts again, its first value and its increment. The expression that finds the @ is
     * anchored nowhere and ignores case, while the word behind it is then read exactly: what is lost so is an obstacle.
     *
     * 2015: constants in the class SequenceService. IdTemplate is {0} the object type's last name in capitals, {1} the
     * date, {2} the counter; the counter starts with 0 each day, and SequenceReservationRange of them are taken at once.
     */

    private static final Pattern OPTIONS = Pattern.compile(
            "([^@]+)@(None|Daily|Weekly|Monthly|Yearly)(?::([0-9]+))?(?::([0-9]+))?", Pattern.CASE_INSENSITIVE);

    private static final Scope TENANT = Scope.of("tenant", 64).alphabet("[A-Za-z0-9_-]");

    private Virto() {}

    /** The constants of 2015. Immutable: each option returns a new one. */
    public record Constants(String idTemplate, String dateFormat, int counterLength, int sequenceReservationRange) {

        /** As they stood in Virto. */
        public static final Constants USUAL = new Constants("{0}{1}-{2}", "yyyy-MMdd", 5, 100);

        public Constants idTemplate(String text) {
            return new Constants(text, dateFormat, counterLength, sequenceReservationRange);
        }

        public Constants dateFormat(String text) {
            return new Constants(idTemplate, text, counterLength, sequenceReservationRange);
        }

        public Constants counterLength(int digits) {
            return new Constants(idTemplate, dateFormat, digits, sequenceReservationRange);
        }

        public Constants sequenceReservationRange(int values) {
            return new Constants(idTemplate, dateFormat, counterLength, values);
        }
    }

    /** The numbers of an object type by the constants of 2015. */
    public static Conversion of2015(String objectType, Constants constants, Given given) {
        String type = objectType.substring(objectType.lastIndexOf('.') + 1);
        String prefix = type.isEmpty() ? "U" : type.toUpperCase(Locale.ROOT);
        Draft draft = new Draft(given, Place.all(Place.TEXT, constants.idTemplate()));
        draft.reset(Reset.DAILY, Place.all("date-format", constants.dateFormat()));
        draft.value("contract", "fast", Place.all(Place.TEXT, constants.idTemplate()));
        draft.value("start", "0", Place.all(Place.TEXT, constants.idTemplate()));
        String range = Integer.toString(constants.sequenceReservationRange());
        draft.value("cache", range, Place.all("reservation-range", range));
        NetFormat.composite(draft, NetFormat.Text.of(Place.TEXT, constants.idTemplate()), (index, format, place) -> {
            switch (index) {
                case 0 -> draft.literal(prefix, place);
                case 1 ->
                    NetFormat.date(draft, constants.dateFormat(), Place.all("date-format", constants.dateFormat()));
                case 2 -> draft.counter(constants.counterLength(), "", place);
                default -> unknown(draft, place);
            }
        });
        return draft.finish();
    }

    private static void unknown(Draft draft, Place place) {
        draft.obstacle(Reason.NOT_READ, place, "Virto gives a template three values, {0} to {2}");
    }

    /** A template of today, with or without the options behind its {@code @}. */
    public static Conversion today(String text, Given given) {
        Draft draft = new Draft(given, Place.all(Place.TEXT, text));
        Matcher options = OPTIONS.matcher(text);
        if (options.find()) {
            options(draft, text, options);
            template(draft, new NetFormat.Text(Place.TEXT, text, options.start(), options.end(1)));
        } else {
            draft.reset(Reset.DAILY, Place.all(Place.TEXT, text)); // Virto's default
            template(draft, NetFormat.Text.of(Place.TEXT, text));
        }
        return draft.finish();
    }

    private static void template(Draft draft, NetFormat.Text text) {
        NetFormat.composite(draft, text, (index, format, place) -> {
            switch (index) {
                case 0 -> NetFormat.date(draft, format, place);
                case 1 -> NetFormat.number(draft, format, place);
                case 2 -> draft.scope(TENANT, place);
                default -> unknown(draft, place);
            }
        });
    }

    private static void options(Draft draft, String text, Matcher options) {
        if (options.start() > 0) {
            draft.obstacle(
                    Reason.NOT_READ,
                    Place.in(Place.TEXT, text, 0, options.start()),
                    "Virto drops what stands before the last template with an @");
        }
        if (options.end() < text.length()) {
            draft.obstacle(
                    Reason.NOT_READ,
                    Place.in(Place.TEXT, text, options.end(), text.length()),
                    "Virto does not look at what stands behind its options");
        }
        Place word = Place.in(Place.TEXT, text, options.start(2), options.end(2));
        switch (word.part()) {
            case "None" -> draft.reset(Reset.NEVER, word);
            case "Daily" -> draft.reset(Reset.DAILY, word);
            case "Weekly" -> draft.reset(Reset.WEEKLY, word);
            case "Monthly" -> draft.reset(Reset.MONTHLY, word);
            case "Yearly" -> draft.reset(Reset.YEARLY, word);
            default -> draft.obstacle(Reason.NOT_READ, word, "Virto reads this word with a capital only, and fails");
        }
        number(draft, text, options, 3, "start");
        number(draft, text, options, 4, "increment");
    }

    private static void number(Draft draft, String text, Matcher options, int group, String option) {
        if (options.group(group) == null) {
            return;
        }
        Place place = Place.in(Place.TEXT, text, options.start(group), options.end(group));
        if (place.part().length() > 10 || Long.parseLong(place.part()) > Integer.MAX_VALUE) {
            draft.obstacle(Reason.OUT_OF_RANGE, place, "Virto counts with 32 bits");
        } else if (Long.parseLong(place.part()) != 1) {
            draft.value(option, Long.toString(Long.parseLong(place.part())), place);
        }
    }
}
