package io.seriatim.numbering.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.numbering.FormatDefinition;
import io.seriatim.numbering.NumberFormat;
import io.seriatim.numbering.Numbering;
import io.seriatim.numbering.PrintedNumber;
import io.seriatim.numbering.Reset;
import io.seriatim.numbering.Scope;
import io.seriatim.numbering.convert.Conversion.Converted;
import io.seriatim.numbering.convert.Conversion.NotConverted;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What other products print, and what is told where we cannot print it. */
final class ConversionTest {

    private static final Instant JULY = Instant.parse("2026-07-09T10:11:12Z");

    /** Template, options and the first two numbers; or the obstacles. */
    private static String shown(Conversion conversion) {
        if (conversion instanceof NotConverted not) {
            return not.obstacles().stream()
                    .map(each -> each.reason() + " " + each.place().source() + "@"
                            + each.place().position() + " " + each.place().part())
                    .collect(Collectors.joining("; "));
        }
        Converted done = (Converted) conversion;
        FormatDefinition format = done.format();
        NumberFormat checked = Numbering.formatOf(done.values(), format);
        return format.template() + " " + format.reset()
                + format.fiscalStart().map(day -> "@" + day).orElse("") + " "
                + done.values().options().entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue() + " ")
                        .collect(Collectors.joining())
                + checked.preview(JULY).first(2).stream()
                        .map(PrintedNumber::text)
                        .toList();
    }

    private static List<String> remarks(Conversion conversion) {
        return ((Converted) conversion)
                .remarks().stream()
                        .map(each -> each.kind() + " " + each.place().position() + " "
                                + each.place().part())
                        .toList();
    }

    // ---- Virto

    @Test
    void virto2015_itsConstants_areTheOrderNumbersOfItsDesign() {
        Conversion orders = Virto.of2015("VirtoCommerce.Order", Virto.Constants.USUAL, Given.NOTHING);
        assertThat(shown(orders))
                .isEqualTo("ORDER{date:yyyy-MMdd}-{seq:5} daily cache=100 contract=fast start=0 "
                        + "[ORDER2026-0709-00000, ORDER2026-0709-00001]");
        Converted done = (Converted) orders;
        assertThat(Numbering.formatOf(done.values(), done.format())
                        .preview(Instant.parse("2013-05-22T08:00:00Z"))
                        .first(2))
                .extracting(PrintedNumber::text)
                .containsExactly("ORDER2013-0522-00000", "ORDER2013-0522-00001");
    }

    @Test
    void virto2015_otherConstants() {
        Virto.Constants constants = new Virto.Constants("{0}/{1}{{x}}{2}", "yyMMdd'T'", 3, 20);
        assertThat(shown(Virto.of2015("invoice", constants, Given.NOTHING.zone("Europe/Vilnius"))))
                .isEqualTo("INVOICE/{year:2}{month}{day}T{{x}}{seq:3} daily cache=20 contract=fast start=0 "
                        + "[INVOICE/260709T{x}000, INVOICE/260709T{x}001]");
        assertThat(shown(Virto.of2015("", Virto.Constants.USUAL, Given.NOTHING)))
                .startsWith("U{date:");
        // A month alone repeats its numbers on the second day: the flaw of the constants, told before it happens.
        assertThat(shown(Virto.of2015("Order", Virto.Constants.USUAL.dateFormat("yyyy-MM"), Given.NOTHING)))
                .isEqualTo("REFUSED text@0 {0}{1}-{2}");
        assertThat(shown(Virto.of2015("Order", Virto.Constants.USUAL.idTemplate("{0}{1}{2}{3}"), Given.NOTHING)))
                .isEqualTo("NOT_READ text@9 {3}");
        assertThat(shown(Virto.of2015("Order", Virto.Constants.USUAL.sequenceReservationRange(0), Given.NOTHING)))
                .isEqualTo("REFUSED reservation-range@0 0");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            CO{0:yyMMdd}-{1:D5}@Weekly:1:10 | CO{date:yyMMdd}-{seq:5} weekly increment=10 [CO260709-00001, CO260709-00011]
            CO{0:yyMMdd}-{1:D5}             | CO{date:yyMMdd}-{seq:5} daily [CO260709-00001, CO260709-00002]
            PO{1:D5}@None:1:1               | PO{seq:5} never [PO00001, PO00002]
            {0:yyyy}/{1}@Yearly:7           | {date:yyyy}/{seq} yearly start=7 [2026/7, 2026/8]
            №{0:yyyy MM}{1:0000}@Monthly    | №{year} {month}{seq:4} monthly [№2026 070001, №2026 070002]
            {0:yy\\y}{1:X4}@Yearly          | {year:2}y{seq:4/hex} yearly [26y0001, 26y0002]
            {2}_{0:yyyyMMdd}-{1:d3}         | {scope:tenant}_{date:yyyyMMdd}-{seq:3} daily [A_20260709-001, A_20260709-002]
            a@b{1}{0:yyyyMMdd}              | a@b{seq}{date:yyyyMMdd} daily [a@b120260709, a@b220260709]
            PO{1:D5}                        | REFUSED text@0 PO{1:D5}
            №{0:yyMM}-{1:D5}@Weekly         | REFUSED text@0 №{0:yyMM}-{1:D5}@Weekly
            CO{0:yyMMdd}                    | REFUSED text@0 CO{0:yyMMdd}
            №{0:yyMMdd}-{1:D5}@daily        | NOT_READ text@19 daily
            a@b{1}@None                     | NOT_READ text@0 a@
            {1}@None:x                      | NOT_READ text@8 :x
            {1}@None:1:99999999999          | OUT_OF_RANGE text@11 99999999999
            {1}@None:1:0                    | REFUSED text@11 0
            {1:D19}@None                    | OUT_OF_RANGE text@0 {1:D19}
            {0:yyyyMMdd}{1,5}               | NOT_PRINTED text@12 {1,5}
            {0}{1}                          | NOT_PRINTED text@0 {0}
            {0:yyyy-MMM-dd}{1}              | NOT_PRINTED text@0 {0:yyyy-MMM-dd}
            {0:yyyyMMdd}{1:N2}              | NOT_PRINTED text@12 {1:N2}
            {0:yyyyMMdd}{1}}                | NOT_READ text@15 }
            {0:yyyyMMdd{1}                  | NOT_READ text@0 {
            {0:yyyyMMdd}{1}{1}              | REFUSED text@15 {1}
            {0:yyyyMMdd}{1}{3}              | NOT_READ text@15 {3}
            {2}{0:yyMMdd}{1}                | REFUSED text@13 {1}
            """)
    void virtoToday(String text, String expected) {
        assertThat(shown(Virto.today(text, Given.NOTHING))).as(text).isEqualTo(expected);
    }

    @Test
    void virtoToday_tenant_isAssumedUnlessDeclared() {
        String text = "{2}-{0:yyMMdd}-{1:D5}";
        assertThat(remarks(Virto.today(text, Given.NOTHING))).containsExactly("ASSUMED 0 {2}");
        Given declared = Given.NOTHING.scopes(List.of(Scope.of("tenant", 3).ofFixedLength()));
        assertThat(remarks(Virto.today(text, declared))).isEmpty();
        assertThat(shown(Virto.today(text, declared))).contains("[AAA-260709-00001");
    }

    // ---- Odoo

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            INV/%(year)s/%(month)s/       | INV/{year}/{month}/{seq:5} never [INV/2026/07/00001, INV/2026/07/00002]
            INV/%(range_year)s/           | INV/{year}/{seq:5} yearly [INV/2026/00001, INV/2026/00002]
            %(y)s%(doy)s-100%%-           | {year:2}{doy}-100%-{seq:5} never [26190-100%-00001, 26190-100%-00002]
            R%(range_year)s%(range_month)s%(range_day)s. | R{year}0101.{seq:5} yearly [R20260101.00001, R20260101.00002]
            {x}                           | {{x}}{seq:5} never [{x}00001, {x}00002]
            SO                            | SO{seq:5} never [SO00001, SO00002]
            %(current_year)s-             | {year}-{seq:5} never [2026-00001, 2026-00002]
            INV/%(woy)s/                  | NOT_PRINTED text@4 %(woy)s
            INV/%(h12)s%(weekday)s/       | NOT_PRINTED text@4 %(h12)s; NOT_PRINTED text@11 %(weekday)s
            №%(yaer)s/                    | NOT_READ text@1 %(yaer)s
            50% off                       | NOT_READ text@2 % off
            %(range_doy)s                 | NOT_PRINTED text@0 %(range_doy)s
            """)
    void odooSequence(String prefix, String expected) {
        assertThat(shown(Odoo.sequence(Odoo.Sequence.of(prefix).padding(5), Given.NOTHING)))
                .as(prefix)
                .isEqualTo(expected);
    }

    @Test
    void odooSequence_options_areCarriedOver() {
        Odoo.Sequence sequence = Odoo.Sequence.of("B%(range_y)s-")
                .suffix("/%(range_month)s")
                .padding(0)
                .start(100)
                .increment(5);
        assertThat(shown(Odoo.sequence(sequence, Given.NOTHING.fiscalStart("04-01"))))
                .isEqualTo("B{fystart:2}-{seq}/04 fiscal@04-01 increment=5 start=100 [B26-100/04, B26-105/04]");
        assertThat(shown(Odoo.sequence(
                        Odoo.Sequence.of("%(range_year)s%(range_month)s%(range_day)s-")
                                .dateRanges(Reset.MONTHLY),
                        Given.NOTHING)))
                .isEqualTo("{year}{month}01-{seq} monthly [20260701-1, 20260701-2]");
        assertThat(shown(Odoo.sequence(Odoo.Sequence.of("%(range_year)s").dateRanges(Reset.FISCAL), Given.NOTHING)))
                .isEqualTo("NOT_SAID text@0 %(range_year)s");
        // A text that does not say its date range repeats in the next one, and Odoo accepts it.
        assertThat(shown(Odoo.sequence(Odoo.Sequence.of("INV").dateRanges(Reset.YEARLY), Given.NOTHING)))
                .isEqualTo("REFUSED text@0 INV");
        assertThat(remarks(Odoo.sequence(Odoo.Sequence.of("%(current_year)s-"), Given.NOTHING)))
                .containsExactly("DIFFERS 0 %(current_year)s");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            INV/2026/07/0001     | INV/{year}/{month}/{seq:4} monthly [INV/2026/07/0001, INV/2026/07/0002]
            INV/2026/00017       | INV/{year}/{seq:5} yearly [INV/2026/00001, INV/2026/00002]
            BNK1/26/00017        | BNK1/{year:2}/{seq:5} yearly [BNK1/26/00001, BNK1/26/00002]
            BNK-202607-7a        | BNK-{year}{month}-{seq}a monthly [BNK-202607-1a, BNK-202607-2a]
            FAC/2025-26/0001     | FAC/{fystart}-{fyend:2}/{seq:4} fiscal@04-01 [FAC/2026-27/0001, FAC/2026-27/0002]
            FAC/2025-26/07/01    | FAC/{fystart}-{fyend:2}/{month}/{seq:2} monthly@04-01 [FAC/2026-27/07/01, FAC/2026-27/07/02]
            FAC/2025-28/0001     | FAC/2025-{year:2}/{seq:4} yearly [FAC/2025-26/0001, FAC/2025-26/0002]
            00000042             | {seq:8} never [00000001, 00000002]
            S1                   | S{seq} never [S1, S2]
            """)
    void odooJournal(String number, String expected) {
        assertThat(shown(Odoo.journal(number, Given.NOTHING.fiscalStart("04-01"))))
                .as(number)
                .isEqualTo(expected);
    }

    @Test
    void odooJournal_withoutDigitsOrFiscalYear_saysSo() {
        assertThat(shown(Odoo.journal("INV/2026/", Given.NOTHING))).isEqualTo("NOT_READ text@0 INV/2026/");
        assertThat(shown(Odoo.journal("№/25-26/01", Given.NOTHING))).isEqualTo("NOT_SAID text@2 25");
        assertThat(remarks(Odoo.journal("INV/2026/0017", Given.NOTHING))).containsExactly("ASSUMED 9 0017");
        Converted monthly = (Converted) Odoo.journal("INV/26/07/0017", Given.NOTHING);
        assertThat(monthly.remarks().get(0).what()).endsWith("restart NAME 17 --period 2026-07");
    }

    // ---- Frappe

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            INV-.YYYY.-.#####           | INV-{year}-{seq:5} yearly [INV-2026-00001, INV-2026-00002]
            SINV-.YY.-.MM.-.####        | SINV-{year:2}-{month}-{seq:4} monthly [SINV-26-07-0001, SINV-26-07-0002]
            DE/./.YY./.MM./.DD./.#####  | DE//{year:2}/{month}/{day}/{seq:5} daily [DE//26/07/09/00001, DE//26/07/09/00002]
            A.YYYY.JJJ.-.###            | A{year}{doy}-{seq:3} daily [A2026190-001, A2026190-002]
            ACC-.YYYY.-                 | ACC-{year}-{seq:5} yearly [ACC-2026-00001, ACC-2026-00002]
            TASK-                       | TASK-{seq:5} never [TASK-00001, TASK-00002]
            ##.-.YYYY                   | {seq:2}-{year} never [01-2026, 02-2026]
            YYYY.W.WW.-.###             | {isoyear}W{isoweek}-{seq:3} weekly [2026W28-001, 2026W28-002]
            .{customer}.-.YYYY.-.####   | {scope:customer}-{year}-{seq:4} yearly [A-2026-0001, A-2026-0002]
            INV-.MM.-.####              | NOT_COUNTED text@0 INV-.MM.-.####
            INV-.WW.-.####              | NOT_COUNTED text@5 WW
            INV-.YYYY.-.DD.-.####       | NOT_COUNTED text@0 INV-.YYYY.-.DD.-.####
            INV-.FY.-.####              | NOT_SAID text@5 FY
            №-.timestamp.#              | NOT_PRINTED text@3 timestamp
            INV-####                    | NOT_READ text@0 INV-####
            INV-.####-A                 | NOT_READ text@5 ####-A
            INV-.####.-.##              | NOT_READ text@12 ##
            INV-{customer}.-.####       | NOT_READ text@0 INV-{customer}
            .####.-.{customer}          | NOT_COUNTED text@8 {customer}
            INV.{customer}.####         | REFUSED text@15 ####
            format:LOG-{MM}-{#####}     | LOG-{month}-{seq:5} never [LOG-07-00001, LOG-07-00002]
            format:LOG-{item}-{###}     | NOT_COUNTED text@11 {item}
            """)
    void frappe(String series, String expected) {
        assertThat(shown(Frappe.series(series, Given.NOTHING))).as(series).isEqualTo(expected);
    }

    @Test
    void frappe_fiscalYear_isNamedAsErpNextNamesIt() {
        assertThat(shown(Frappe.series("INV-.FY.-.####", Given.NOTHING.fiscalStart("04-01"))))
                .isEqualTo("INV-{fystart}-{fyend}-{seq:4} fiscal@04-01 [INV-2026-2027-0001, INV-2026-2027-0002]");
        assertThat(shown(Frappe.series("INV-.FY.-.MM.-.####", Given.NOTHING.fiscalStart("01-01"))))
                .isEqualTo("INV-{fystart}-{month}-{seq:4} monthly@01-01 [INV-2026-07-0001, INV-2026-07-0002]");
        assertThat(remarks(Frappe.series("INV-.customer.-.##", Given.NOTHING))).containsExactly("ASSUMED 5 customer");
    }

    // ---- Dolibarr

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {yy}{mm}-{0000}        | {year:2}{month}-{seq:4!} never [2607-0001, 2607-0002]
            FA{yyyy}-{0000+100}    | FA{year}-{seq:4!} never start=101 [FA2026-0101, FA2026-0102]
            FA{YY}{MM}-{0000@1}    | FA{year:2}{month}-{seq:4!} yearly [FA2607-0001, FA2607-0002]
            FA{yy}{mm}-{0000@99}   | FA{year:2}{month}-{seq:4!} monthly [FA2607-0001, FA2607-0002]
            FA{yy}{mm}-{000+3@9}   | FA{year:2}{month}-{seq:3!} fiscal@09-01 start=4 [FA2607-004, FA2607-005]
            FA{yy}{mm}-{000@9+3}   | NOT_READ text@11 {000@9+3}
            FA{yy}{mm}{dd}{000@99} | FA{year:2}{month}{day}{seq:3!} monthly [FA260709001, FA260709002]
            C{cccc000}             | C{scope:customer}{seq:3!} never [CAAAA001, CAAAA002]
            {tt}-{0000}            | {scope:type}-{seq:4!} never [AA-0001, AA-0002]
            {uu}{0000}             | {scope:user}{seq:4!} never [AA0001, AA0002]
            FA-{0000@0}            | NOT_SAID text@3 {0000@0}
            FA-{0000@1}            | REFUSED text@0 FA-{0000@1}
            {mm}-{0000@99}         | REFUSED text@0 {mm}-{0000@99}
            №{ccc}-{0000}          | NOT_COUNTED text@1 {ccc}
            №{ccc000}-{0000}       | NOT_COUNTED text@10 {0000}
            FA{00}                 | NOT_READ text@2 {00}
            FA{y}{000}             | NOT_PRINTED text@2 {y}
            FA{0000@13}            | NOT_READ text@2 {0000@13}
            FA{0000@x}             | NOT_READ text@2 {0000@x}
            FA{XX-1}{000}          | NOT_READ text@2 {XX-1}
            FA{yy}                 | REFUSED text@0 FA{yy}
            FA{000                 | REFUSED text@0 FA{000
            """)
    void dolibarr(String mask, String expected) {
        assertThat(shown(Dolibarr.mask(mask, Given.NOTHING))).as(mask).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            04-01 | FA{yyyy}{mm}-{000@0} | FA{year}{month}-{seq:3!} fiscal@04-01 [FA202607-001, FA202607-002]
            04-01 | FA{yyyy}{mm}-{000@=} | FA{year}{month}-{seq:3!} fiscal@04-01 [FA202607-001, FA202607-002]
            04-01 | FA{yyyy}-{000@+}     | FA{fyend}-{seq:3!} fiscal@04-01 [FA2027-001, FA2027-002]
            09-01 | FA{yy}-{000@-}       | FA{fystart:2}-{seq:3!} fiscal@09-01 [FA25-001, FA25-002]
            01-01 | FA{yy}-{000@-}       | FA{year:2}-{seq:3!} never [FA26-001, FA26-002]
            01-01 | FA{yy}-{000@0}       | FA{year:2}-{seq:3!} yearly [FA26-001, FA26-002]
            01-01 | FA{yy}{mm}-{000@9}   | FA{year:2}{month}-{seq:3!} fiscal@09-01 [FA2607-001, FA2607-002]
            """)
    void dolibarr_fiscalYears(String fiscalStart, String mask, String expected) {
        assertThat(shown(Dolibarr.mask(mask, Given.NOTHING.fiscalStart(fiscalStart))))
                .as(mask)
                .isEqualTo(expected);
    }
}
