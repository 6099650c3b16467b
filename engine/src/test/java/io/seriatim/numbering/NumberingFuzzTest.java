package io.seriatim.numbering;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.seriatim.BadFormatException;
import io.seriatim.Contract;
import io.seriatim.NumberRefusedException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Any text at all as a template and as a number. Run as a test it goes through the inputs that are kept in
 * {@code NumberingFuzzTestInputs}; engine/fuzz.sh looks for more.
 *
 * <p>An input is text, so that what was found can be read: a line of letters for options, then the template, then, where
 * there is one, behind a line's end the number to be read.
 */
final class NumberingFuzzTest {

    private static final List<Instant> INSTANTS = List.of(
            Instant.parse("2026-07-09T10:11:12Z"),
            Instant.parse("2000-02-29T23:59:59Z"),
            Instant.parse("2024-12-30T00:00:00Z"));

    private static final Map<Character, Reset> RESETS = Map.of(
            'y', Reset.YEARLY,
            'q', Reset.QUARTERLY,
            'm', Reset.MONTHLY,
            'w', Reset.WEEKLY,
            'd', Reset.DAILY,
            'f', Reset.FISCAL);

    private record Input(String options, String template, Optional<String> number) {

        /** Bytes that are not UTF-8 become halves of surrogate pairs. */
        static Input of(byte[] bytes) {
            String text = new String(bytes, StandardCharsets.UTF_8).replace('\ufffd', '\ud83d');
            String[] lines = text.split("\n", 3);
            return new Input(
                    lines[0],
                    lines.length < 2 ? "" : lines[1],
                    lines.length < 3 ? Optional.empty() : Optional.of(lines[2]));
        }

        FormatDefinition definition() {
            FormatDefinition definition = FormatDefinition.of(template).allowRepeats(options.indexOf('r') >= 0);
            for (Map.Entry<Character, Reset> reset : RESETS.entrySet()) {
                if (options.indexOf(reset.getKey()) >= 0) {
                    definition = definition.reset(reset.getValue()).fiscalStart("04-01");
                }
            }
            if (options.indexOf('a') >= 0) {
                definition = definition.scope(Scope.of("a", 3));
            }
            if (options.indexOf('b') >= 0) {
                definition = definition.scope(Scope.of("b", 2)
                        .ofFixedLength()
                        .alphabet("[A-Za-z0-9é-]")
                        .letterCase(LetterCase.UPPER));
            }
            return options.indexOf('c') >= 0 ? definition.charset("[ -~]").maxLength(40) : definition;
        }

        ValueRange values() {
            ValueRange values = ValueRange.ascending().start(options.indexOf('0') >= 0 ? 0 : 1);
            return options.indexOf('9') >= 0 ? values.increment(97).max(99_999) : values;
        }
    }

    @FuzzTest(maxDuration = "5m")
    void template_anyText_isRefusedOrReadBack(byte[] bytes) {
        Input input = Input.of(bytes);
        NumberFormat format;
        try {
            format = NumberFormat.of(input.definition(), input.values(), Contract.ORDERED);
        } catch (BadFormatException e) {
            int length = input.template().codePointCount(0, input.template().length());
            assertThat(e.position().orElse(0)).as(e.getMessage()).isBetween(0, length);
            return;
        }
        partsAreTheTemplate(format);
        for (Instant instant : INSTANTS) {
            try {
                numbersAreReadBack(format, format.preview(instant));
            } catch (NumberRefusedException e) {
                assertThat(e.code()).hasToString("DATE_OUT_OF_RANGE"); // the fiscal or ISO year 1999 in two digits
            }
        }
        input.number().ifPresent(number -> readsWhatItPrints(format, number));
    }

    private static void partsAreTheTemplate(NumberFormat format) {
        assertThat(format.parts().stream().map(TemplatePart::text).collect(Collectors.joining()))
                .isEqualTo(format.definition().template());
        assertThat(format.parts().stream().mapToInt(TemplatePart::longest).sum())
                .isEqualTo(format.longest());
    }

    private static void numbersAreReadBack(NumberFormat format, Preview preview) {
        preview.first(3).forEach(number -> isReadBack(format, preview, number));
        preview.nth(999).ifPresent(number -> isReadBack(format, preview, number));
        isReadBack(format, preview, preview.last());
    }

    private static void isReadBack(NumberFormat format, Preview preview, PrintedNumber number) {
        String text = number.text();
        assertThat(text.codePointCount(0, text.length())).isLessThanOrEqualTo(format.longest());
        Reading reading = format.read(text).orElseThrow(() -> new AssertionError("not read back: " + text));
        assertThat(reading.value()).as(text).isEqualTo(number.value());
        if (!format.definition().allowRepeats()) {
            assertThat(reading)
                    .as(text)
                    .isEqualTo(new Reading(
                            number.value(), Optional.of(preview.period().key()), preview.scope()));
        }
    }

    private static void readsWhatItPrints(NumberFormat format, String number) {
        Optional<Reading> reading = format.read(number);
        if (reading.isPresent()) {
            assertThat(reading.get().value()).isBetween(format.least(), format.greatest());
            assertThat(number.codePointCount(0, number.length())).isLessThanOrEqualTo(format.longest());
        }
    }

    /** Formats of every kind of field; the template of the input says which. */
    private static final List<NumberFormat> FORMATS = List.of(
            Formats.format("{seq}"),
            Formats.format("№{seq:5!}-{check:mod97}"),
            Formats.format("{seq:/letters}{{{year:2}"),
            Formats.format(
                    FormatDefinition.of("{date:yyyyMMdd}-{hour}.{seq:3/base36}").reset(Reset.DAILY)),
            Formats.format(FormatDefinition.of("{isoyear}{isoweek}{seq:4}").reset(Reset.WEEKLY)),
            Formats.format(FormatDefinition.of("{fystart}/{fyend:2}/{scope:a}-{seq:2/base32}{check:mod37-36/seq}")
                    .reset(Reset.FISCAL)
                    .fiscalStart("02-28")
                    .scope(Scope.of("a", 3).alphabet("[0-9😀é]"))),
            Formats.format(FormatDefinition.of("{scope:a}{seq:3!}{month}")
                    .scope(Scope.of("a", 100))
                    .allowRepeats(true)
                    .reset(Reset.MONTHLY)));

    @FuzzTest(maxDuration = "5m")
    void number_anyText_isReadOrNot(byte[] bytes) {
        Input input = Input.of(bytes);
        int which = Math.floorMod(input.options().hashCode(), FORMATS.size());
        readsWhatItPrints(FORMATS.get(which), input.template());
    }
}
