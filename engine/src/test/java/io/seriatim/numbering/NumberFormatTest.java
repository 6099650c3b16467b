package io.seriatim.numbering;

import static io.seriatim.numbering.Formats.codeOf;
import static io.seriatim.numbering.Formats.format;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import io.seriatim.BadFormatException;
import io.seriatim.ErrorCode;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Printing, reading back, scope values and changes. */
final class NumberFormatTest {

    private static final LocalDate DAY = LocalDate.of(2026, 7, 9);
    private static final Instant NOON = Instant.parse("2026-07-09T12:00:00Z");

    private static final FormatDefinition STORES = FormatDefinition.of("{scope:store}-{seq:4}")
            .scope(Scope.of("store", 6).letterCase(LetterCase.UPPER));

    @Test
    void at_oneOfTwoDays_printsThatDay() {
        NumberFormat orders =
                format(FormatDefinition.of("ORDER{date:yyyy-MMdd}-{seq:5}").reset(Reset.DAILY));
        assertThat(orders.at(NOON).number(1)).isEqualTo("ORDER2026-0709-00001");
        assertThat(orders.at(NOON)).isSameAs(orders.at(NOON.plusSeconds(43_199)));
        assertThat(orders.at(NOON.plusSeconds(43_200)).number(1)).isEqualTo("ORDER2026-0710-00001");
        assertThat(orders.at(NOON).number(100_000)).isEqualTo("ORDER2026-0709-100000");
    }

    @Test
    void at_timeOfDay_changesWithEachUnitPrinted() {
        NumberFormat seconds = format("{date:HHmmss}-{seq}");
        assertThat(seconds.at(NOON).number(1)).isEqualTo("120000-1");
        assertThat(seconds.at(NOON.plusNanos(999_999_999))).isSameAs(seconds.at(NOON));
        assertThat(seconds.at(NOON.plusSeconds(1)).number(1)).isEqualTo("120001-1");
        NumberFormat hours = format("{hour}-{seq}");
        assertThat(hours.at(NOON.plusSeconds(3_599))).isSameAs(hours.at(NOON));
        assertThat(hours.at(NOON.plusSeconds(3_600)).number(1)).isEqualTo("13-1");
    }

    /** Else a report would print a number that nobody was ever given. */
    @Test
    void throughout_onlyWhereThePeriodDecidesTheText() {
        NumberFormat yearly = format(FormatDefinition.of("INV-{year}-{seq:3}").reset(Reset.YEARLY));
        Period year = yearly.period("2026").orElseThrow();
        assertThat(yearly.throughout(year, Map.of()).orElseThrow().number(7)).isEqualTo("INV-2026-007");

        NumberFormat daysOfMonths =
                format(FormatDefinition.of("{date:yyyyMMdd}-{seq}").reset(Reset.MONTHLY));
        assertThat(daysOfMonths.throughout(daysOfMonths.period("2026-07").orElseThrow(), Map.of()))
                .isEmpty();
        NumberFormat hours =
                format(FormatDefinition.of("{date:yyyyMMddHH}-{seq}").reset(Reset.DAILY));
        assertThat(hours.throughout(hours.period("2026-07-09").orElseThrow(), Map.of()))
                .isEmpty();
        NumberFormat midMonth = format(FormatDefinition.of("{fystart}-{month}-{seq}")
                .reset(Reset.FISCAL)
                .fiscalStart("02-15"));
        assertThat(midMonth.throughout(midMonth.period("FY2026").orElseThrow(), Map.of()))
                .as("its first day and its last are both in February")
                .isEmpty();
        NumberFormat never = format("{seq}");
        assertThat(never.throughout(never.period("").orElseThrow(), Map.of())
                        .orElseThrow()
                        .number(7))
                .isEqualTo("7");
    }

    @Test
    void on_templateWithTime_isRefused() {
        assertThat(codeOf(() -> format("{minute}-{seq}").on(DAY))).isEqualTo(ErrorCode.DATE_NO_TIME);
    }

