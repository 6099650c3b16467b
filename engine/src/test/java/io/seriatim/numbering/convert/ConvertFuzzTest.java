package io.seriatim.numbering.convert;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.seriatim.numbering.NumberFormat;
import io.seriatim.numbering.Numbering;
import io.seriatim.numbering.Preview;
import io.seriatim.numbering.PrintedNumber;
import io.seriatim.numbering.convert.Conversion.Converted;
import io.seriatim.numbering.convert.Conversion.NotConverted;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.stream.Stream;

/**
 * Any text at all as one of another product's. An input is a letter for the product and behind it the text; see {@code
 * NumberingFuzzTest}.
 */
final class ConvertFuzzTest {

    private static final Instant JULY = Instant.parse("2026-07-09T10:11:12Z");

    @FuzzTest(maxDuration = "5m")
    void text_ofAnyProduct_isConvertedOrToldPartByPart(byte[] bytes) {
        String input = new String(bytes, StandardCharsets.UTF_8);
        if (input.isEmpty()) {
            return;
        }
        String text = input.substring(1);
        Given given = Given.NOTHING.fiscalStart("04-01");
        Conversion conversion = switch (input.charAt(0)) {
            case 'v' -> Virto.today(text, given);
            case '5' -> Virto.of2015("a.b", Virto.Constants.USUAL.idTemplate(text), Given.NOTHING);
            case 't' -> Virto.of2015("a.b", Virto.Constants.USUAL.dateFormat(text), Given.NOTHING);
            case 'o' -> Odoo.sequence(Odoo.Sequence.of(text).padding(4), given);
            case 'j' -> Odoo.journal(text, given);
            case 'f' -> Frappe.series(text, given);
            default -> Dolibarr.mask(text, Given.NOTHING);
        };
        String template = input.charAt(0) == 't' ? Virto.Constants.USUAL.idTemplate() : text;
        if (conversion instanceof Converted converted) {
            printsWhatIsReadBack(converted);
            converted.remarks().forEach(remark -> standsThere(template, remark.place()));
        } else {
            ((NotConverted) conversion).obstacles().forEach(obstacle -> standsThere(template, obstacle.place()));
        }
    }

    private static void printsWhatIsReadBack(Converted converted) {
        NumberFormat format = Numbering.formatOf(converted.values(), converted.format());
        Preview preview = format.preview(JULY);
        Stream.concat(preview.first(3).stream(), Stream.of(preview.last()))
                .forEach(number -> assertThat(
                                format.read(number.text()).orElseThrow().value())
                        .as(number.text())
                        .isEqualTo(number.value()));
        assertThat(preview.first(3).stream().map(PrintedNumber::text)).doesNotHaveDuplicates();
    }

    private static void standsThere(String text, Place place) {
        if (place.source().equals(Place.TEXT)) {
            assertThat(text.substring(text.offsetByCodePoints(0, place.position())))
                    .startsWith(place.part());
        }
    }
}
