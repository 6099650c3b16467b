package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.numbering.Ask;
import io.seriatim.numbering.FormatDefinition;
import io.seriatim.numbering.NumberSequence;
import io.seriatim.numbering.Numbering;
import io.seriatim.numbering.PrintedNumber;
import io.seriatim.numbering.ReservedNumber;
import io.seriatim.numbering.Reset;
import io.seriatim.numbering.Scope;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Numbers of a sequence with a format: which counter they are of, and what a change may do to them. */
final class NumberingTest {

    private static final FormatDefinition DAILY =
            FormatDefinition.of("{date:yyyyMMdd}-{seq:3}").reset(Reset.DAILY);
    private static final Instant NOON = Instant.parse("2026-07-09T12:00:00Z");
    private static final Instant NEXT_DAY = Instant.parse("2026-07-10T00:00:01Z");

    private final TestEnvironment environment = new TestEnvironment();
    private final ScriptedStore store = new ScriptedStore(new MemoryCounterStore());
    private final Sequences sequences = Sequences.on(new KeptOpen(store), environment, Duration.ofSeconds(5));
    private final Numbering numbering = Numbering.on(sequences);

    @AfterEach
    void close() {
        sequences.close();
    }

    private NumberSequence define(FormatDefinition format) {
        return numbering.define("n", SequenceDefinition.ascending(), format);
    }

    private static String text(NumberSequence sequence, Instant at) {
        return sequence.next(Ask.NOW.at(at)).text();
    }

    // ---- counters

    @Test
    void next_newDay_isANewCounterAndTheOldOneGoesOn() {
        NumberSequence n = define(DAILY);
        assertThat(text(n, NOON)).isEqualTo("20260709-001");
        assertThat(text(n, NEXT_DAY)).isEqualTo("20260710-001");
        assertThat(text(n, NOON)).isEqualTo("20260709-002");
    }

    /** The business date of the repetition was not compared: it got the reservation of another day. */
    @Test
    void reserve_sameKeyOnAnotherDate_isRefused() {
        NumberSequence n = numbering.define("n", SequenceDefinition.ascending().contract(Contract.GAPLESS), DAILY);
        RequestKey key = new RequestKey("ann", "order-77");
        Ask july = Ask.NOW.on(LocalDate.of(2026, 7, 9));
        ReservedNumber held = n.reserve(july, key);
        assertThat(n.reserve(july, key)).isEqualTo(held);
        assertThatExceptionOfType(RequestKeyException.class)
                .isThrownBy(() -> n.reserve(Ask.NOW.on(LocalDate.of(2026, 7, 10)), key))
                .returns(ErrorCode.KEY_REUSED, RequestKeyException::code);
        RequestKey other = new RequestKey("ann", "order-78");
        ReservedNumber evening = n.reserve(Ask.NOW.at(NOON), other);
        assertThat(n.reserve(Ask.NOW.at(NEXT_DAY), other)).isEqualTo(evening);
    }

    /** A number that is looked at is not reserved, and its counter need not exist. */
    @Test
    void peek_counterWithoutARow_writesNothing() {
        NumberSequence n = define(DAILY);
        int writes = store.writes();
        assertThat(n.peek(Ask.NOW.at(NOON)).text()).isEqualTo("20260709-001");
        assertThat(store.writes()).isEqualTo(writes);
    }

    /** Whatever is looked at, and wherever the counter stands: unknown, within a block, at its end, exhausted. */
    @ParameterizedTest
    @EnumSource
    void peek_everyFormatAndContract_writesNothing(Contract contract) {
        List<FormatDefinition> formats = List.of(
                FormatDefinition.of("{seq}"),
                DAILY,
                FormatDefinition.of("{isoyear}W{isoweek}-{seq:2!}").reset(Reset.WEEKLY),
                FormatDefinition.of("{fystart}-{seq}").reset(Reset.FISCAL).fiscalStart("10-01"),
                FormatDefinition.of("{scope:s}-{seq:5}{check:luhn/seq}").scope(Scope.of("s", 3)),
                FormatDefinition.of("{scope:s}/{year}{month}/{seq:4/base32}")
                        .reset(Reset.MONTHLY)
                        .scope(Scope.of("s", 3)));
        for (FormatDefinition format : formats) {
            String name = "f" + formats.indexOf(format);
            SequenceDefinition values =
                    SequenceDefinition.ascending().contract(contract).max(9);
            NumberSequence n = numbering.define(name, values, format);
            Ask ask = Ask.NOW.in(format.scopes().isEmpty() ? Map.of() : Map.of("s", "A"));
            for (Instant at : List.of(NOON, NEXT_DAY, NOON.plus(Duration.ofDays(400)))) {
                peekUntilExhausted(n, ask.at(at));
            }
            assertThat(n.state(ask.at(NOON)).remaining()).hasValue(BigInteger.ZERO);
        }
    }

