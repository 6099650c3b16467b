package io.seriatim.numbering;

import static io.seriatim.numbering.Formats.format;
import static io.seriatim.numbering.Formats.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.BadFormatException;
import io.seriatim.Contract;
import io.seriatim.ErrorCode;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What templates and definitions are refused for, and where. */
final class TemplateTest {

    private static final LocalDate DAY = LocalDate.of(2026, 7, 9);

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    INV-{seq:5              | UNCLOSED_FIELD template@4
                    {year{{seq}             | UNCLOSED_FIELD template@0
                    {                       | UNCLOSED_FIELD template@0
                    {seq}}                  | UNEXPECTED_CLOSE template@5
                    }{seq}                  | UNEXPECTED_CLOSE template@0
                    {}{seq}                 | EMPTY_FIELD template@0
                    {:5}{seq}               | EMPTY_FIELD template@0
                    {SEQ}                   | UNKNOWN_FIELD template@0
                    { seq}                  | UNKNOWN_FIELD template@0
                    {year2}{seq}            | UNKNOWN_FIELD template@0
                    {week}{seq}             | UNKNOWN_FIELD template@0
                    "№😀{seq:}"             | BAD_SPEC template@2
                    {seq:05}                | BAD_SPEC template@0
                    {seq:!}                 | BAD_SPEC template@0
                    {seq:5!!}               | BAD_SPEC template@0
                    {seq:3/letters}         | BAD_SPEC template@0
                    {seq:٣}                 | BAD_SPEC template@0
                    {seq}{year:4}           | BAD_SPEC template@5
                    {seq}{day:2}            | BAD_SPEC template@5
                    {seq}{scope}            | BAD_SPEC template@5
                    {seq}{check}            | BAD_SPEC template@5
                    {seq}{date}             | BAD_SPEC template@5
                    {seq}{check:luhn/all}   | BAD_SPEC template@5
                    RF{check:iso11649/seq}{seq} | BAD_SPEC template@2
                    {seq}{date:yyy}         | BAD_DATE_PATTERN template@5
                    {seq}{date:yyyyyy}      | BAD_DATE_PATTERN template@5
                    {seq}{date:M}           | BAD_DATE_PATTERN template@5
                    {seq}{date:hh}          | BAD_DATE_PATTERN template@5
                    {seq}{date:yyyy MM}     | BAD_DATE_PATTERN template@5
                    {seq}{date:--}          | BAD_DATE_PATTERN template@5
                    {seq}-{seq}             | DUPLICATE_COUNTER template@6
                    {scope:a}               | NO_COUNTER template@0
                    {seq:5!}{check:luhn}{check:damm} | CHECK_POSITION template@20
                    RF-{check:iso11649}{seq} | CHECK_POSITION template@3
                    {seq/hex}               | UNKNOWN_FIELD template@0
                    {seq:5!/hex}{check:luhn} | CHECK_ALPHABET template@12
                    ä{seq:5!}{check:mod97}  | CHECK_ALPHABET template@9
                    """)
    void template_thatBreaksARule_isRefusedWithItsPlace(String template, String refusal) {
        assertThat(refusal(template)).isEqualTo(refusal);
    }

    @Test
    void errors_several_comeInTheirOrder() {
        FormatDefinition wrong =
                FormatDefinition.of("{scope:a}{x}").reset("hourly").zone("Nowhere");
        assertThat(refusal(wrong)).isEqualTo("UNKNOWN_FIELD template@9");
        assertThat(refusal(wrong.template("{scope:a}"))).isEqualTo("NO_COUNTER template@0");
        assertThat(refusal(wrong.template("{scope:a}{seq}"))).isEqualTo("UNKNOWN_SCOPE template@0");
        assertThat(refusal(wrong.template("{seq}"))).isEqualTo("BAD_ZONE zone");
        assertThat(refusal(wrong.template("{seq}").zone("UTC"))).isEqualTo("BAD_RESET reset");
        ValueRange bad = new ValueRange(-1, 0, -5, 0);
        assertThat(refusal(FormatDefinition.of("{seq}"), bad)).isEqualTo("BAD_START start");
        assertThat(refusal(FormatDefinition.of("{seq}"), bad.start(9))).isEqualTo("BAD_STEP increment");
        assertThat(refusal(FormatDefinition.of("{seq}"), bad.start(9).increment(1)))
                .isEqualTo("BAD_MAX max");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{seq}\t", "{seq}\u0000", "{seq}\u200b", "{seq}\u2028", "{seq}\ud83d"})
    void controlCharacters_inATemplate_areRefused(String template) {
        assertThat(refusal(template)).isEqualTo("CONTROL_CHAR template@5");
    }

    @Test
    void start_thatCannotBePrinted_isRefused() {
        ValueRange fromZero = ValueRange.ascending().start(0);
        assertThat(refusal(FormatDefinition.of("{seq:/letters}"), fromZero)).isEqualTo("BAD_START start");
        assertThat(refusal(FormatDefinition.of("{seq:2!}"), fromZero.start(100)))
                .isEqualTo("BAD_START start");
        assertThat(refusal(FormatDefinition.of("{seq:2!}"), fromZero.min(-1))).isEqualTo("BAD_OPTION min");
        assertThat(refusal(FormatDefinition.of("{seq:2!}"), fromZero)).isEqualTo("accepted");
    }

    @Test
    void options_thatMeanNothing_areRefused() {
        FormatDefinition seq = FormatDefinition.of("{seq}");
        assertThat(refusal(seq.reset(Reset.FISCAL))).isEqualTo("BAD_RESET fiscalStart");
        for (String day : new String[] {"02-29", "02-30", "13-01", "4-1", "01-00"}) {
            assertThat(refusal(seq.fiscalStart(day))).as(day).isEqualTo("BAD_RESET fiscalStart");
        }
        assertThat(refusal(seq.zone("+02:00"))).isEqualTo("BAD_ZONE zone");
        assertThat(refusal(seq.zone(""))).isEqualTo("BAD_ZONE zone");
        assertThat(refusal(seq.maxLength(0))).isEqualTo("BAD_OPTION maxLength");
        assertThat(refusal(seq.maxLength(256))).isEqualTo("BAD_OPTION maxLength");
        assertThat(refusal(seq.charset(""))).isEqualTo("BAD_OPTION charset");
        assertThat(refusal(seq.charset("0-9"))).isEqualTo("BAD_OPTION charset");
        assertThat(refusal(seq.charset("[9-0]"))).isEqualTo("BAD_OPTION charset");
        assertThat(refusal(seq.policy("strict"))).isEqualTo("BAD_OPTION policy");
        assertThat(refusal(seq.reservationSeconds(5))).isEqualTo("BAD_OPTION reservationSeconds");
        assertThat(refusal(seq.scope(Scope.of("a b", 3)))).isEqualTo("BAD_OPTION scopes");
        assertThat(refusal(seq.scope(Scope.of("a", 0)))).isEqualTo("BAD_OPTION scopes");
        assertThat(refusal(seq.scope(Scope.of("a", 101)))).isEqualTo("BAD_OPTION scopes");
        assertThat(refusal(seq.scope(Scope.of("a", 1)).scope(Scope.of("a", 1)))).isEqualTo("BAD_OPTION scopes");
        assertThat(refusal(seq.scope(Scope.of("a", 1).alphabet("[一-鿋]")))).isEqualTo("BAD_OPTION scopes");
        assertThat(refusal(seq.scope(Scope.of("a", 1).alphabet("a b")))).isEqualTo("BAD_OPTION scopes");
        assertThat(refusal(seq.scope(Scope.of("a", 1).alphabet("a\u0301")))).isEqualTo("BAD_OPTION scopes");
        assertThat(refusal(seq.scope(Scope.of("a", 1).alphabet("abc").letterCase(LetterCase.UPPER))))
                .isEqualTo("BAD_OPTION scopes");
    }

    @Test
    void monotonicPeriod_withContractFast_isRefused() {
        FormatDefinition definition =
                FormatDefinition.of("{year}-{seq}").reset(Reset.YEARLY).monotonicPeriod(true);
        assertThat(refusal(definition)).isEqualTo("accepted");
        try {
            NumberFormat.of(definition, ValueRange.ascending(), Contract.FAST);
            throw new AssertionError("accepted");
        } catch (BadFormatException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.BAD_OPTION);
            assertThat(e.option()).isEqualTo("monotonicPeriod");
        }
    }

    @Test
    void length_ofTheLongestNumber_isChecked() {
        FormatDefinition definition = FormatDefinition.of("№-{seq:5}").maxLength(20);
        assertThat(refusal(definition)).isEqualTo("TOO_LONG template@0");
        assertThat(refusal(definition.maxLength(21))).isEqualTo("accepted");
        assertThat(refusal(definition, ValueRange.ascending().max(999_999_999))).isEqualTo("accepted");
        assertThat(refusal(definition.template("№-{seq:18!}"))).isEqualTo("accepted");
    }

    @Test
    void charset_ofEveryField_isChecked() {
        FormatDefinition definition = FormatDefinition.of("A-{seq:3!/hex}").charset("[0-9A-F-]");
        assertThat(refusal(definition)).isEqualTo("accepted");
        assertThat(refusal(definition.charset("[0-9A-]"))).isEqualTo("CHARSET template@2");
        assertThat(refusal(definition.template("A{{{seq:3!}"))).isEqualTo("CHARSET template@1");
        assertThat(refusal(definition.template("{seq:3!}{check:mod11-2}"))).isEqualTo("CHARSET template@8");
        assertThat(refusal(definition.template("A-{seq}").charset("-A0123456789")))
                .isEqualTo("accepted");
    }

    @Test
    void doubledBraces_areBraces() {
        assertThat(format("{{{seq}}}-}}").on(DAY).number(7)).isEqualTo("{7}-}");
    }

    @Test
    void endOfTheCounter_isTheLeastOfMaxAndWidth() {
        assertThat(format("{seq:4!}").greatest()).isEqualTo(9_999);
        assertThat(format("{seq:2!/hex}").greatest()).isEqualTo(255);
        assertThat(format("{seq:2!/base26}").greatest()).isEqualTo(26 * 26 - 1);
        assertThat(format("{seq:18!/base36}").greatest()).isEqualTo(Long.MAX_VALUE);
        assertThat(format("{seq}").greatest()).isEqualTo(Long.MAX_VALUE);
        NumberFormat bounded = NumberFormat.of(
                FormatDefinition.of("{seq:4!}"), ValueRange.ascending().max(50), Contract.FAST);
        assertThat(bounded.greatest()).isEqualTo(50);
        assertThat(format("{seq:/letters}").least()).isEqualTo(1);
    }
}
