package io.seriatim.numbering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.seriatim.AuditEntry;
import io.seriatim.Author;
import io.seriatim.BadDefinitionException;
import io.seriatim.BadFormatException;
import io.seriatim.Contract;
import io.seriatim.LedgerEntry;
import io.seriatim.LedgerEntry.State;
import io.seriatim.Sequence;
import io.seriatim.SequenceDefinition;
import io.seriatim.SequenceExhaustedException;
import io.seriatim.Sequences;
import io.seriatim.UsedSince;
import io.seriatim.memory.MemoryCounterStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of the counters of a store that was restored from a copy. */
final class RestorationTest {

    private final Sequences sequences = Sequences.on(new MemoryCounterStore());
    private final Numbering numbering = Numbering.on(sequences);
    private final UsedNumbers used = new UsedNumbers(sequences);

    @AfterEach
    void close() {
        sequences.close();
    }

    private static Restoration.Rule margin(long margin) {
        return new Restoration.Rule(OptionalLong.of(margin), OptionalLong.empty(), false, Optional.of(Instant.now()));
    }

    private static Restoration.Rule usedOnly(OptionalLong block) {
        return new Restoration.Rule(OptionalLong.empty(), block, false, Optional.empty());
    }

    private List<Restoration.Step> run(Restoration.Rule rule) {
        Restoration restoration =
                new Restoration(sequences, rule, used, Author.of("ann").because("the disk was lost"));
        List<Restoration.Step> planned = new ArrayList<>();
        restoration.plan(planned::add);
        List<Restoration.Step> steps = new ArrayList<>();
        restoration.run(steps::add);
        assertThat(steps).as("what was planned").isEqualTo(planned);
        return steps;
    }

    private void used(String... lines) {
        for (int i = 0; i < lines.length; i++) {
            used.add(lines[i], i + 1);
        }
    }

    // ---- by a margin

    @Test
    void run_margin_everyCounterGoesOnBehindIt() {
        Sequence up = sequences.define("up", SequenceDefinition.ascending().contract(Contract.ORDERED));
        up.next(10);
        sequences.define("fresh", SequenceDefinition.ascending().start(5).contract(Contract.ORDERED));
        sequences
                .define("by3", SequenceDefinition.descending().increment(-3).contract(Contract.ORDERED))
                .next();

        List<Restoration.Step> steps = run(margin(100));

        assertThat(steps)
                .extracting(Restoration.Step::sequence, Restoration.Step::before, Restoration.Step::after)
                .containsExactly(
                        tuple("by3", OptionalLong.of(-1), OptionalLong.of(-301)),
                        tuple("fresh", OptionalLong.empty(), OptionalLong.of(104)),
                        tuple("up", OptionalLong.of(10), OptionalLong.of(110)));
        assertThat(sequences.get("up").next()).isEqualTo(111);
        assertThat(sequences.get("fresh").next()).isEqualTo(105);
        assertThat(sequences.get("by3").next()).isEqualTo(-304);
        assertThat(sequences.get("up").generation()).isEqualTo(2);
        AuditEntry last = sequences.audit("up", 1, 9).get(0);
        assertThat(last.action()).isEqualTo(AuditEntry.Action.RESTORE);
        assertThat(last.who()).isEqualTo("ann");
        assertThat(last.why()).contains("the disk was lost");
        assertThat(last.was()).containsEntry("lastValue", "10");
        assertThat(last.now()).containsEntry("lastValue", "110");
    }

    @Test
    void run_marginBeyondTheEnd_exhausts() {
        Sequence few =
                sequences.define("few", SequenceDefinition.ascending().max(20).contract(Contract.ORDERED));
        few.next();
        run(margin(1_000));
        assertThatThrownBy(() -> sequences.get("few").next()).isInstanceOf(SequenceExhaustedException.class);
    }

    @Test
    void run_marginOverAWrap_goesOnInALaterRound() {
        Sequence round = sequences.define(
                "round", SequenceDefinition.ascending().max(10).cycle(true).contract(Contract.ORDERED));
        round.next(8);
        run(margin(5));
        assertThat(sequences.get("round").next()).isEqualTo(4);
    }

    @Test
    void run_noMargin_movesNothingAndRaisesTheGeneration() {
        Sequence up = sequences.define("up", SequenceDefinition.ascending().contract(Contract.ORDERED));
        up.next(10);
        run(margin(0));
        assertThat(sequences.get("up").next()).isEqualTo(11);
        assertThat(sequences.get("up").generation()).isEqualTo(2);
    }

    // ---- by the numbers used

