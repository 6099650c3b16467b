package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.seriatim.numbering.FormatDefinition;
import io.seriatim.numbering.NumberFormat;
import io.seriatim.numbering.Occasion;
import io.seriatim.numbering.Reading;
import io.seriatim.numbering.Reset;
import io.seriatim.numbering.Scope;
import io.seriatim.numbering.ValueRange;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The numbers and refusals of docs/numbering.md are what the code prints and says. */
final class NumberingPageTest {

    private static final Instant INSTANT = Instant.parse("2026-07-09T10:11:12Z");
    private static final Pattern NUMBER = Pattern.compile("(?m)^\\| `([^`]+)` \\| ([0-9]+) \\| `([^`]+)` \\|");
    private static final Pattern REFUSAL =
            Pattern.compile("(?m)^\\| `([^`]+)` \\| ([a-z=]*) ?\\| ([A-Z_]+) \\| ([^|]*)\\|");

    private final String page = Repository.read(Repository.here().file("docs/numbering.md"));

    @Test
    void numbers_ofThePage_arePrintedSo() {
        List<MatchResult> rows = NUMBER.matcher(page).results().toList();
        assertThat(rows).hasSizeGreaterThan(25);
        for (MatchResult row : rows) {
            Occasion occasion = format(FormatDefinition.of(row.group(1))).at(INSTANT);
            assertThat(occasion.number(Long.parseLong(row.group(2))))
                    .as(row.group(1))
                    .isEqualTo(row.group(3));
        }
    }

    @Test
    void refusals_ofThePage_areMadeSo() {
        List<MatchResult> rows = REFUSAL.matcher(page).results().toList();
        assertThat(rows).hasSizeGreaterThan(4);
        for (MatchResult row : rows) {
            FormatDefinition definition = FormatDefinition.of(row.group(1));
            String value = row.group(2).substring(row.group(2).indexOf('=') + 1);
            if (row.group(2).startsWith("reset=")) {
                definition = definition.reset(value);
            } else if (row.group(2).startsWith("scope=")) {
                definition = definition.scope(Scope.of(value, 8));
            }
            FormatDefinition refused = definition;
            assertThatExceptionOfType(BadFormatException.class)
                    .as(row.group(1))
                    .isThrownBy(() -> format(refused))
                    .satisfies(e -> assertThat(e.code()).hasToString(row.group(3)))
                    .withMessageContaining(row.group(4).strip());
        }
    }

    /** The example in Java, line by line. */
    @Test
    void example_ofThePage_saysWhatTheCommentsSay() {
        assertThat(page).contains("FormatDefinition.of(\"ORDER{date:yyyy-MMdd}-{seq:5}\")");
        NumberFormat orders = NumberFormat.of(
                FormatDefinition.of("ORDER{date:yyyy-MMdd}-{seq:5}")
                        .reset(Reset.DAILY)
                        .zone("Europe/Berlin"),
                ValueRange.ascending(),
                Contract.ORDERED);
        Occasion occasion = orders.at(Instant.parse("2013-05-22T10:11:12Z"));
        assertThat(occasion.period().key()).isEqualTo("2013-05-22");
        assertThat(occasion.number(1)).isEqualTo("ORDER2013-0522-00001");
        assertThat(orders.read("ORDER2013-0522-00001")).contains(new Reading(1, Optional.of("2013-05-22"), Map.of()));
    }

    private static NumberFormat format(FormatDefinition definition) {
        return NumberFormat.of(definition.fiscalStart("10-01"), ValueRange.ascending(), Contract.ORDERED);
    }
}
