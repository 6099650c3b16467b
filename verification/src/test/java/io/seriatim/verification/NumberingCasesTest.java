package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.Author;
import io.seriatim.BadFormatException;
import io.seriatim.Contract;
import io.seriatim.GapReport;
import io.seriatim.LedgerEntry;
import io.seriatim.RequestKey;
import io.seriatim.Restart;
import io.seriatim.SequenceDefinition;
import io.seriatim.SequenceException;
import io.seriatim.Sequences;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.numbering.Ask;
import io.seriatim.numbering.KnownNumber;
import io.seriatim.numbering.NumberSequence;
import io.seriatim.numbering.Numbering;
import io.seriatim.numbering.PrintedNumber;
import io.seriatim.numbering.ReservedNumber;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The cases of cases/numbering.jsonl come out as written, whatever the store. */
final class NumberingCasesTest {

    private final List<NumberingCase> cases = NumberingCase.all();

    @TempDir
    private Path folder;

    private static boolean hasOneNode(NumberingCase each) {
        return each.ops().stream().noneMatch(op -> op.has("node"));
    }

    @Test
    void cases_areAllRun() {
        assertThat(cases).hasSize(87);
        assertThat(cases.stream().filter(NumberingCasesTest::hasOneNode)).hasSize(83);
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
        /** In the order in which they were made: r1 is the first. */
        private final List<ReservedNumber> reservations = new ArrayList<>();

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
            return each.mode().equals(Optional.of("gapless")) ? definition.contract(Contract.GAPLESS) : definition;
        }

        private String outcome(JsonNode op) {
            NumberSequence sequence = (op.path("node").asString("A").equals("A") ? a : b).get(each.id());
            try {
                return switch (op.get("op").asString()) {
                    case "setnext" -> set(sequence, op);
                    case "retemplate" -> change(sequence, op);
                    case "peek" -> sequence.peek(ask(op)).text();
                    case "next" -> next(sequence, op);
                    case "reserve" -> reserve(sequence, op);
                    case "confirm" -> end(sequence.confirm(handle(op)));
                    case "cancel" -> end(sequence.cancel(handle(op)));
                    case "void" -> voidNumber(sequence, op, NumberingCase.text(op, "reason"));
                    case "rollback" -> voidNumber(sequence, op, Optional.of("not used"));
                    case "state" ->
                        sequence.find(op.get("number").asString()).state().text();
                    case "gaps" -> gaps(sequence, op);
                    case "close" -> close(sequence, op);
                    default -> throw new AssertionError("a case asks for something unknown: " + op);
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

        private String reserve(NumberSequence sequence, JsonNode op) {
            reservations.add(sequence.reserve(ask(op)));
            return NumberingCase.text(op, "expect").isPresent()
                    ? reservations.get(reservations.size() - 1).number().text()
                    : "done";
        }

        private String handle(JsonNode op) {
            return reservations
                    .get(Integer.parseInt(op.get("handle").asString().substring(1)) - 1)
                    .id();
        }

        private static String end(ReservedNumber ended) {
            assertThat(ended.expires()).isEmpty();
            return "done";
        }

        private static String voidNumber(NumberSequence sequence, JsonNode op, Optional<String> reason) {
            Author author = Author.of("case");
            KnownNumber known = sequence.by(reason.map(author::because).orElse(author))
                    .voidNumber(op.get("number").asString());
            assertThat(known.state()).isEqualTo(LedgerEntry.State.VOIDED);
            return "done";
        }

        /** Under gapless those that nothing explains, else the explained ones too: the case says which those are. */
        private String gaps(NumberSequence sequence, JsonNode op) {
            boolean all = !each.mode().equals(Optional.of("gapless"));
            List<String> values = new ArrayList<>();
            for (GapReport.Gap gap : sequence.counter(period(op), NumberingCase.scope(op))
                    .gaps(all)
                    .gaps()) {
                for (long value = gap.first(); value <= gap.last(); value++) {
                    values.add(Long.toString(value));
                }
            }
            return String.join(" ", values);
        }

        private static String period(JsonNode op) {
            return NumberingCase.text(op, "period").orElse("");
        }

        private static String close(NumberSequence sequence, JsonNode op) {
            sequence.by(Author.of("case").because("the case closes it"))
                    .counter(period(op), NumberingCase.scope(op))
                    .closePeriod();
            return "done";
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