    private void peekUntilExhausted(NumberSequence n, Ask ask) {
        for (; ; ) {
            int writes = store.writes();
            PrintedNumber peeked;
            try {
                peeked = n.peek(ask);
            } catch (SequenceExhaustedException end) {
                assertThat(store.writes()).isEqualTo(writes);
                return;
            }
            assertThat(store.writes()).isEqualTo(writes);
            assertThat(n.next(ask)).isEqualTo(peeked);
        }
    }

    @Test
    void next_fastAfterACleanStop_goesOnWithTheVeryNextOfEachCounter() {
        SequenceDefinition fast =
                SequenceDefinition.ascending().contract(Contract.FAST).cache(100);
        NumberSequence n = numbering.define("n", fast, DAILY);
        assertThat(text(n, NOON)).isEqualTo("20260709-001");
        assertThat(text(n, NEXT_DAY)).isEqualTo("20260710-001");
        sequences.close();
        try (Sequences again = Sequences.on(new KeptOpen(store), environment, Duration.ofSeconds(5))) {
            NumberSequence same = Numbering.on(again).get("n");
            assertThat(text(same, NOON)).isEqualTo("20260709-002");
            assertThat(text(same, NEXT_DAY)).isEqualTo("20260710-002");
        }
    }

    @Test
    void next_twoEnginesAroundMidnight_neverPrintOneTextTwice() {
        SequenceDefinition fast =
                SequenceDefinition.ascending().contract(Contract.FAST).cache(3);
        NumberSequence here = numbering.define("n", fast, DAILY);
        try (Sequences others = Sequences.on(new KeptOpen(store), environment, Duration.ofSeconds(5))) {
            NumberSequence there = Numbering.on(others).get("n");
            java.util.Set<String> seen = new java.util.HashSet<>();
            for (int second = -5; second <= 5; second++) {
                Instant at = NEXT_DAY.plusSeconds(second);
                assertThat(seen.add(text(here, at))).isTrue();
                assertThat(seen.add(text(there, at.minusSeconds(3)))).isTrue();
            }
        }
    }

    @Test
    void next_exactWidthUsedUp_isExhaustedAndMovesNothing() {
        NumberSequence n = define(FormatDefinition.of("{seq:1!}"));
        List<PrintedNumber> all = n.next(Ask.NOW.at(NOON), 9);
        assertThat(all.get(8).text()).isEqualTo("9");
        assertThatThrownBy(() -> n.next(Ask.NOW.at(NOON))).isInstanceOf(SequenceExhaustedException.class);
        assertThatThrownBy(() -> n.next(Ask.NOW.at(NOON))).isInstanceOf(SequenceExhaustedException.class);
        assertThat(n.alter(SequenceDefinition.changes(), FormatDefinition.of("{seq:2!}"))
                        .generation())
                .isEqualTo(2);
        assertThat(text(n, NOON)).isEqualTo("10");
    }

    @Test
    void counter_ofASequenceWithoutAFormat_isRefused() {
        Sequence plain = sequences.define("plain", SequenceDefinition.ascending());
        assertThatThrownBy(() -> plain.counter("", "2026")).isInstanceOf(IllegalStateException.class);
    }

    // ---- changes

    @Test
    void alter_otherText_keepsEveryCounter() {
        NumberSequence n = define(DAILY);
        text(n, NOON);
        text(n, NEXT_DAY);
        n.alter(SequenceDefinition.changes(), DAILY.template("N{date:yyyyMMdd}-{seq:3}"));
        assertThat(text(n, NOON)).isEqualTo("N20260709-002");
        assertThat(text(n, NEXT_DAY)).isEqualTo("N20260710-002");
    }

