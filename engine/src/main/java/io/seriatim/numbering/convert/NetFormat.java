package io.seriatim.numbering.convert;

import io.seriatim.numbering.convert.Obstacle.Reason;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The format texts of .NET that Virto's templates are made of: of a whole, of a date, of a number. */
final class NetFormat {

    private static final Pattern HOLE = Pattern.compile("\\{ *([0-9]{1,6}) *(?:,([^:{}]*))?(?::([^{}]*))?\\}");
    private static final Pattern DECIMAL = Pattern.compile("[Dd]([0-9]{1,3})?|(0{1,99})|[Gg]");
    private static final Pattern HEX = Pattern.compile("X([0-9]{1,3})?");

    /** What letters of a date format mean, as fields and in a date pattern of ours. */
    private static final Map<String, String> FIELDS = Map.of(
            "yyyy", "{year}",
            "yy", "{year:2}",
            "MM", "{month}",
            "dd", "{day}",
            "HH", "{hour}",
            "mm", "{minute}",
            "ss", "{second}");

    private static final Pattern PLAIN_DATE = Pattern.compile("(?:yyyy|yy|MM|dd|HH|mm|ss|[-./_])+");
    private static final String SPECIAL = "dfFgGhHKmMstyz%";

    private NetFormat() {}

    /** What stands in the braces of a composite format. */
    interface Holes {
        /**
         * Takes one.
         *
         * @param format what follows the colon; empty if there is none
         */
        void hole(int index, String format, Place place);
    }

    /** Reads {@code text {0:format} {{text}}} of a text and hands its pieces to a draft and to {@code holes}. */
    static void composite(Draft draft, Text text, Holes holes) {
        Matcher hole = HOLE.matcher(text.all());
        int at = text.from();
        while (at < text.until()) {
            char c = text.all().charAt(at);
            boolean doubled = at + 1 < text.until() && text.all().charAt(at + 1) == c;
            if ((c == '{' || c == '}') && doubled) {
                draft.literal(String.valueOf(c), text.place(at, at + 2));
                at += 2;
            } else if (c == '{' && hole.region(at, text.until()).lookingAt()) {
                Place place = text.place(at, hole.end());
                hole(draft, hole, place, holes);
                at = hole.end();
            } else if (c == '{' || c == '}') {
                draft.obstacle(Reason.NOT_READ, text.place(at, at + 1), "a brace without its other half: Virto fails");
                at++;
            } else {
                int end = endOfLiteral(text, at);
                draft.literal(text.all().substring(at, end), text.place(at, end));
                at = end;
            }
        }
    }

    private static int endOfLiteral(Text text, int from) {
        int end = from;
        while (end < text.until() && "{}".indexOf(text.all().charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    private static void hole(Draft draft, Matcher hole, Place place, Holes holes) {
        if (hole.group(2) != null) {
            draft.obstacle(Reason.NOT_PRINTED, place, "no field is padded with spaces");
            return;
        }
        holes.hole(Integer.parseInt(hole.group(1)), hole.group(3) == null ? "" : hole.group(3), place);
    }

    /** Adds what a date format prints; {@code place} is where the whole field stands. */
    static void date(Draft draft, String format, Place place) {
        if (format.length() < 2) {
            draft.obstacle(
                    Reason.NOT_PRINTED,
                    place,
                    "a date without a format of its own is printed as the server's culture is");
            return;
        }
        noteSeparators(draft, format, place);
        if (PLAIN_DATE.matcher(format).matches()) {
            draft.field("{date:" + format + "}", place);
        } else {
            dateByFields(draft, format, place);
        }
    }

    private static void noteSeparators(Draft draft, String format, Place place) {
        if (format.indexOf('/') >= 0 || format.indexOf(':') >= 0) {
            draft.remark(
                    Remark.Kind.DIFFERS, place, "/ and : are printed as they stand; .NET prints those of its culture");
        }
    }

    private static void dateByFields(Draft draft, String format, Place place) {
        int at = 0;
        while (at < format.length()) {
            char c = format.charAt(at);
            int end = at + 1;
            if (c == '\'' || c == '"') {
                end = format.indexOf(c, at + 1) + 1;
                if (end == 0) {
                    draft.obstacle(Reason.NOT_READ, place, "a quote without its other half: Virto fails");
                    return;
                }
                draft.literal(format.substring(at + 1, end - 1), place);
            } else if (c == '\\' && end < format.length()) {
                end = format.offsetByCodePoints(end, 1);
                draft.literal(format.substring(at + 1, end), place);
            } else if (SPECIAL.indexOf(c) >= 0 || c == '\\') {
                while (end < format.length() && format.charAt(end) == c) {
                    end++;
                }
                letters(draft, format.substring(at, end), place);
            } else {
                draft.literal(String.valueOf(c), place);
            }
            at = end;
        }
    }

    private static void letters(Draft draft, String letters, Place place) {
        String field = FIELDS.get(letters);
        if (field == null) {
            draft.obstacle(
                    Reason.NOT_PRINTED, place, "of a date, yyyy yy MM dd HH mm ss are printed, and not " + letters);
        } else {
            draft.field(field, place);
        }
    }

    /** Adds the value as a number format prints it. */
    static void number(Draft draft, String format, Place place) {
        Matcher decimal = DECIMAL.matcher(format);
        Matcher hex = HEX.matcher(format);
        if (format.isEmpty()) {
            draft.counter(1, "", place);
        } else if (decimal.matches()) {
            int zeros = decimal.group(2) == null ? 1 : decimal.group(2).length();
            draft.counter(width(decimal.group(1)).orElse(zeros), "", place);
        } else if (hex.matches()) {
            draft.counter(width(hex.group(1)).orElse(1), "/hex", place);
        } else {
            draft.obstacle(Reason.NOT_PRINTED, place, "a value is printed as D5, 00000 or X4, and not as " + format);
        }
    }

    private static OptionalInt width(@Nullable String digits) {
        return digits == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(digits));
    }

    /** A part of a text by indexes of its chars, and what the whole is called. */
    record Text(String source, String all, int from, int until) {

        static Text of(String source, String all) {
            return new Text(source, all, 0, all.length());
        }

        Place place(int begin, int end) {
            return Place.in(source, all, begin, end);
        }
    }
}
