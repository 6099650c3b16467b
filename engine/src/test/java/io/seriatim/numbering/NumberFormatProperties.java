package io.seriatim.numbering;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.BadFormatException;
import io.seriatim.Contract;
import io.seriatim.ErrorCode;
import io.seriatim.NumberRefusedException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.statistics.Statistics;

/** Accepted definitions never repeat and can be read back; refused ones really repeat. */
final class NumberFormatProperties {

    private static final Set<ErrorCode> REPEATS =
            Set.of(ErrorCode.AMBIGUOUS, ErrorCode.PERIOD_NOT_RENDERED, ErrorCode.SCOPE_NOT_RENDERED);

    private static final List<Scope> SCOPES = List.of(
            Scope.of("a", 3),
            Scope.of("d", 2).alphabet("0123456789"),
            Scope.of("f", 2).alphabet("01A").ofFixedLength(),
            Scope.of("u", 2).alphabet("[a-zA-C-]").letterCase(LetterCase.UPPER));

    private static final List<LocalDate> DAYS = List.of(
            LocalDate.of(2000, 12, 31),
            LocalDate.of(2010, 10, 1),
            LocalDate.of(2011, 1, 11),
            LocalDate.of(2011, 11, 1),
            LocalDate.of(2024, 2, 29),
            LocalDate.of(2024, 12, 30),
            LocalDate.of(2027, 1, 1),
            LocalDate.of(2099, 3, 31));

    @Provide
    Arbitrary<List<String>> templates() {
        Arbitrary<String> literal = Arbitraries.of("-", "/", "A", "1", "01", "INV", "{{", "№", "RF");
        Arbitrary<String> dated = Arbitraries.of(
                "{year}",
                "{year:2}",
                "{month}",
                "{day}",
                "{doy}",
                "{quarter}",
                "{isoyear}",
                "{isoyear:2}",
                "{isoweek}",
                "{fystart}",
                "{fystart:2}",
                "{fyend}",
                "{fyend:2}",
                "{date:yyyyMMdd}",
                "{date:yy.DDD}",
                "{hour}",
                "{second}");
        Arbitrary<String> scoped = Arbitraries.of("{scope:a}", "{scope:d}", "{scope:f}", "{scope:u}");
        Arbitrary<String> check = Arbitraries.of(
                "{check:luhn/digits}",
                "{check:damm/seq}",
                "{check:mod97}",
                "{check:mod37-36/digits}",
                "{check:verhoeff/digits}",
                "{check:mod11-2/digits}");
        Arbitrary<String> seq = Arbitraries.of(
                "{seq}",
                "{seq:2}",
                "{seq:4}",
                "{seq:3!}",
                "{seq:/letters}",
                "{seq:2/base36}",
                "{seq:2!/base32}",
                "{seq:3/hex}",
                "{seq:2/base26}");
        Arbitrary<List<String>> others = Arbitraries.frequencyOf(
                        Tuple.of(5, literal), Tuple.of(6, dated), Tuple.of(3, scoped), Tuple.of(1, check))
                .list()
                .ofMaxSize(6);
        return Combinators.combine(others, seq, Arbitraries.integers().between(0, 6))
                .as((fields, counter, place) -> {
                    List<String> all = new ArrayList<>(fields);
                    all.add(Math.min(place, fields.size()), counter);
                    return all;
                });
    }

    /** What tells the period of a reset in the plainest way. */
    private static String parts(Reset reset) {
        return switch (reset) {
            case NEVER -> "";
            case YEARLY -> "{year}";
            case QUARTERLY -> "{year}Q{quarter}";
            case MONTHLY -> "{date:yyMM}";
            case WEEKLY -> "{isoyear}{isoweek}";
            case DAILY -> "{date:yyyyMMdd}";
            case FISCAL -> "{fyend:2}";
        };
    }

    private static List<String> with(List<String> template, String more) {
        List<String> all = new ArrayList<>(template);
        all.add(template.size() / 2, more);
        return all;
    }

    private static FormatDefinition definition(List<String> template, Reset reset) {
        String text = String.join("", template);
        FormatDefinition definition = FormatDefinition.of(text).reset(reset).fiscalStart("04-01");
        for (Scope scope : SCOPES) {
            if (text.contains("{scope:" + scope.name() + "}")) {
                definition = definition.scope(scope);
            }
        }
        return definition;
    }