    /** Two changes ago this text stood for another number. */
    @Test
    void alter_textThatAnEarlierFormatPrinted_isRefusedWithTheText() {
        NumberSequence n = define(FormatDefinition.of("A{seq:3}"));
        text(n, NOON);
        n.alter(SequenceDefinition.changes(), FormatDefinition.of("B{seq:3}"));
        FormatDefinition daily = FormatDefinition.of("A{date:yyyyMMdd}{seq:3}").reset(Reset.DAILY);
        assertThatThrownBy(() -> n.alter(SequenceDefinition.changes(), daily))
                .isInstanceOfSatisfying(BadFormatException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.WOULD_REPEAT);
                    assertThat(e.number()).isPresent();
                });
        assertThat(text(n, NOON)).isEqualTo("B002");
    }

    @Test
    void restart_ofOnePeriod_leavesTheOthersAndNeedsLeaveToGoBack() {
        NumberSequence n = define(DAILY);
        text(n, NOON);
        text(n, NEXT_DAY);
        n.restart("2026-07-09", Map.of(), Restart.at(31));
        assertThat(text(n, NOON)).isEqualTo("20260709-031");
        assertThat(text(n, NEXT_DAY)).isEqualTo("20260710-002");
        assertThatThrownBy(() -> n.restart("2026-07-09", Map.of(), Restart.at(5)))
                .isInstanceOfSatisfying(
                        SequenceConflictException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.BEHIND));
        AuditEntry last = sequences.audit("n", 1, 10).get(0);
        assertThat(last.action()).isEqualTo(AuditEntry.Action.RESTART);
        assertThat(last.now()).containsEntry("period", "2026-07-09");
    }

    /** The definition's generation had risen in the store, but not in the memory that the change was decided from. */
    @Test
    void alter_afterARestartOfACounter_isDecidedFromWhatTheStoreHolds() {
        NumberSequence n = define(DAILY);
        text(n, NOON);
        n.restart("2026-07-09", Map.of(), Restart.at(31));
        n.alter(SequenceDefinition.changes(), DAILY.template("N{date:yyyyMMdd}-{seq:3}"));
        assertThat(text(n, NOON)).isEqualTo("N20260709-031");
    }

    @Test
    void restart_withoutPeriods_isOfTheOneCounter() {
        NumberSequence n = define(FormatDefinition.of("{year:2}-{seq:3}"));
        environment.pass(Duration.between(environment.now(), NOON));
        n.restart("", Map.of(), Restart.at(31));
        assertThat(n.next().text()).isEqualTo("26-031");
    }

    @Test
    void drop_withCountersInMemory_endsThemAll() {
        NumberSequence n = define(DAILY);
        text(n, NOON);
        n.sequence().drop();
        assertThatThrownBy(() -> text(n, NOON)).isInstanceOf(SequenceNotFoundException.class);
        assertThat(text(define(DAILY), NOON)).isEqualTo("20260709-001");
    }

    // ---- keys

    @Test
    void next_keyRepeatedAfterMidnightAndAfterAChange_givesTheSameNumber() {
        NumberSequence n = define(DAILY);
        RequestKey key = new RequestKey("c", "k");
        environment.pass(Duration.between(environment.now(), NOON));
        String first = n.next(Ask.NOW, 1, key).get(0).text();
        assertThat(first).isEqualTo("20260709-001");
        environment.pass(Duration.between(NOON, NEXT_DAY));
        n.alter(SequenceDefinition.changes(), DAILY.template("N{date:yyyyMMdd}-{seq:3}"));
        assertThat(n.next(Ask.NOW, 1, key).get(0).text()).isEqualTo(first);
        assertThat(text(n, NEXT_DAY)).isEqualTo("N20260710-001");
    }

    @Test
    void next_keyWithAnotherScope_isAnotherRequest() {
        NumberSequence n = define(FormatDefinition.of("{scope:s}-{seq}").scope(Scope.of("s", 3)));
        RequestKey key = new RequestKey("c", "k");
        Ask ask = Ask.NOW.at(NOON).in(Map.of("s", "A"));
        assertThat(n.next(ask, 1, key).get(0).text()).isEqualTo("A-1");
        assertThat(n.next(ask, 1, key).get(0).text()).isEqualTo("A-1");
        assertThatThrownBy(() -> n.next(ask.in(Map.of("s", "B")), 1, key))
                .isInstanceOfSatisfying(
                        RequestKeyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.KEY_REUSED));
    }

    // ---- which text a value has

    private static ErrorCode refusal(Runnable call) {
        return assertThrows(NumberRefusedException.class, call::run).code();
    }

    /** The new template's text of an old value was taken for a number that was handed out, and could be voided. */
    @ParameterizedTest
    @EnumSource
    void find_afterAChangeOfTheTemplate_isByWhatHasPrintedTheValue(Contract contract) {
        NumberSequence n = numbering.define(
                "n", SequenceDefinition.ascending().contract(contract), FormatDefinition.of("A-{seq}"));
        assertThat(text(n, NOON)).isEqualTo("A-1");
        n.alter(SequenceDefinition.changes(), FormatDefinition.of("B-{seq}"));
        assertThat(text(n, NOON)).isEqualTo("B-2");
        assertThat(n.find("A-1").value()).isEqualTo(1);
        assertThat(n.find("B-2").value()).isEqualTo(2);
        NumberSequence signed = n.by(Author.of("ann").because("test"));
        for (String never : List.of("B-1", "A-2")) {
            assertThat(refusal(() -> n.find(never))).as(never).isEqualTo(ErrorCode.NUMBER_UNKNOWN);
            assertThat(refusal(() -> signed.voidNumber(never))).as(never).isEqualTo(ErrorCode.NUMBER_UNKNOWN);
        }
        n.alter(SequenceDefinition.changes().max(100), FormatDefinition.of("A-{seq}"));
        assertThat(text(n, NOON)).isEqualTo("A-3");
        assertThat(signed.voidNumber("A-1").state()).isEqualTo(LedgerEntry.State.VOIDED);
        assertThat(n.find("A-3").value()).isEqualTo(3);
        assertThat(refusal(() -> n.find("A-2"))).isEqualTo(ErrorCode.NUMBER_UNKNOWN);
    }

    /** A value that was given back has another text when it comes again. */
    @Test
    void find_valueGivenBackAndPrintedAnew_tellsOfEachTextApart() {
        NumberSequence n = numbering.define(
                "n", SequenceDefinition.ascending().contract(Contract.GAPLESS), FormatDefinition.of("A-{seq}"));
        n.cancel(n.reserve(Ask.NOW).id());
        n.alter(SequenceDefinition.changes(), FormatDefinition.of("B-{seq}"));
        assertThat(n.find("A-1").state()).isEqualTo(LedgerEntry.State.RELEASED);
        assertThat(refusal(() -> n.find("B-1"))).isEqualTo(ErrorCode.NUMBER_UNKNOWN);
        n.confirm(n.reserve(Ask.NOW).id());
        assertThat(n.find("A-1").state()).isEqualTo(LedgerEntry.State.RELEASED);
        assertThat(n.find("B-1").state()).isEqualTo(LedgerEntry.State.CONFIRMED);
        NumberSequence signed = n.by(Author.of("ann").because("test"));
        assertThat(refusal(() -> signed.voidNumber("A-1"))).isEqualTo(ErrorCode.NUMBER_UNKNOWN);
        assertThat(n.find("B-1").state()).isEqualTo(LedgerEntry.State.CONFIRMED);
        assertThat(signed.voidNumber("B-1").state()).isEqualTo(LedgerEntry.State.VOIDED);
    }

    /** A handle knows of the sequence what it knew when that was closed to make room; its counter had learnt more. */
    @Test
    void next_sequenceClosedToMakeRoomAndChangedSince_printsByTheChange() {
        MemoryCounterStore shared = new MemoryCounterStore();
        try (Sequences here = Sequences.on(new KeptOpen(shared), new TestEnvironment(1), Duration.ofSeconds(5));
                Sequences there =
                        Sequences.on(new KeptOpen(shared), new TestEnvironment(1_000), Duration.ofSeconds(5))) {
            NumberSequence n = Numbering.on(here)
                    .define("n", SequenceDefinition.ascending().contract(Contract.FAST), DAILY);
            NumberSequence late = Numbering.on(there).get("n");
            assertThat(text(late, NOON)).isEqualTo("20260709-001");
            late.sequence().supply().beginClose();
            n.alter(SequenceDefinition.changes(), DAILY.template("N{date:yyyyMMdd}-{seq:3}"));
            late.counter("2026-07-09", Map.of()).refresh();
            String number = text(late, NOON);
            assertThat(number).isEqualTo("N20260709-002");
            assertThat(late.find(number).value()).isEqualTo(2);
        }
    }

    /** Whatever a process knows of a change that another one has made: what it prints is found. */
    @ParameterizedTest
    @EnumSource
    void find_numberOfAProcessThatHasNotHeardOfTheChange_isKnown(Contract contract) {
        MemoryCounterStore shared = new MemoryCounterStore();
        try (Sequences here = Sequences.on(new KeptOpen(shared), new TestEnvironment(1), Duration.ofSeconds(5));
                Sequences there =
                        Sequences.on(new KeptOpen(shared), new TestEnvironment(1_000), Duration.ofSeconds(5))) {
            NumberSequence n = Numbering.on(here)
                    .define("n", SequenceDefinition.ascending().contract(contract), FormatDefinition.of("A-{seq}"));
            NumberSequence late = Numbering.on(there).get("n");
            List<String> printed = new ArrayList<>(List.of(text(late, NOON), text(n, NOON)));
            n.alter(SequenceDefinition.changes(), FormatDefinition.of("B-{seq}"));
            printed.addAll(List.of(text(late, NOON), text(n, NOON)));
            late.sequence().refresh();
            printed.addAll(List.of(text(late, NOON), text(n, NOON), text(late, NOON)));
            assertThat(printed).doesNotHaveDuplicates();
            for (String number : printed) {
                assertThat(n.find(number).text()).as("" + printed).isEqualTo(number);
            }
            assertThat(printed.get(6)).startsWith("B-");
        }
    }
}