    @Test
    void on_yearThatTwoDigitsCannotTell_isRefused() {
        for (String template : new String[] {"{year:2}-{seq}", "{isoyear:2}-{seq}", "{date:yy}-{seq}"}) {
            NumberFormat format = format(template);
            assertThat(codeOf(() -> format.on(LocalDate.of(1999, 6, 1)))).isEqualTo(ErrorCode.DATE_OUT_OF_RANGE);
            assertThat(codeOf(() -> format.on(LocalDate.of(2100, 6, 1)))).isEqualTo(ErrorCode.DATE_OUT_OF_RANGE);
            assertThat(format.on(LocalDate.of(2099, 6, 1)).number(1)).isEqualTo("99-1");
        }
        assertThat(codeOf(() -> format("{isoyear:2}-{seq}").on(LocalDate.of(2000, 1, 1)))) // ISO year 1999
                .isEqualTo(ErrorCode.DATE_OUT_OF_RANGE);
        assertThat(codeOf(() -> format("{seq}").on(LocalDate.of(10_000, 1, 1)))).isEqualTo(ErrorCode.DATE_OUT_OF_RANGE);
    }

    @Test
    void scopes_missingUnknownOrBad_areRefused() {
        NumberFormat format = format(STORES);
        assertThat(codeOf(() -> format.on(DAY))).isEqualTo(ErrorCode.SCOPE_MISSING);
        assertThat(codeOf(() -> format.on(DAY, Map.of("shop", "A")))).isEqualTo(ErrorCode.SCOPE_UNKNOWN);
        assertThat(codeOf(() -> format.on(DAY, Map.of("store", "A", "shop", "B"))))
                .isEqualTo(ErrorCode.SCOPE_UNKNOWN);
        for (String bad : new String[] {"", "ABCDEFG", "A B", "A-B", "Ä", "A\n", "{0}", "A\u0301"}) {
            assertThat(codeOf(() -> format.on(DAY, Map.of("store", bad))))
                    .as(bad)
                    .isEqualTo(ErrorCode.SCOPE_VALUE_INVALID);
        }
    }

    @Test
    void scopes_inOtherForms_nameTheSameCounter() {
        NumberFormat format = format(FormatDefinition.of("{scope:s}-{seq}")
                .scope(Scope.of("s", 4).alphabet("[A-ZÄß]").letterCase(LetterCase.UPPER)));
        Occasion precomposed = format.on(DAY, Map.of("s", "Ä"));
        assertThat(format.on(DAY, Map.of("s", "a\u0308")).scopeKey()).isEqualTo(precomposed.scopeKey());
        assertThat(format.on(DAY, Map.of("s", "ß")).number(1)).isEqualTo("SS-1"); // as upper case has it
        assertThat(precomposed.number(1)).isEqualTo("Ä-1");
    }

    @Test
    void scopeKey_ofSeveral_isInTheOrderOfNamesAndUnmistakable() {
        NumberFormat format = format(FormatDefinition.of("{scope:b}/{scope:a}/{seq}")
                .scope(Scope.of("b", 9).alphabet("xyb=,\\"))
                .scope(Scope.of("a", 9).alphabet("xyb=,\\")));
        assertThat(format.on(DAY, Map.of("a", "x", "b", "y")).scopeKey()).isEqualTo("a=x,b=y");
        assertThat(format.on(DAY, Map.of("a", "x,b=y", "b", "\\")).scopeKey()).isEqualTo("a=x\\,b=y,b=\\\\");
        assertThat(format("{seq}").on(DAY).scopeKey()).isEmpty();
    }

