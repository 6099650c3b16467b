package io.seriatim.server;

import io.seriatim.SequenceException;
import io.seriatim.numbering.NumberFormat;
import io.seriatim.numbering.Numbering;
import io.seriatim.numbering.PrintedNumber;
import io.seriatim.numbering.Reset;
import io.seriatim.numbering.convert.Conversion;
import io.seriatim.numbering.convert.Conversion.Converted;
import io.seriatim.numbering.convert.Conversion.NotConverted;
import io.seriatim.numbering.convert.Dolibarr;
import io.seriatim.numbering.convert.Frappe;
import io.seriatim.numbering.convert.Obstacle;
import io.seriatim.numbering.convert.Odoo;
import io.seriatim.numbering.convert.Place;
import io.seriatim.numbering.convert.Remark;
import io.seriatim.numbering.convert.Virto;
import io.seriatim.server.Terminal.Form;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import tools.jackson.core.JsonGenerator;

/** Says in our words how another product writes its numbers, or what of it cannot be said; needs no store. */
@Command(
        name = "convert",
        description =
                "Turn another product's number text into a definition, with its next ten numbers. Needs no store.",
        mixinStandardHelpOptions = true)
final class ConvertCommand {

    private static final int NUMBERS = 10;

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
    private Main main;

    @Command(
            name = "virto",
            description = {
                "A template of today, such as CO{0:yyMMdd}-{1:D5}@Weekly:1:10.",
                "With --object-type: the IdTemplate of 2015, such as {0}{1}-{2}, and the constants beside it."
            },
            mixinStandardHelpOptions = true)
    int virto(
            @Parameters(paramLabel = "TEXT") String text,
            @Option(names = "--object-type", description = "Of 2015: whose numbers they are; its last name is {0}.")
                    @Nullable
                    String objectType,
            @Option(names = "--date-format", description = "Of 2015: DateFormat; default yyyy-MMdd.") @Nullable
                    String dateFormat,
            @Option(names = "--counter-length", description = "Of 2015: CounterLength; default 5.") @Nullable
                    Integer counterLength,
            @Option(names = "--reservation-range", description = "Of 2015: SequenceReservationRange; default 100.")
                    @Nullable
                    Integer reservationRange,
            @Mixin ConvertOptions options) {
        if (objectType == null) {
            if (dateFormat != null || counterLength != null || reservationRange != null) {
                throw main.badUsage("--date-format, --counter-length and --reservation-range need --object-type");
            }
            return show(text, options, () -> Virto.today(text, options.given()));
        }
        Virto.Constants usual = Virto.Constants.USUAL;
        Virto.Constants constants = new Virto.Constants(
                text,
                dateFormat == null ? usual.dateFormat() : dateFormat,
                counterLength == null ? usual.counterLength() : counterLength,
                reservationRange == null ? usual.sequenceReservationRange() : reservationRange);
        return show(text, options, () -> Virto.of2015(objectType, constants, options.given()));
    }

    @Command(
            name = "odoo",
            description = {
                "The prefix of a sequence, such as INV/%%(range_year)s/.",
                "Or the last number of a journal, such as INV/2026/07/0001: a text with digits, without a percent sign"
                        + " and without --padding and --suffix."
            },
            mixinStandardHelpOptions = true)
    int odoo(
            @Parameters(paramLabel = "TEXT") String text,
            @Option(names = "--suffix", description = "The suffix.") @Nullable String suffix,
            @Option(names = "--padding", description = "The sequence size; default 0.") @Nullable Integer padding,
            @Option(names = "--start", description = "The next number; default 1.") @Nullable String start,
            @Option(names = "--increment", description = "The step; default 1.") @Nullable String increment,
            @Option(
                            names = "--date-ranges",
                            paramLabel = "RESET",
                            description =
                                    "Its subsequences by date range are yearly, quarterly, monthly, daily or fiscal;"
                                            + " default: none, or yearly where it prints %%(range_…)s.")
                    @Nullable
                    String dateRanges,
            @Mixin ConvertOptions options) {
        if (suffix == null && padding == null && !Odoo.Sequence.isPrefix(text)) {
            return show(text, options, () -> Odoo.journal(text, options.given()));
        }
        Odoo.Sequence sequence = new Odoo.Sequence(
                text,
                suffix == null ? "" : suffix,
                padding == null ? 0 : padding,
                number("--start", start),
                number("--increment", increment),
                Optional.ofNullable(dateRanges).map(this::reset));
        return show(text, options, () -> Odoo.sequence(sequence, options.given()));
    }