    @Property(tries = 600)
    void definitions_any_areReadBackOrRepeatReally(
            @ForAll("templates") List<String> fields, @ForAll Reset reset, @ForAll boolean dated) {
        List<String> template = with(fields, dated ? parts(reset) : "");
        FormatDefinition definition = definition(template, reset);
        NumberFormat format;
        try {
            format = NumberFormat.of(definition, ValueRange.ascending(), Contract.ORDERED);
        } catch (BadFormatException e) {
            Statistics.label("outcome").collect(e.code());
            if (REPEATS.contains(e.code())) {
                repeatsReally(template, definition, e);
            }
            return;
        }
        Statistics.label("outcome").collect("accepted");
        readsBack(format, definition);
    }

    /** Prints numbers of all kinds; each is read as what it is, so no two are the same. */
    private static void readsBack(NumberFormat format, FormatDefinition definition) {
        Map<String, String> seen = new HashMap<>();
        for (Map<String, String> scopes : scopeValues(definition)) {
            for (LocalDate day : DAYS) {
                Optional<Occasion> occasion = occasion(format, day, scopes);
                if (occasion.isPresent()) {
                    for (long value : values(format)) {
                        readsBack(format, occasion.get(), value, seen);
                    }
                }
            }
        }
    }

    private static void readsBack(NumberFormat format, Occasion occasion, long value, Map<String, String> seen) {
        String number = occasion.number(value);
        Reading reading = new Reading(value, Optional.of(occasion.period().key()), occasion.scopes());
        assertThat(number.codePointCount(0, number.length())).isLessThanOrEqualTo(format.longest());
        byte[] printed = new byte[occasion.lengthBytes(value)];
        assertThat(occasion.print(value, printed, 0)).isEqualTo(printed.length);
        assertThat(new String(printed, StandardCharsets.UTF_8)).isEqualTo(number);
        String before = seen.putIfAbsent(number, reading.toString());
        assertThat(before == null || before.equals(reading.toString()))
                .as("%s is %s and %s", number, before, reading)
                .isTrue();
        if (before == null && seen.size() % 7 == 0) { // reading is slow beside printing
            assertThat(format.read(number)).as(number).contains(reading);
        }
    }