    @Test
    void run_usedNumbers_goesOnBehindTheLastAndTheLargestBlock() {
        sequences.define("blocks", SequenceDefinition.ascending().cache(50)).next();
        sequences.define("auto", SequenceDefinition.ascending());
        sequences
                .define("one", SequenceDefinition.ascending().contract(Contract.ORDERED))
                .next(3);
        sequences
                .define("none", SequenceDefinition.ascending().contract(Contract.ORDERED))
                .next(3);
        used("# since the copy", "", "blocks 1200", "blocks 1100", "auto 7", "one 9", "none -");

        assertThat(run(usedOnly(OptionalLong.empty())))
                .extracting(Restoration.Step::sequence, Restoration.Step::after)
                .containsExactly(
                        tuple("auto", OptionalLong.of(7 + (8L << 20))),
                        tuple("blocks", OptionalLong.of(1250)),
                        tuple("none", OptionalLong.of(3)),
                        tuple("one", OptionalLong.of(9)));
    }

    @Test
    void run_marginAndUsedNumbers_theFartherOneCounts() {
        sequences
                .define("a", SequenceDefinition.ascending().contract(Contract.ORDERED))
                .next(3);
        sequences
                .define("b", SequenceDefinition.ascending().contract(Contract.ORDERED))
                .next(3);
        used("a 50", "b 500");
        assertThat(run(margin(100)))
                .extracting(Restoration.Step::after)
                .containsExactly(OptionalLong.of(103), OptionalLong.of(500));
    }

    @Test
    void plan_sequenceOfWhichNobodySaysAnything_isRefusedAndNothingMoves() {
        sequences
                .define("a", SequenceDefinition.ascending().contract(Contract.ORDERED))
                .next(3);
        sequences
                .define("b", SequenceDefinition.ascending().contract(Contract.ORDERED))
                .next(3);
        used("a 50");
        Restoration restoration = new Restoration(sequences, usedOnly(OptionalLong.empty()), used, Author.of("ann"));
        assertThatThrownBy(() -> restoration.run(step -> {}))
                .isInstanceOf(BadFormatException.class)
                .hasMessageContaining("sequence b");
        assertThat(sequences.get("a").next()).isEqualTo(4);
    }

    @Test
    void plan_usedNumberOutOfRangeOrOfACycle_isRefused() {
        sequences.define("few", SequenceDefinition.ascending().max(20).contract(Contract.ORDERED));
        Sequence round = sequences.define(
                "round", SequenceDefinition.ascending().max(10).cycle(true).contract(Contract.ORDERED));
        used("few 21");
        Restoration restoration = new Restoration(sequences, margin(1), used, Author.of("ann"));
        assertThatThrownBy(() -> restoration.plan(step -> {})).isInstanceOf(BadDefinitionException.class);
        assertThatThrownBy(() -> round.lastAfterRestore(new UsedSince(1, List.of(3L), 0)))
                .isInstanceOf(BadDefinitionException.class)
                .hasMessageContaining("cycles");
    }

    @Test
    void used_linesThatSayNothing_areRefusedWithTheirNumber() {
        sequences.define("a", SequenceDefinition.ascending());
        invoices("{year}-{seq:3}", Reset.YEARLY);
        for (String line : List.of("a", "b 3", "a x", "a 3 4", "a 9223372036854775808", "invoices what?")) {
            assertThatThrownBy(() -> used.add(line, 17))
                    .as(line)
                    .isInstanceOf(BadFormatException.class)
                    .hasMessageContaining("line 17");
        }
    }

    // ---- numbers

    private NumberSequence invoices(String template, Reset reset) {
        return numbering.define(
                "invoices",
                SequenceDefinition.ascending().contract(Contract.GAPLESS),
                FormatDefinition.of(template).reset(reset));
    }

    @Test
    void run_gapless_whatWasHeldOrPassedOverIsLostAndComesNeverAgain() {
        NumberSequence invoices = invoices("{seq}", Reset.NEVER);
        invoices.next(Ask.NOW, 3);
        String open = invoices.reserve(Ask.NOW).id(); // 4
        invoices.cancel(invoices.reserve(Ask.NOW).id()); // 5, released

        run(margin(10));

        Sequence values = invoices.counter("", Map.of());
        assertThat(values.gaps(false).gaps()).isEmpty();
        assertThat(values.verify(Optional.empty()).isSound()).isTrue();
        for (int value : List.of(4, 5, 6, 15)) {
            assertThat(invoices.find(Integer.toString(value)).state())
                    .as("%d", value)
                    .isEqualTo(State.LOST);
        }
        assertThat(invoices.next().text()).isEqualTo("16");
        assertThatThrownBy(() -> invoices.confirm(open)).hasMessageContaining("cancelled");
        List<LedgerEntry> history = values.history(4);
        assertThat(history.get(history.size() - 1).facts().why().orElseThrow()).contains("restored from a copy");
    }

