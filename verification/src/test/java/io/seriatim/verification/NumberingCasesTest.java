package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.BadFormatException;
import io.seriatim.Contract;
import io.seriatim.RequestKey;
import io.seriatim.Restart;
import io.seriatim.SequenceDefinition;
import io.seriatim.SequenceException;
import io.seriatim.Sequences;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.numbering.Ask;
import io.seriatim.numbering.NumberSequence;
import io.seriatim.numbering.Numbering;
import io.seriatim.numbering.PrintedNumber;
import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.rocksdb.RocksDbStore;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The cases of cases/numbering.jsonl come out as written, whatever the store. Reservations, voids, closed periods and gap
 * reports are not served yet.
 */
final class NumberingCasesTest {

    private static final Set<String> SERVED = Set.of("next", "peek", "setnext", "retemplate");

    private final List<NumberingCase> cases =
            NumberingCase.all().stream().filter(NumberingCasesTest::isServed).toList();

    @TempDir
    private Path folder;

    private static boolean isServed(NumberingCase each) {
        return !each.mode().equals(Optional.of("gapless"))
                && each.ops().stream()
                        .allMatch(op -> SERVED.contains(op.get("op").asString()));
    }

    private static boolean hasOneNode(NumberingCase each) {
        return each.ops().stream().noneMatch(op -> op.has("node"));
    }

    @Test
    void cases_thatAreServed_areRun() {
        assertThat(cases).hasSize(81);
        assertThat(cases.stream().filter(NumberingCasesTest::hasOneNode)).hasSize(77);
    }

    @TestFactory
    Stream<DynamicTest> memory() {
        MemoryCounterStore store = new MemoryCounterStore();
        return run(cases, Sequences.on(store), Sequences.on(store)); // what is in memory needs no close
    }

    @TestFactory
    Stream<DynamicTest> rocksDb() {
        try (Sequences sequences = Sequences.on(RocksDbStore.open(folder))) {
            List<NumberingCase> ofOneNode =
                    cases.stream().filter(NumberingCasesTest::hasOneNode).toList();
            return run(ofOneNode, sequences, sequences);
        }
    }

    @TestFactory
    Stream<DynamicTest> postgres() {
        PostgresSettings settings = PostgresServer.shared().newSchema();
        try (Sequences a = Sequences.on(PostgresStore.open(settings));
                Sequences b = Sequences.on(PostgresStore.open(settings))) {
            return run(cases, a, b);
        }
    }

    private static Stream<DynamicTest> run(List<NumberingCase> cases, Sequences a, Sequences b) {
        List<DynamicTest> tests = new ArrayList<>();
        for (NumberingCase each : cases) {
            Run run = new Run(each, a, b);
            List<String> outcomes = run.all();
            tests.add(DynamicTest.dynamicTest(
                    each.id() + " " + each.title(), () -> assertThat(outcomes).isEqualTo(run.expected())));
        }
        return tests.stream();
    }

    /** One case on two engines. */
    private static final class Run {

        private final NumberingCase each;
        private final Numbering a;
        private final Numbering b;

        Run(NumberingCase each, Sequences a, Sequences b) {
            this.each = each;
            this.a = Numbering.on(a);
            this.b = Numbering.on(b);
        }

        List<String> expected() {
            List<String> expected = new ArrayList<>();
            expected.add(NumberingCase.text(each.define(), "error")
                    .map(error -> error
                            + NumberingCase.text(each.define(), "pos")
                                    .map(pos -> " at " + pos)
                                    .orElse(""))
                    .orElse("ok"));
            for (JsonNode op : each.ops()) {
                expected.add(NumberingCase.text(op, "error").orElseGet(() -> expectedNumbers(op)));
            }
            return expected;
        }

        private static String expectedNumbers(JsonNode op) {
            JsonNode expect = op.path("expect");
            if (!expect.isArray()) {
                return expect.asString("done");
            }
            List<String> numbers = new ArrayList<>();
            expect.forEach(number -> numbers.add(number.asString()));
            return String.join(" ", numbers);
        }

        List<String> all() {
            List<String> outcomes = new ArrayList<>();
            outcomes.add(define());
            each.ops().forEach(op -> outcomes.add(outcome(op)));
            return outcomes;
        }

        private String define() {
            try {
                a.define(each.id(), definition(), each.format());
                return "ok";
            } catch (BadFormatException e) {
                return e.code()
                        + (e.position().isPresent() ? " at " + e.position().getAsInt() : "");
            } catch (SequenceException e) {
                return e.code().name();
            }
        }

        private SequenceDefinition definition() {
            JsonNode def = each.define().get("def");
            SequenceDefinition definition = SequenceDefinition.ascending();
            definition = def.has("start") ? definition.start(def.get("start").asLong()) : definition;
            definition = def.has("step") ? definition.increment(def.get("step").asLong()) : definition;
            definition = def.has("block")
                    ? definition.contract(Contract.FAST).cache(def.get("block").asLong())
                    : definition;
            return definition;
        }

        private String outcome(JsonNode op) {
            NumberSequence sequence = (op.path("node").asString("A").equals("A") ? a : b).get(each.id());
            try {
                return switch (op.get("op").asString()) {
                    case "setnext" -> set(sequence, op);
                    case "retemplate" -> change(sequence, op);
                    case "peek" -> sequence.peek(ask(op)).text();
                    default -> next(sequence, op);
                };
            } catch (SequenceException e) {
                return e.code().name();
            }
        }

        private static String next(NumberSequence sequence, JsonNode op) {
            int count = op.path("count").asInt(1);
            List<PrintedNumber> numbers = NumberingCase.text(op, "idempotencyKey")
                    .map(key -> sequence.next(ask(op), count, new RequestKey("case", key)))
                    .orElseGet(() -> sequence.next(ask(op), count));
            return String.join(" ", numbers.stream().map(PrintedNumber::text).toList());
        }

        private static Ask ask(JsonNode op) {
            Ask ask = Ask.NOW.in(NumberingCase.scope(op));
            return NumberingCase.text(op, "date")
                    .map(date -> ask.on(LocalDate.parse(date)))
                    .orElseGet(() -> ask.at(Instant.parse(op.get("at").asString())));
        }

        private static String set(NumberSequence sequence, JsonNode op) {
            Restart restart =
                    new Restart(OptionalLong.of(op.get("value").asLong()), true, Optional.of("the case allows it"));
            sequence.restart(NumberingCase.text(op, "period").orElse(""), Map.of(), restart);
            return "done";
        }

        private static String change(NumberSequence sequence, JsonNode op) {
            sequence.alter(
                    SequenceDefinition.changes(),
                    sequence.format().definition().template(op.get("template").asString()));
            return "done";
        }
    }
}