    private static Optional<Occasion> occasion(NumberFormat format, LocalDate day, Map<String, String> scopes) {
        try {
            return Optional.of(format.at(day.atTime(11, 1, 10).toInstant(ZoneOffset.UTC), scopes));
        } catch (NumberRefusedException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.DATE_OUT_OF_RANGE); // the ISO year 1999, the fiscal year 2100
            return Optional.empty();
        }
    }

    private static List<Long> values(NumberFormat format) {
        List<Long> values = new ArrayList<>();
        for (long value = format.least(); value <= format.least() + 12; value++) {
            values.add(value);
        }
        for (long value : new long[] {99, 100, 101, 110, 111, 255, 1_011, 1_111, 10_110, 99_999, Long.MAX_VALUE}) {
            values.add(value);
        }
        values.add(format.greatest());
        values.removeIf(value -> value > format.greatest());
        return values;
    }

    private static List<Map<String, String>> scopeValues(FormatDefinition definition) {
        List<Map<String, String>> all = new ArrayList<>(List.of(Map.of()));
        for (Scope scope : definition.scopes()) {
            List<String> values = switch (scope.name()) {
                case "a" -> List.of("1", "11", "1A1", "a");
                case "d" -> List.of("1", "10", "11");
                case "f" -> List.of("01", "11");
                default -> List.of("A", "b-");
            };
            List<Map<String, String>> longer = new ArrayList<>();
            for (Map<String, String> each : all) {
                for (String value : values) {
                    Map<String, String> more = new TreeMap<>(each);
                    more.put(scope.name(), value);
                    longer.add(more);
                }
            }
            all = longer;
        }
        return all;
    }

    private static void repeatsReally(List<String> template, FormatDefinition definition, BadFormatException e) {
        boolean mayHaveNone = String.join("", template).contains("{check:")
                || e.code() == ErrorCode.AMBIGUOUS && printsSomethingTwice(template);
        Statistics.label("example").collect(e.number().isPresent() ? "shown" : "none");
        assertThat(e.number().isPresent() || mayHaveNone)
                .as("an example of %s for %s", e.code(), template)
                .isTrue();
        if (e.code() == ErrorCode.AMBIGUOUS && e.number().isPresent()) {
            Layout layout = Formats.unchecked(
                    definition.template(),
                    Reset.valueOf(definition.reset().toUpperCase(Locale.ROOT)),
                    "04-01",
                    definition.scopes().toArray(Scope[]::new));
            Repeats.Repeat repeat = Repeats.example(layout, layout, false).orElseThrow();
            Occasion one = repeat.one().occasion();
            Occasion other = repeat.other().occasion();
            assertThat(one.number(repeat.one().value()))
                    .isEqualTo(other.number(repeat.other().value()))
                    .isEqualTo(e.number().orElseThrow());
            boolean same = repeat.one().value() == repeat.other().value()
                    && one.period().equals(other.period())
                    && one.scopes().equals(other.scopes());
            assertThat(same).isFalse();
        }
    }

    /** Whether a scope, or the same part of a date, stands in the template more than once. */
    private static boolean printsSomethingTwice(List<String> template) {
        Layout layout =
                Formats.unchecked(String.join("", template), Reset.NEVER, "04-01", SCOPES.toArray(Scope[]::new));
        Map<DatePart, Integer> parts = new EnumMap<>(DatePart.class);
        Map<String, Integer> scopes = new HashMap<>();
        for (Field field : layout.fields()) {
            if (field instanceof Field.Dated dated) {
                parts.merge(dated.part().full(), 1, Integer::sum);
            } else if (field instanceof Field.Scoped scoped) {
                scopes.merge(scoped.name(), 1, Integer::sum);
            }
        }
        return saysTwice(parts.keySet())
                || parts.values().stream().anyMatch(printings -> printings > 1)
                || scopes.values().stream().anyMatch(printings -> printings > 1);
    }

    /** Whether some parts follow from others: years of any kind from one another, the rest from the day. */
    private static boolean saysTwice(Set<DatePart> parts) {
        Set<DatePart> years = EnumSet.of(DatePart.YEAR, DatePart.ISOYEAR, DatePart.FYSTART, DatePart.FYEND);
        years.retainAll(parts);
        Set<DatePart> days = EnumSet.of(DatePart.MONTH, DatePart.DAY, DatePart.DOY, DatePart.QUARTER, DatePart.ISOWEEK);
        days.retainAll(parts);
        days.removeAll(days.contains(DatePart.MONTH) ? EnumSet.of(DatePart.DAY) : EnumSet.noneOf(DatePart.class));
        return years.size() > 1 || days.size() > 1;
    }

    /** The quick answers of the period check are those of the search through all days. */
    @Property(tries = 60)
    void periodCheck_anyParts_saysWhatTheSearchSays(
            @ForAll("dateParts") List<String> parts, @ForAll Reset reset, @ForAll boolean wholeMonths) {
        String fiscalStart = wholeMonths ? "04-01" : "02-15";
        Layout layout = Formats.unchecked(String.join("-", parts) + "-{seq}", reset, fiscalStart);
        boolean twins = PeriodCheck.twins(layout).isPresent();
        assertThat(twins).isEqualTo(PeriodCheck.search(layout).isPresent());
        Statistics.label("twins").collect(twins);
    }

    @Provide
    Arbitrary<List<String>> dateParts() {
        return Arbitraries.of(
                        "{year}",
                        "{year:2}",
                        "{month}",
                        "{day}",
                        "{doy}",
                        "{quarter}",
                        "{isoyear}",
                        "{isoyear:2}",
                        "{isoweek}",
                        "{fystart}",
                        "{fyend}",
                        "{fyend:2}",
                        "{hour}")
                .list()
                .ofMinSize(1)
                .ofMaxSize(5);
    }

    /** What follows a format without refusal prints no text of it for another number. */
    @Property(tries = 200)
    void checkFollows_anyTwoFormats_keepsTextsApart(
            @ForAll("templates") List<String> first,
            @ForAll("templates") List<String> second,
            @ForAll Reset reset,
            @ForAll boolean sameReset) {
        Reset other = sameReset ? reset : Reset.NEVER;
        Optional<NumberFormat> old = accepted(definition(with(first, parts(reset)), reset));
        Optional<NumberFormat> next = accepted(definition(with(second, parts(other)), other));
        if (old.isEmpty() || next.isEmpty()) {
            return;
        }
        try {
            next.get().checkFollows(List.of(old.get()));
        } catch (BadFormatException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.WOULD_REPEAT);
            Statistics.label("change").collect("refused");
            return;
        }
        Statistics.label("change").collect("allowed");
        Map<String, String> seen = new HashMap<>();
        for (NumberFormat format : List.of(old.get(), next.get())) {
            for (Map<String, String> scopes : scopeValues(format.definition())) {
                for (LocalDate day : DAYS) {
                    occasion(format, day, scopes)
                            .ifPresent(occasion ->
                                    values(format).forEach(value -> readsBack(format, occasion, value, seen)));
                }
            }
        }
    }

    private static Optional<NumberFormat> accepted(FormatDefinition definition) {
        try {
            return Optional.of(NumberFormat.of(definition, ValueRange.ascending(), Contract.ORDERED));
        } catch (BadFormatException e) {
            assertThat(e.getMessage()).isNotEmpty();
            return Optional.empty();
        }
    }

    /** Every alphabet writes and reads every value. */
    /**
     * A thread keeps the text of the number before, of whatever occasion, and changes two digits in it: what it prints next
     * must be right wherever that comes from, below, across and beyond the hundred, in one digit and in nineteen.
     */
    @Property(tries = 300)
    void print_anyValuesOfTwoOccasionsInTurn_areTheDigitsPadded(
            @ForAll @IntRange(min = 1, max = 18) int width,
            @ForAll @IntRange(min = 1, max = 3) int otherWidth,
            @ForAll @LongRange(min = 0) long anywhere,
            @ForAll List<@IntRange(min = -250, max = 250) Integer> steps,
            @ForAll boolean behind) {
        String rest = behind ? "/é" : "";
        List<NumberFormat> formats =
                List.of(counting("Ä" + "{seq:" + width + "}" + rest), counting("{seq:" + otherWidth + "}"));
        List<Occasion> occasions =
                formats.stream().map(format -> format.at(Instant.EPOCH)).toList();
        byte[] target = new byte[64];
        long value = anywhere >>> (anywhere & 63);
        for (int i = 0; i < steps.size(); i++) {
            value = (value + steps.get(i)) & Long.MAX_VALUE;
            int which = Math.floorMod(steps.get(i), 7) == 0 ? 1 : 0;
            String digits = padded(value, which == 0 ? width : otherWidth);
            String expected = which == 0 ? "Ä" + digits + rest : digits;
            assertThat(occasions.get(which).number(value)).isEqualTo(expected);
            int length = occasions.get(which).print(value, target, i % 3);
            assertThat(new String(target, i % 3, length, StandardCharsets.UTF_8))
                    .isEqualTo(expected);
            assertThat(occasions.get(which).lengthBytes(value)).isEqualTo(length);
        }
    }

    private static NumberFormat counting(String template) {
        return NumberFormat.of(
                FormatDefinition.of(template), ValueRange.ascending().start(0), Contract.ORDERED);
    }

    private static String padded(long value, int width) {
        String digits = Long.toString(value);
        return "0".repeat(Math.max(0, width - digits.length())) + digits;
    }

    @Property(tries = 2_000)
    void alphabets_anyValue_isReadBack(@ForAll Alphabet alphabet, @ForAll long any, @ForAll int anyPadding) {
        long value = Math.max(alphabet.least(), any & Long.MAX_VALUE);
        int padding = alphabet == Alphabet.LETTERS ? 0 : Math.floorMod(anyPadding, 4);
        int length = alphabet.length(value) + padding;
        byte[] text = new byte[length];
        alphabet.write(value, text, 0, length);
        String written = new String(text, StandardCharsets.US_ASCII);
        assertThat(alphabet.read(written)).hasValue(value);
        if (alphabet == Alphabet.DEC) {
            assertThat(written).isEqualTo("0".repeat(padding) + value);
        } else if (alphabet == Alphabet.HEX || alphabet == Alphabet.BASE36) {
            int base = alphabet == Alphabet.HEX ? 16 : 36;
            assertThat(written)
                    .isEqualTo("0".repeat(padding) + Long.toString(value, base).toUpperCase(Locale.ROOT));
        }
        assertThat(alphabet.greatest(length)).isGreaterThanOrEqualTo(value);
        assertThat(length == 1 + padding || alphabet.greatest(alphabet.length(value) - 1) < value)
                .isTrue();
    }
}