    @Test
    void run_gaplessWithTheNumbersUsed_saysWhichOfThemWere() {
        NumberSequence invoices = invoices("{seq}", Reset.NEVER);
        invoices.next(Ask.NOW, 3);
        String confirmedSince = invoices.reserve(Ask.NOW).id(); // 4
        used("invoices 2", "invoices 4", "invoices 6", "invoices 7", "invoices 9");

        run(usedOnly(OptionalLong.empty()));

        for (int value : List.of(4, 6, 7, 9)) {
            assertThat(invoices.find(Integer.toString(value)).state())
                    .as("%d", value)
                    .isEqualTo(State.IMPORTED);
        }
        for (int value : List.of(5, 8)) {
            assertThat(invoices.find(Integer.toString(value)).state())
                    .as("%d", value)
                    .isEqualTo(State.LOST);
        }
        assertThatThrownBy(() -> invoices.confirm(confirmedSince)).hasMessageContaining("is confirmed");
        assertThat(invoices.next().text()).isEqualTo("10");
        assertThat(invoices.counter("", Map.of()).verify(Optional.empty()).isSound())
                .isTrue();
    }

    @Test
    void run_periodThatBeganSinceTheCopy_beginsBehindTheMargin() {
        NumberSequence invoices = numbering.define(
                "invoices",
                SequenceDefinition.ascending().contract(Contract.ORDERED),
                FormatDefinition.of("{date:yyyyMMdd}-{seq}").reset(Reset.DAILY).zone("UTC"));
        Instant copied = Instant.now().minus(Duration.ofDays(3));
        invoices.next(Ask.NOW.at(copied), 5);

        List<Restoration.Step> steps =
                run(new Restoration.Rule(OptionalLong.of(10), OptionalLong.empty(), false, Optional.of(copied)));

        assertThat(steps).hasSizeBetween(5, 6); // 4 days, and the next one
        assertThat(invoices.next(Ask.NOW.at(copied)).text()).endsWith("-16");
        assertThat(invoices.next(Ask.NOW.at(copied.plus(Duration.ofDays(2)))).text())
                .endsWith("-11");
        assertThat(invoices.next(Ask.NOW.at(copied.minus(Duration.ofDays(9)))).text())
                .endsWith("-1");
    }

    @Test
    void plan_periodsAndScopesThatNobodyKnows_areRefused() {
        numbering.define(
                "invoices",
                SequenceDefinition.ascending(),
                FormatDefinition.of("{scope:store}-{year}-{seq}")
                        .reset(Reset.YEARLY)
                        .scope(Scope.of("store", 10)));
        Restoration.Rule noTime =
                new Restoration.Rule(OptionalLong.of(5), OptionalLong.empty(), true, Optional.empty());
        assertThatThrownBy(() -> new Restoration(sequences, noTime, used, Author.of("")).plan(step -> {}))
                .hasMessageContaining("has periods");
        assertThatThrownBy(() -> new Restoration(sequences, margin(5), used, Author.of("")).plan(step -> {}))
                .hasMessageContaining("has scopes");
        used("invoices bonn-2026-7");
        assertThat(run(usedOnly(OptionalLong.of(3))))
                .filteredOn(step -> step.scope().equals("store=bonn"))
                .extracting(Restoration.Step::period, Restoration.Step::after)
                .containsExactly(tuple("2026", OptionalLong.of(10)));
    }

    @Test
    void run_closedPeriod_staysClosed() {
        NumberSequence invoices = invoices("{year}-{seq}", Reset.YEARLY);
        Sequence year = invoices.by(Author.of("ann").because("over")).counter("2025", Map.of());
        year.next();
        year.closePeriod();
        run(margin(5));
        assertThat(invoices.counter("2025", Map.of()).counterState().closed()).isTrue();
        assertThat(invoices.counter("2025", Map.of()).counterState().highWaterMark())
                .hasValue(1);
    }

    // ---- comparing

    @Test
    void usedCheck_numbersThatWouldComeAgainOrAreNobodys_areTold() {
        sequences
                .define("plain", SequenceDefinition.ascending().contract(Contract.ORDERED))
                .next(10);
        NumberSequence invoices = invoices("{seq}", Reset.NEVER);
        invoices.next(Ask.NOW, 3);
        invoices.by(Author.of("ann").because("wrong")).voidNumber("2");
        used("plain 10", "plain 11", "invoices 1", "invoices 2", "invoices 4");

        UsedCheck.Report report = new UsedCheck(sequences).run(used);

        assertThat(report.numbers()).isEqualTo(5);
        assertThat(report.findings())
                .extracting(UsedCheck.Finding::code, UsedCheck.Finding::value)
                .containsExactlyInAnyOrder(tuple("AHEAD", 11L), tuple("NOT_IN_USE", 2L), tuple("AHEAD", 4L));
    }
}
