package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.BadFormatException;
import io.seriatim.Contract;
import io.seriatim.SequenceException;
import io.seriatim.numbering.NumberFormat;
import io.seriatim.numbering.Occasion;
import io.seriatim.numbering.Reading;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/**
 * The cases of cases/numbering.jsonl as far as they need no store: every definition, and the texts of those whose
 * values can be counted on paper.
 */
final class NumberFormatCasesTest {

    private static final Set<String> COUNTED_ON_PAPER = Set.of("next", "peek", "setnext", "retemplate");

    private final List<NumberingCase> cases = NumberingCase.all();

    @Test
    void cases_whole_areRead() {
        assertThat(cases).hasSize(87);
        assertThat(cases.stream().filter(NumberFormatCasesTest::canBeCounted)).hasSize(49);
    }

    @TestFactory
    Stream<DynamicTest> definitions() {
        return cases.stream()
                .map(each -> DynamicTest.dynamicTest(
                        title(each), () -> assertThat(defined(each)).isEqualTo(expectedOf(each.define()))));
    }

    @TestFactory
    Stream<DynamicTest> numbers() {
        return cases.stream()
                .filter(NumberFormatCasesTest::canBeCounted)
                .map(each -> DynamicTest.dynamicTest(title(each), () -> new Paper(each).run()));
    }

    private static String title(NumberingCase each) {
        return each.id() + " " + each.title();
    }

    private static NumberFormat format(NumberingCase each) {
        return NumberFormat.of(each.format(), each.values(), Contract.ORDERED);
    }

    private static String defined(NumberingCase each) {
        try {
            format(each);
            return "ok";
        } catch (BadFormatException e) {
            return e.code() + (e.position().isPresent() ? " at " + e.position().getAsInt() : "");
        }
    }

    private static String expectedOf(JsonNode define) {
        return NumberingCase.text(define, "error")
                .map(error -> error
                        + NumberingCase.text(define, "pos")
                                .map(pos -> " at " + pos)
                                .orElse(""))
                .orElse("ok");
    }

    /** Nodes, reservations, keys, closed periods and the ledger need an engine. */
    private static boolean canBeCounted(NumberingCase each) {
        return each.mode().isEmpty()
                && !each.ops().isEmpty()
                && each.ops().stream()
                        .allMatch(op -> COUNTED_ON_PAPER.contains(op.get("op").asString())
                                && !op.has("idempotencyKey")
                                && !op.has("node"));
    }

    /** The values of each counter, one after the other. */
    private static final class Paper {

        private final NumberingCase each;
        private NumberFormat format;
        private final Map<String, Long> next = new HashMap<>();

        Paper(NumberingCase each) {
            this.each = each;
            this.format = format(each);
        }

        void run() {
            List<String> outcomes = new ArrayList<>();
            List<String> expected = new ArrayList<>();
            for (JsonNode op : each.ops()) {
                outcomes.add(outcome(op));
                expected.add(NumberingCase.text(op, "error")
                        .or(() -> NumberingCase.text(op, "expect"))
                        .orElse("done"));
            }
            assertThat(outcomes).isEqualTo(expected);
        }

        private String outcome(JsonNode op) {
            try {
                return switch (op.get("op").asString()) {
                    case "setnext" -> set(op);
                    case "retemplate" -> change(op);
                    default -> number(op);
                };
            } catch (SequenceException e) {
                return e.code().name();
            }
        }

        private String set(JsonNode op) {
            String period = NumberingCase.text(op, "period").orElse("");
            assertThat(format.period(period)).isPresent();
            next.put(" " + period, op.get("value").asLong());
            return "done";
        }

        private String change(JsonNode op) {
            NumberFormat changed = NumberFormat.of(
                    format.definition().template(op.get("template").asString()), format.values(), Contract.ORDERED);
            changed.checkFollows(List.of(format));
            format = changed;
            return "done";
        }

        private String number(JsonNode op) {
            Optional<String> date = NumberingCase.text(op, "date");
            Map<String, String> scope = NumberingCase.scope(op);
            Occasion occasion = date.isPresent()
                    ? format.on(LocalDate.parse(date.get()), scope)
                    : format.at(Instant.parse(op.get("at").asString()), scope);
            String counter = occasion.scopeKey() + " " + occasion.period().key();
            long value = next.getOrDefault(counter, format.values().start());
            if (value > format.greatest()) {
                return "EXHAUSTED";
            }
            if (op.get("op").asString().equals("next")) {
                next.put(counter, value + format.values().increment());
            }
            String number = occasion.number(value);
            assertThat(format.read(number))
                    .contains(new Reading(value, Optional.of(occasion.period().key()), occasion.scopes()));
            return number;
        }
    }
}
