package io.seriatim.server;

import io.seriatim.numbering.NumberFormat;
import io.seriatim.numbering.Preview;
import io.seriatim.numbering.PrintedNumber;
import io.seriatim.numbering.TemplatePart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/** What a template prints, without a store: its parts, and numbers of this period and the next one. */
record Explanation(NumberFormat format, Preview preview) {

    private static final int PLACE = 999;
    private static final int OF_NEXT_PERIOD = 3;

    private List<PrintedNumber> ofNextPeriod() {
        return preview.next().map(next -> next.first(OF_NEXT_PERIOD)).orElse(List.of());
    }

    // ---- as text

    void show(Terminal terminal) {
        List<List<String>> parts = new ArrayList<>();
        parts.add(List.of("position", "part", "prints", "longest"));
        for (TemplatePart part : format.parts()) {
            parts.add(List.of(
                    Integer.toString(part.position()), part.text(), part.meaning(), Integer.toString(part.longest())));
        }
        terminal.printColumns(parts);
        terminal.print("");
        terminal.printColumns(numbers());
    }

    private List<List<String>> numbers() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("longest", format.longest() + " characters"));
        preview.scope().forEach((name, value) -> lines.add(List.of("scope " + name, value + ", for example")));
        lines.add(List.of("first", preview.first(1).get(0).text()));
        preview.nth(PLACE).ifPresent(number -> lines.add(List.of(PLACE + "th", number.text())));
        lines.add(List.of("last", preview.last().text()));
        for (PrintedNumber number : ofNextPeriod()) {
            lines.add(List.of("in " + number.period().key(), number.text()));
        }
        return lines;
    }

    // ---- as JSON

    String json() {
        return Json.object(out -> {
            out.writeStringProperty("template", format.definition().template());
            parts(out);
            out.writeNumberProperty("longest", format.longest());
            scope(out, preview.scope());
            number(out, "first", Optional.of(preview.first(1).get(0)));
            number(out, "number" + PLACE, preview.nth(PLACE));
            number(out, "last", Optional.of(preview.last()));
            numbers(out, "nextPeriod", ofNextPeriod());
        });
    }

    private void parts(JsonGenerator out) {
        out.writeArrayPropertyStart("parts");
        for (TemplatePart part : format.parts()) {
            out.writeStartObject();
            out.writeNumberProperty("position", part.position());
            out.writeStringProperty("text", part.text());
            out.writeStringProperty("prints", part.meaning());
            out.writeNumberProperty("longest", part.longest());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void scope(JsonGenerator out, Map<String, String> scope) {
        out.writeObjectPropertyStart("scope");
        scope.forEach(out::writeStringProperty);
        out.writeEndObject();
    }

    private static void number(JsonGenerator out, String name, Optional<PrintedNumber> number) {
        if (number.isPresent()) {
            out.writeObjectPropertyStart(name);
            SequenceCalls.item(out, number.get());
            out.writeEndObject();
        } else {
            out.writeNullProperty(name);
        }
    }

    /** Writes numbers as {@code next} answers them. */
    static void numbers(JsonGenerator out, String name, List<PrintedNumber> numbers) {
        out.writeArrayPropertyStart(name);
        for (PrintedNumber number : numbers) {
            out.writeStartObject();
            SequenceCalls.item(out, number);
            out.writeEndObject();
        }
        out.writeEndArray();
    }
}