    @Test
    void number_valueBeyondTheWidth_isTheCallersMistake() {
        Occasion occasion = format("{seq:2!}").on(DAY);
        assertThat(occasion.number(99)).isEqualTo("99");
        assertThatIllegalArgumentException().isThrownBy(() -> occasion.number(100));
        assertThatIllegalArgumentException().isThrownBy(() -> occasion.number(-1));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> occasion.print(1, new byte[2], 1));
    }

    @Test
    void print_manyNumbers_allocatesNothing() {
        Occasion occasion = format(FormatDefinition.of("ORDER{date:yyyy-MMdd}-{seq:5}/{check:mod97/digits}")
                        .reset(Reset.DAILY))
                .on(DAY);
        byte[] target = new byte[64];
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = 0;
        occasion.print(1, target, 0);
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int value = 0; value < 100_000; value++) {
            bytes += occasion.print(value, target, 3);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
        assertThat(bytes).isEqualTo(100_000L * 23);
        assertThat(new String(target, 3, 23, UTF_8)).isEqualTo(occasion.number(99_999));
    }

    @Test
    void check_anywhere_isOverTheRest() {
        assertThat(format("RF{check:iso11649}{seq:12!}").on(DAY).number(539_007_547_034L))
                .isEqualTo("RF18539007547034");
        assertThat(format("{check:luhn}-{seq:5!}/99").on(DAY).number(79_927)).isEqualTo("2-79927/99");
        assertThat(format("{seq:5!}{check:luhn}/99").on(DAY).number(79_927)).isEqualTo("799272/99");
        assertThat(format("7992{check:luhn}-{seq:5!}").on(DAY).number(799)).isEqualTo("79922-00799");
        assertThat(format("A7{seq:5!/hex}B9{check:damm/digits}").on(DAY).number(0x5C_2D))
                .isEqualTo("A705C2DB93");
        assertThat(format("{year}-{seq:3!}{check:damm/seq}").on(DAY).number(572))
                .isEqualTo("2026-5724");
    }

    @Test
    void number_longerThanAnyBuffer_isWhole() {
        String long200 = "Ä".repeat(200);
        assertThat(format(long200 + "{seq}").on(DAY).number(12)).isEqualTo(long200 + "12");
    }

    @Test
    void read_number_saysWhatItIs() {
        NumberFormat format = format(FormatDefinition.of("{scope:org}/{scope:type}{year:2}-{seq:3}")
                .reset(Reset.YEARLY)
                .scope(Scope.of("org", 4))
                .scope(Scope.of("type", 2).ofFixedLength()));
        assertThat(format.read("DE01/RE26-001"))
                .contains(new Reading(1, Optional.of("2026"), Map.of("org", "DE01", "type", "RE")));
        assertThat(format.read("DE01/RE26-12345").orElseThrow().value()).isEqualTo(12_345);
    }

    @Test
    void read_whatIsNotPrinted_isNothing() {
        NumberFormat format = format(
                FormatDefinition.of("{date:yyyyMMdd}-{seq:3}{check:luhn}").reset(Reset.DAILY));
        String number = format.on(DAY).number(1);
        assertThat(format.read(number)).isPresent();
        char wrongCheck = number.endsWith("0") ? '1' : '0';
        for (String other : new String[] {
            "",
            "x",
            number + "0",
            number.substring(0, number.length() - 1) + wrongCheck,
            number.replace("20260709", "20260230"),
            number.replace("-001", "-0001"),
            number.replace("-001", "-01"),
            " " + number,
            number.replace('2', '٢'),
            "9".repeat(10_000)
        }) {
            assertThat(format.read(other)).as(other).isEmpty();
        }
        assertThat(format("{isoyear}{isoweek}{date:yyyyMMdd}-{seq}").read("20260120260709-1"))
                .isEmpty();
    }

    @Test
    void read_formatThatAllowsRepeats_leavesOutWhatIsNotShown() {
        NumberFormat tickets = format(FormatDefinition.of("A{seq:3}")
                .reset(Reset.DAILY)
                .scope(Scope.of("desk", 2))
                .allowRepeats(true));
        assertThat(tickets.read("A017")).contains(new Reading(17, Optional.empty(), Map.of()));
    }

    @Test
    void refusal_thatIsAboutRepeats_showsTheNumber() {
        assertThatExceptionOfType(BadFormatException.class)
                .isThrownBy(() -> format(FormatDefinition.of("PO{seq:5}").reset(Reset.DAILY)))
                .satisfies(e -> assertThat(e.number()).contains("PO00001"))
                .withMessageContaining("PO00001 is the number of value 1 in 2026-01-01 and of value 1 in 2026-01-02");
    }

    // Changes.

    private static Optional<String> repeatAfter(FormatDefinition change, FormatDefinition... earlier) {
        try {
            format(change)
                    .checkFollows(List.of(earlier).stream().map(Formats::format).toList());
            return Optional.empty();
        } catch (BadFormatException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.WOULD_REPEAT);
            return Optional.of(e.number().orElseThrow());
        }
    }

    private static final FormatDefinition YEARLY =
            FormatDefinition.of("INV-{year}-{seq:5}").reset(Reset.YEARLY);

    @Test
    void change_thatKeepsEachNumbersMeaning_isAllowed() {
        assertThat(repeatAfter(YEARLY, YEARLY)).isEmpty();
        assertThat(repeatAfter(YEARLY.template("INV-{year}-{seq:7}"), YEARLY)).isEmpty();
        assertThat(repeatAfter(YEARLY.template("INV-{date:yyyy}-{seq:5!}"), YEARLY))
                .isEmpty();
        assertThat(repeatAfter(YEARLY.template("RE-{year}-{seq:5}"), YEARLY)).isEmpty();
        assertThat(repeatAfter(YEARLY.zone("Asia/Tokyo"), YEARLY)).isEmpty();
        FormatDefinition never = FormatDefinition.of("{fystart}-{seq}").fiscalStart("04-01");
        assertThat(repeatAfter(never.fiscalStart("07-01"), never)).isEmpty();
        assertThat(repeatAfter(STORES.template("S{scope:store}/{seq}"), STORES)).isEmpty();
        // Values of five digits begin with no zero, so the old text never had one there.
        assertThat(repeatAfter(STORES.template("{scope:store}-0{seq:4}"), STORES))
                .isEmpty();
    }

    @Test
    void change_afterWhichATextComesAgain_isRefusedWithIt() {
        assertThat(repeatAfter(YEARLY.reset(Reset.NEVER), YEARLY)).isPresent();
        assertThat(repeatAfter(YEARLY.template("INV-{year}-{seq:5/hex}"), YEARLY))
                .isPresent();
        assertThat(repeatAfter(YEARLY.template("INV-{year}-{month}{seq:5}"), YEARLY))
                .isPresent();
        assertThat(repeatAfter(STORES.template("{scope:store}-1{seq:4}"), STORES))
                .isPresent();
        FormatDefinition fiscal =
                FormatDefinition.of("{fystart}-{seq}").reset(Reset.FISCAL).fiscalStart("04-01");
        assertThat(repeatAfter(fiscal.fiscalStart("07-01"), fiscal)).isPresent();
        assertThat(repeatAfter(fiscal.template("{fyend}-{seq}"), fiscal)).isPresent();
    }

    /** Going back to an old text is no way round: the versions between had it for other counters. */
    @Test
    void change_backToAnOldVersion_isCheckedAgainstAllOfThem() {
        FormatDefinition never = YEARLY.reset(Reset.NEVER);
        FormatDefinition other = never.template("X{seq}");
        assertThat(repeatAfter(never, other, never)).isEmpty();
        assertThat(repeatAfter(never, YEARLY, other)).isPresent();
        assertThat(repeatAfter(YEARLY.template("A{seq}").allowRepeats(true), YEARLY, YEARLY))
                .isEmpty();
    }

    @Test
    void sharedNumber_ofTwoSequences_isFound() {
        NumberFormat yearly = format(YEARLY);
        assertThat(yearly.sharedNumber(format("INV-2{seq:3!}-{scope}".replace("{scope}", "00001"))))
                .isPresent();
        assertThat(yearly.sharedNumber(format("INV{seq}"))).isEmpty();
        assertThat(yearly.sharedNumber(yearly)).isPresent();
    }
}
