package io.seriatim.numbering;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.Contract;
import io.seriatim.SequenceDefinition;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a format says of itself without a store. */
final class PreviewTest {

    private static final Instant MAY = Instant.parse("2013-05-22T23:30:00Z");

    private static List<String> texts(List<PrintedNumber> numbers) {
        return numbers.stream().map(PrintedNumber::text).toList();
    }

    @Test
    void preview_dailyOrders_showsFirstNthLastAndTheNextDay() {
        NumberFormat orders = Numbering.formatOf(
                SequenceDefinition.ascending()
                        .contract(Contract.FAST)
                        .cache(100)
                        .start(0),
                FormatDefinition.of("ORDER{date:yyyy-MMdd}-{seq:5!}").reset(Reset.DAILY));
        Preview preview = orders.preview(MAY);

        assertThat(preview.period().key()).isEqualTo("2013-05-22");
        assertThat(texts(preview.first(2))).containsExactly("ORDER2013-0522-00000", "ORDER2013-0522-00001");
        assertThat(preview.nth(999).orElseThrow().text()).isEqualTo("ORDER2013-0522-00998");
        assertThat(preview.last().text()).isEqualTo("ORDER2013-0522-99999");
        assertThat(texts(preview.next().orElseThrow().first(1))).containsExactly("ORDER2013-0523-00000");
    }

    @Test
    void preview_fewValues_endsWithThem() {
        NumberFormat format = Numbering.formatOf(
                SequenceDefinition.ascending().start(3).increment(4).max(13), FormatDefinition.of("{seq}"));
        Preview preview = format.preview(MAY);

        assertThat(texts(preview.first(10))).containsExactly("3", "7", "11");
        assertThat(preview.last().value()).isEqualTo(11);
        assertThat(preview.nth(3)).contains(preview.last());
        assertThat(preview.nth(4)).isEmpty();
        assertThat(preview.next()).as("a counter that never starts again").isEmpty();
    }

    @Test
    void preview_descending_endsAtTheLeast() {
        NumberFormat format = Numbering.formatOf(
                SequenceDefinition.descending().start(9).min(2).increment(-3), FormatDefinition.of("{seq}"));
        assertThat(texts(format.preview(MAY).first(10))).containsExactly("9", "6", "3");
        assertThat(format.preview(MAY).last().value()).isEqualTo(3);
    }

    @Test
    void preview_increments_ofAnySize_doNotOverflow() {
        NumberFormat up = Numbering.formatOf(
                SequenceDefinition.ascending().start(0).increment(Long.MAX_VALUE), FormatDefinition.of("{seq}"));
        assertThat(up.preview(MAY).last().value()).isEqualTo(Long.MAX_VALUE);
        NumberFormat down = Numbering.formatOf(
                SequenceDefinition.descending().start(5).increment(Long.MIN_VALUE), FormatDefinition.of("{seq}"));
        assertThat(texts(down.preview(MAY).first(3))).containsExactly("5");
        assertThat(down.preview(MAY).nth(Long.MAX_VALUE)).isEmpty();
    }

    @Test
    void preview_lastYearOfTwoDigits_hasNoNext() {
        NumberFormat format = Numbering.formatOf(
                SequenceDefinition.ascending(),
                FormatDefinition.of("{year:2}-{seq}").reset(Reset.YEARLY));
        assertThat(format.preview(Instant.parse("2099-12-31T00:00:00Z")).next()).isEmpty();
    }

    @Test
    void preview_scopes_areMadeUp() {
        NumberFormat format = Numbering.formatOf(
                SequenceDefinition.ascending(),
                FormatDefinition.of("{scope:store}-{seq}").scope(Scope.of("store", 4)));
        assertThat(texts(format.preview(MAY).first(1))).containsExactly("A-1");
        assertThat(format.preview(MAY).scope()).containsEntry("store", "A");
    }

    @Test
    void parts_ofATemplate_areItsTextAgain() {
        String template = "№{{{date:-yyyy-MM}{{x{scope:s}}}{seq:5!/hex}{month}{check:luhn/digits}";
        NumberFormat format = Formats.format(FormatDefinition.of(template)
                .scope(Scope.of("s", 2).ofFixedLength().alphabet("0123456789")));
        List<TemplatePart> parts = format.parts();

        assertThat(parts.stream().map(TemplatePart::text).collect(Collectors.joining()))
                .isEqualTo(template);
        assertThat(parts.stream().map(part -> part.position() + " " + part.text() + " " + part.longest()))
                .containsExactly(
                        "0 №{{ 2",
                        "3 {date:-yyyy-MM} 8",
                        "18 {{x 2",
                        "21 {scope:s} 2",
                        "30 }} 1",
                        "32 {seq:5!/hex} 5",
                        "44 {month} 2",
                        "51 {check:luhn/digits} 1");
        assertThat(parts.stream().mapToInt(TemplatePart::longest).sum()).isEqualTo(format.longest());
        assertThat(parts.get(5).meaning()).isEqualTo("the value, exactly 5 digits, in hex");
    }
}
