package io.seriatim.numbering;

import java.time.LocalDate;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds the value, the scope values and a moment that a text was printed from. */
final class Reader {

    private final Layout layout;

    Reader(Layout layout) {
        this.layout = layout;
    }

    /** What a text is printed from: printing it again gives the text. */
    record Origin(long value, Occasion occasion) {}

    /**
     * Reads a text whose characters are assigned to fields.
     *
     * @param fields for each character the index of its field
     * @return nothing if the layout does not print the text in this way
     */
    Optional<Origin> read(String text, List<Integer> fields) {
        Map<String, String> scopes = new TreeMap<>();
        Map<DatePart, Integer> parts = new EnumMap<>(DatePart.class);
        OptionalLong value = OptionalLong.empty();
        for (Map.Entry<Integer, String> entry : textOfFields(text, fields).entrySet()) {
            Field field = layout.fields().get(entry.getKey());
            String printed = entry.getValue();
            if (field instanceof Field.Counter counter) {
                value = counter.alphabet().read(printed);
            } else if (field instanceof Field.Scoped scoped && differs(scopes.put(scoped.name(), printed), printed)) {
                return Optional.empty();
            } else if (field instanceof Field.Dated dated) {
                int read = dated.part().read(printed);
                if (differs(parts.put(dated.part().full(), read), read)) {
                    return Optional.empty();
                }
            }
        }
        if (value.isEmpty() || value.getAsLong() < layout.least() || value.getAsLong() > layout.greatest()) {
            return Optional.empty();
        }
        Origins origins = new Origins(value.getAsLong(), scopes);
        return momentWith(parts).flatMap(origins::at).filter(origin -> prints(origin, text));
    }

    private static boolean differs(@Nullable Object before, Object now) {
        return before != null && !before.equals(now);
    }

    private static Map<Integer, String> textOfFields(String text, List<Integer> fields) {
        Map<Integer, StringBuilder> texts = new HashMap<>();
        int[] characters = text.codePoints().toArray();
        for (int i = 0; i < characters.length; i++) {
            texts.computeIfAbsent(fields.get(i), f -> new StringBuilder()).appendCodePoint(characters[i]);
        }
        Map<Integer, String> done = new TreeMap<>();
        texts.forEach((field, printed) -> done.put(field, printed.toString()));
        return done;
    }

    private boolean prints(Origin origin, String text) {
        return origin.occasion().number(origin.value()).equals(text);
    }

    /** What was read but the date. */
    private final class Origins {
        private final long value;
        private final Map<String, String> scopes;

        Origins(long value, Map<String, String> scopes) {
            this.value = value;
            this.scopes = withUnprinted(scopes);
        }

        /** A scope that is not printed does not matter to the text; any value will do. */
        private Map<String, String> withUnprinted(Map<String, String> printed) {
            Map<String, String> all = new TreeMap<>(printed);
            layout.scopes().forEach((name, scope) -> all.computeIfAbsent(name, n -> Samples.scopeValue(scope, 0)));
            return all;
        }

        Optional<Origin> at(Moment moment) {
            return layout.canPrint(moment)
                    ? Optional.of(new Origin(value, new Occasion(layout, moment, scopes)))
                    : Optional.empty();
        }
    }

    private Optional<Moment> momentWith(Map<DatePart, Integer> parts) {
        int second = parts.getOrDefault(DatePart.HOUR, 0) * 3_600
                + parts.getOrDefault(DatePart.MINUTE, 0) * 60
                + parts.getOrDefault(DatePart.SECOND, 0);
        return dayWith(parts).map(day -> new Moment(day, second));
    }

    /** The first day with these parts of a date. A few years hold it, and a year has few days: all are looked at. */
    private Optional<LocalDate> dayWith(Map<DatePart, Integer> parts) {
        int first = Samples.YEAR;
        int last = Samples.YEAR + 7; // no year is read: a leap year and one with 53 weeks are among these
        for (DatePart part : new DatePart[] {DatePart.ISOYEAR, DatePart.FYSTART, DatePart.FYEND}) {
            Integer year = parts.get(part);
            if (year != null) {
                first = year - 1;
                last = year + 1;
            }
        }
        first = parts.getOrDefault(DatePart.YEAR, first);
        last = parts.getOrDefault(DatePart.YEAR, last);
        int firstMonth = parts.getOrDefault(DatePart.MONTH, 1);
        int lastMonth = parts.getOrDefault(DatePart.MONTH, 12);
        for (int year = Math.max(first, 1); year <= Math.min(last, Moment.LAST_DAY.getYear()); year++) {
            LocalDate day = LocalDate.of(year, firstMonth, 1);
            LocalDate end = LocalDate.of(year, lastMonth, 1).plusMonths(1);
            for (; day.isBefore(end); day = day.plusDays(1)) {
                if (has(day, parts)) {
                    return Optional.of(day);
                }
            }
        }
        return Optional.empty();
    }

    private boolean has(LocalDate day, Map<DatePart, Integer> parts) {
        Moment moment = Moment.startOf(day);
        for (Map.Entry<DatePart, Integer> part : parts.entrySet()) {
            if (!part.getKey().isTimeOfDay() && part.getKey().valueOf(moment, layout.periods()) != part.getValue()) {
                return false;
            }
        }
        return true;
    }
}