    @Command(
            name = "frappe",
            description = "A naming series, such as INV-.YYYY.-.#####, or format:LOG-{MM}-{#####}.",
            mixinStandardHelpOptions = true)
    int frappe(@Parameters(paramLabel = "TEXT") String text, @Mixin ConvertOptions options) {
        return show(text, options, () -> Frappe.series(text, options.given()));
    }

    @Command(name = "dolibarr", description = "A mask, such as FA{yy}{mm}-{0000@1}.", mixinStandardHelpOptions = true)
    int dolibarr(@Parameters(paramLabel = "TEXT") String text, @Mixin ConvertOptions options) {
        return show(text, options, () -> Dolibarr.mask(text, options.given()));
    }

    private long number(String flag, @Nullable String text) {
        if (text == null) {
            return 1;
        }
        try {
            return Integers.parse(flag, text);
        } catch (Refusal e) {
            throw main.badUsage(e.problem().detail());
        }
    }

    private Reset reset(String text) {
        for (Reset reset : Reset.values()) {
            if (reset.text().equals(text.toLowerCase(Locale.ROOT))) {
                return reset;
            }
        }
        throw main.badUsage("--date-ranges must be yearly, quarterly, monthly, weekly, daily or fiscal: " + text);
    }

    // ---- printing

    private int show(String text, ConvertOptions options, Supplier<Conversion> convert) {
        Terminal terminal = main.terminal();
        try {
            Conversion conversion = convert.get();
            return conversion instanceof Converted converted
                    ? showConverted(terminal, text, options, converted)
                    : showObstacles(terminal, text, ((NotConverted) conversion).obstacles());
        } catch (Refusal e) {
            return terminal.show(e.problem().reply(), Form.NOTHING);
        } catch (SequenceException e) { // such as a year that two digits cannot print
            return terminal.show(Problem.of(e).reply(), Form.NOTHING);
        }
    }

    private static int showConverted(Terminal terminal, String text, ConvertOptions options, Converted converted) {
        NumberFormat format = Numbering.formatOf(converted.values(), converted.format());
        List<PrintedNumber> numbers =
                format.preview(TemplateCommand.instant(options.at())).first(NUMBERS);
        DefineLine line = new DefineLine(options.name(), converted.values(), converted.format());
        if (terminal.isJson()) {
            return terminal.show(Reply.json(200, json(line, numbers, converted.remarks())), Form.NOTHING);
        }
        terminal.print(line.text());
        numbers.forEach(number -> terminal.print(number.text()));
        for (Remark remark : converted.remarks()) {
            terminal.say(remark.kind() + ": " + shown(remark.place()) + ": " + remark.what());
            point(terminal, text, remark.place());
        }
        return ExitCode.OK;
    }

    private static int showObstacles(Terminal terminal, String text, List<Obstacle> obstacles) {
        if (terminal.isJson()) {
            terminal.print(json(obstacles));
        }
        for (Obstacle obstacle : obstacles) {
            terminal.say(obstacle.reason() + ": " + shown(obstacle.place()) + ": " + obstacle.why());
            point(terminal, text, obstacle.place());
        }
        return ExitCode.BAD_REQUEST;
    }

    private static String shown(Place place) {
        return place.source().equals("text")
                ? place.part() + " at " + place.position()
                : "--" + place.source() + " " + place.part() + " at " + place.position();
    }

    /** Points at a part of the text; the whole needs no pointing at. */
    private static void point(Terminal terminal, String text, Place place) {
        if (place.source().equals("text") && !place.part().equals(text) && text.contains(place.part())) {
            terminal.pointAt(text, place.position());
        }
    }

    private static String json(DefineLine line, List<PrintedNumber> numbers, List<Remark> remarks) {
        return Json.object(out -> {
            out.writeName("definition");
            line.body().writeObject(out);
            Explanation.numbers(out, "numbers", numbers);
            out.writeArrayPropertyStart("remarks");
            for (Remark remark : remarks) {
                out.writeStartObject();
                out.writeStringProperty("kind", remark.kind().name());
                place(out, remark.place());
                out.writeStringProperty("what", remark.what());
                out.writeEndObject();
            }
            out.writeEndArray();
        });
    }

    private static String json(List<Obstacle> obstacles) {
        return Json.object(out -> {
            out.writeArrayPropertyStart("obstacles");
            for (Obstacle obstacle : obstacles) {
                out.writeStartObject();
                out.writeStringProperty("reason", obstacle.reason().name());
                place(out, obstacle.place());
                out.writeStringProperty("why", obstacle.why());
                out.writeEndObject();
            }
            out.writeEndArray();
        });
    }

    private static void place(JsonGenerator out, Place place) {
        out.writeStringProperty("source", place.source());
        out.writeNumberProperty("position", place.position());
        out.writeStringProperty("part", place.part());
    }
}
