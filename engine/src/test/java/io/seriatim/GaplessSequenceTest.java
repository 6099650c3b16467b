package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seriatim.LedgerEntry.State;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Contract gapless: reservations, what becomes of them, and that the ledger accounts for every value. */
final class GaplessSequenceTest {

    private static final RequestKey KEY = new RequestKey("ann", "order-77");

    private final TestEnvironment time = new TestEnvironment();
    private final MemoryCounterStore memory = new MemoryCounterStore();
    private final ScriptedStore store = new ScriptedStore(memory);
    private final Sequences sequences = Sequences.on(store, time, Duration.ofSeconds(5));

    @AfterEach
    void close() {
        sequences.close();
    }

    private static SequenceDefinition gapless(String policy) {
        return SequenceDefinition.ascending()
                .contract(Contract.GAPLESS)
                .with("format.template", "{seq}")
                .with("format.policy", policy)
                .with("format.reservationSeconds", "60");
    }

    private Sequence define(String policy) {
        return sequences.define("s", gapless(policy));
    }

    private static ErrorCode codeOf(Callable<?> call) {
        try {
            throw new AssertionError("no error but " + call.call());
        } catch (SequenceException e) {
            return e.code();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Reservation.State goneAs(Callable<?> call) {
        try {
            throw new AssertionError("no error but " + call.call());
        } catch (ReservationException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.RESERVATION_GONE);
            return e.state().orElseThrow();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static State stateOf(Sequence sequence, long value) {
        List<LedgerEntry> history = sequence.history(value);
        return history.get(history.size() - 1).state();
    }

    // ---- a reservation moves once

    @Test
    void confirm_ofAReservation_endsIt() {
        Sequence s = define("relaxed");
        Reservation held = s.reserve("for ann");
        assertThat(held.value()).isEqualTo(1);
        assertThat(held.expires()).contains(time.now().plusSeconds(60));
        assertThat(s.reservation(held.id())).isEqualTo(held);
        assertThat(s.confirm(held.id()).state()).isEqualTo(Reservation.State.CONFIRMED);
        assertThat(s.reservation(held.id()).note()).isEqualTo("for ann");
        assertThat(goneAs(() -> s.confirm(held.id()))).isEqualTo(Reservation.State.CONFIRMED);
        assertThat(goneAs(() -> s.cancel(held.id()))).isEqualTo(Reservation.State.CONFIRMED);
        assertThat(s.history(1)).extracting(LedgerEntry::state).containsExactly(State.RESERVED, State.CONFIRMED);
    }

    @Test
    void cancel_relaxed_lowestReleasedComesNext() {
        Sequence s = define("relaxed");
        List<Reservation> held = List.of(s.reserve(""), s.reserve(""), s.reserve(""));
        s.cancel(held.get(2).id());
        s.cancel(held.get(0).id());
        assertThat(goneAs(() -> s.confirm(held.get(0).id()))).isEqualTo(Reservation.State.CANCELLED);
        assertThat(s.peek()).isEqualTo(1);
        assertThat(s.next()).isEqualTo(1);
        assertThat(s.next()).isEqualTo(3);
        assertThat(s.next()).isEqualTo(4);
        assertThat(goneAs(() -> s.cancel(held.get(0).id())))
                .as("of the first reservation of 1, not of what became of 1 later")
                .isEqualTo(Reservation.State.CANCELLED);
    }

    @Test
    void cancel_void_neverHandsTheNumberOn() {
        Sequence s = define("void");
        s.cancel(s.reserve("").id());
        assertThat(s.next()).isEqualTo(2);
        assertThat(stateOf(s, 1)).isEqualTo(State.VOIDED);
        assertThat(s.gaps(false).gaps()).isEmpty();
        assertThat(s.gaps(true).gaps())
                .containsExactly(new GapReport.Gap(1, 1, Optional.of(State.VOIDED), Optional.of("cancelled")));
    }

    @Test
    void reserve_strictWhileOneIsOpen_isBusyAfterAWait() {
        Sequence s = define("strict");
        try (Sequences hasty = Sequences.on(new KeptOpen(memory), Duration.ofMillis(50))) {
            Reservation held = s.reserve("");
            assertThat(codeOf(() -> hasty.get("s").reserve(""))).isEqualTo(ErrorCode.BUSY);
            assertThat(codeOf(() -> hasty.get("s").next())).isEqualTo(ErrorCode.BUSY);
            s.cancel(held.id());
            assertThat(hasty.get("s").reserve("").value()).isEqualTo(1);
        }
    }

    @Test
    void reserve_strictWhileOneIsOpen_goesOnWhenItEnds() throws Exception {
        Sequence s = define("strict");
        Reservation held = s.reserve("");
        try (Sequences patient = Sequences.on(new KeptOpen(memory))) {
            Thread confirming = new Thread(() -> s.confirm(held.id()));
            Sequence other = patient.get("s");
            confirming.start();
            assertThat(other.reserve("").value()).isEqualTo(2);
            confirming.join();
        }
    }

    // ---- expiry

    @Test
    void expiry_neverEarly_andWithoutACall() {
        Sequence s = define("relaxed");
        Reservation held = s.reserve("");
        time.pass(Duration.ofSeconds(59));
        assertThat(s.reservation(held.id()).state()).isEqualTo(Reservation.State.OPEN);
        time.pass(Duration.ofSeconds(2));
        assertThat(s.reservation(held.id()).state()).isEqualTo(Reservation.State.EXPIRED);
        assertThat(goneAs(() -> s.confirm(held.id()))).isEqualTo(Reservation.State.EXPIRED);
        assertThat(s.next()).isEqualTo(1);
    }

    /** A process that comes later counts from when it first sees the row, whatever the wall clocks say. */
    @Test
    void expiry_afterARestart_isCountedAnew() {
        String id = define("relaxed").reserve("").id();
        TestEnvironment later = new TestEnvironment();
        try (Sequences restarted = Sequences.on(new KeptOpen(memory), later, Duration.ofSeconds(5))) {
            Sequence s = restarted.get("s");
            later.pass(Duration.ofSeconds(59));
            assertThat(s.next()).isEqualTo(2);
            later.pass(Duration.ofSeconds(2));
            assertThat(s.next()).isEqualTo(1);
            assertThat(goneAs(() -> s.confirm(id))).isEqualTo(Reservation.State.EXPIRED);
        }
    }

    /** The time of the second one ran only from when the first was over. */
    @Test
    void expiry_ofTwo_eachInItsTime() {
        Sequence s = define("relaxed");
        Reservation first = s.reserve("");
        time.pass(Duration.ofSeconds(30));
        Reservation second = s.reserve("");
        time.pass(Duration.ofSeconds(31));
        assertThat(s.reservation(first.id()).state()).isEqualTo(Reservation.State.EXPIRED);
        assertThat(s.reservation(second.id()).state()).isEqualTo(Reservation.State.OPEN);
        time.pass(Duration.ofSeconds(30));
        assertThat(s.reservation(second.id()).state()).isEqualTo(Reservation.State.EXPIRED);
    }

    /** Each look while the store hung left another call that nobody waits for, until no other found room. */
    @Test
    void expiry_whileTheStoreHangs_asksOnce() {
        Sequence s = define("relaxed");
        s.reserve("");
        store.beforeNextWrite(() -> {
            time.pass(Duration.ofSeconds(61));
            for (int i = 0; i < 100; i++) {
                time.pass(Duration.ofMillis(200));
            }
            assertThat(((OrderedSupply) s.supply()).waiting()).isEqualTo(1);
        });
        assertThat(s.reserve("").value()).isEqualTo(2);
        assertThat(stateOf(s, 1)).isEqualTo(State.RELEASED);
    }

    // ---- lost answers

    /** The number was confirmed for a caller who was given another one. */
    @Test
    void next_answerLostAndOvertaken_returnsWhatTheLedgerProves() {
        Sequence s = define("relaxed");
        try (Sequences others = Sequences.on(new KeptOpen(memory), new TestEnvironment(77), Duration.ofSeconds(5))) {
            Sequence other = others.get("s");
            store.nextWrites(ScriptedStore.Fate.UNKNOWN_APPLIED);
            store.aroundNextCounterRead(() -> assertThat(other.next()).isEqualTo(2), () -> {});
            assertThat(s.next()).isEqualTo(1);
            store.nextWrites(ScriptedStore.Fate.UNKNOWN_LOST);
            store.aroundNextCounterRead(() -> assertThat(other.next()).isEqualTo(3), () -> {});
            assertThat(s.next()).isEqualTo(4);
        }
    }

    @Test
    void confirm_answerLostAndNoOtherRead_isUnknownAndSettledByTheSameCall() {
        Sequence s = define("relaxed");
        String id = s.reserve("").id();
        store.nextWrites(ScriptedStore.Fate.UNKNOWN_APPLIED);
        store.aroundNextCounterRead(
                () -> {
                    throw new StoreException(StoreException.Kind.UNAVAILABLE, "scripted");
                },
                () -> {});
        assertThat(codeOf(() -> s.confirm(id))).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(goneAs(() -> s.confirm(id))).isEqualTo(Reservation.State.CONFIRMED);
    }

    /** It stayed open, and under policy strict nobody else got a number, until it expired. */
    @Test
    @Timeout(60)
    void reserve_callerGaveUp_isCancelled() throws Exception {
        Sequence s = define("strict");
        ScriptedStore slow = new ScriptedStore(new KeptOpen(memory));
        try (Sequences hasty = Sequences.on(slow, Duration.ofMillis(100))) {
            Sequence other = hasty.get("s");
            CountDownLatch gaveUp = new CountDownLatch(1);
            slow.beforeNextWrite(() -> {
                try {
                    gaveUp.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            assertThat(codeOf(() -> other.reserve(""))).isEqualTo(ErrorCode.BUSY);
            gaveUp.countDown();
            while (s.history(1).size() < 2) {
                Thread.onSpinWait();
            }
        }
        assertThat(stateOf(s, 1)).isEqualTo(State.RELEASED);
        assertThat(s.next()).isEqualTo(1);
    }

    // ---- keys

    @Test
    void reserve_sameKey_isTheSameReservationInItsPresentState() {
        Sequence s = define("relaxed");
        RequestNote note = new RequestNote("", "kept");
        Reservation held = s.reserve(KEY, note);
        assertThat(s.reserve(KEY, note)).isEqualTo(held);
        s.confirm(held.id());
        assertThat(s.reserve(KEY, note).state()).isEqualTo(Reservation.State.CONFIRMED);
        assertThat(codeOf(() -> s.draw(1, KEY))).isEqualTo(ErrorCode.KEY_REUSED);
        assertThat(s.history(1).get(0).facts().key()).contains("ann/order-77");
    }

    @Test
    void reserve_answerLost_theKeySettlesIt() {
        Sequence s = define("relaxed");
        store.nextWrites(ScriptedStore.Fate.UNKNOWN_APPLIED);
        Reservation held = s.reserve(KEY, RequestNote.NONE);
        assertThat(s.reserve(KEY, RequestNote.NONE)).isEqualTo(held);
        assertThat(s.reserve("").value()).isEqualTo(2);
    }

    /** A line end in it made the whole ledger unreadable. */
    @Test
    void reserve_noteOfTwoLines_isRefused() {
        Sequence s = define("relaxed");
        assertThrows(IllegalArgumentException.class, () -> s.reserve(KEY, new RequestNote("", "two\nlines")));
        assertThrows(IllegalArgumentException.class, () -> s.reserve("two\nlines"));
        assertThat(s.next()).isEqualTo(1);
    }

    // ---- refusals

    @Test
    void drop_reservedInBetween_isRefused() {
        Sequence s = define("relaxed");
        try (Sequences others = Sequences.on(new KeptOpen(memory), new TestEnvironment(77), Duration.ofSeconds(5))) {
            Sequence other = others.get("s");
            store.beforeNextWrite(() -> other.reserve(""));
            assertThat(codeOf(() -> {
                        s.drop();
                        return "dropped";
                    }))
                    .isEqualTo(ErrorCode.RESERVATIONS_OPEN);
        }
    }

    /** It was taken out of the ledger's hands, and could not be printed. */
    @Test
    void next_releasedValueBeyondALowerMax_staysReleasedUntilThereIsRoom() {
        Sequence whole = define("relaxed");
        Sequence s = whole.counter("", "2026");
        List<Reservation> held = List.of(s.reserve(""), s.reserve(""), s.reserve(""));
        s.cancel(held.get(2).id());
        whole.alter(SequenceDefinition.changes().max(2));
        assertThat(codeOf(s::next)).isEqualTo(ErrorCode.EXHAUSTED);
        assertThat(codeOf(s::peek)).isEqualTo(ErrorCode.EXHAUSTED);
        assertThat(codeOf(() -> s.reserve(""))).isEqualTo(ErrorCode.EXHAUSTED);
        whole.alter(SequenceDefinition.changes().max(3));
        assertThat(s.reserve("").value()).isEqualTo(3);
    }

    @Test
    void changes_thatWouldLoseNumbers_areRefused() {
        Sequence s = define("relaxed");
        String id = s.reserve("").id();
        assertThat(codeOf(() -> s.restart(Restart.at(0).allowingReuse("no")))).isEqualTo(ErrorCode.BEHIND);
        assertThat(codeOf(() -> s.alter(SequenceDefinition.changes().increment(2))))
                .isEqualTo(ErrorCode.BAD_OPTION);
        assertThat(codeOf(() -> s.alter(SequenceDefinition.changes().contract(Contract.FAST))))
                .isEqualTo(ErrorCode.BAD_OPTION);
        assertThat(codeOf(() -> {
                    s.drop();
                    return "dropped";
                }))
                .isEqualTo(ErrorCode.RESERVATIONS_OPEN);
        Sequence signed = s.by(Author.of("ann").because("test"));
        assertThat(codeOf(() -> {
                    signed.closePeriod();
                    return "closed";
                }))
                .isEqualTo(ErrorCode.RESERVATIONS_OPEN);
        assertThat(codeOf(() -> {
                    signed.voidValue(1);
                    return "voided";
                }))
                .isEqualTo(ErrorCode.RESERVATIONS_OPEN);
        s.confirm(id);
        s.drop();
        assertThat(codeOf(() -> s.confirm(id))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(codeOf(() ->
                        sequences.define("t", SequenceDefinition.ascending().contract(Contract.GAPLESS))))
                .isEqualTo(ErrorCode.BAD_OPTION);
    }

    /** It was refused by what the node had last heard of, though no reservation was open any more. */
    @Test
    void drop_reservationEndedByAnotherNode_goesThrough() {
        Sequence s = define("relaxed");
        String id = s.reserve("").id();
        try (Sequences others = Sequences.on(new KeptOpen(memory), new TestEnvironment(7), Duration.ofSeconds(5))) {
            others.get("s").confirm(id);
            s.drop();
            assertThat(sequences.find("s")).isEmpty();
        }
    }

    @Test
    void reserve_tooMany_isRefusedUntilOneEnds() {
        Sequence s = define("relaxed");
        String first = s.reserve("").id();
        LongStream.range(1, Account.MOST_OPEN).forEach(i -> s.reserve(""));
        assertThat(codeOf(() -> s.reserve(""))).isEqualTo(ErrorCode.TOO_MANY);
        s.cancel(first);
        assertThat(s.reserve("").value()).isEqualTo(1);
    }

    // ---- what is known of numbers

    /** Its end was found as if it were the beginning: without the note by which its number is printed. */
    @Test
    void reservation_endedInALaterGeneration_isKnownWhole() {
        Sequence s = define("relaxed");
        Reservation first = s.reserve("for ann");
        Reservation second = s.reserve("for bob");
        s.alter(SequenceDefinition.changes().max(1_000));
        s.confirm(first.id());
        s.cancel(second.id());
        assertThat(s.reservation(first.id()).note()).isEqualTo("for ann");
        assertThat(s.reservation(second.id()).note()).isEqualTo("for bob");
        assertThat(s.history(1)).extracting(LedgerEntry::state).containsExactly(State.RESERVED, State.CONFIRMED);
        assertThat(s.history(2)).extracting(LedgerEntry::state).containsExactly(State.RESERVED, State.RELEASED);
    }

    @Test
    void restart_forwards_voidsWhatItSkips() {
        Sequence s = define("relaxed");
        assertThat(s.next()).isEqualTo(1);
        s.restart(Restart.at(5));
        assertThat(s.next()).isEqualTo(5);
        s.restart(new Restart(OptionalLong.of(8), false, Optional.empty()));
        assertThat(s.next()).isEqualTo(9);
        assertThat(s.gaps(false).gaps()).isEmpty();
        assertThat(s.gaps(true).gaps())
                .containsExactly(
                        new GapReport.Gap(2, 4, Optional.of(State.VOIDED), Optional.of("restart")),
                        new GapReport.Gap(6, 8, Optional.of(State.VOIDED), Optional.of("restart")));
        assertThat(stateOf(s, 3)).isEqualTo(State.VOIDED);
        assertThat(stateOf(s, 9)).isEqualTo(State.CONFIRMED);
        assertThat(s.history(10)).isEmpty();
        assertThat(s.verify(Optional.empty()).isSound()).isTrue();
    }

    /** The audit trail knew who had done it and why, the ledger said "restart" of every such value. */
    @Test
    void restart_signed_isExplainedInTheLedger() {
        Sequence s = define("relaxed").by(Author.of("ann").because("the old system had them"));
        s.next();
        s.restart(Restart.at(5));
        LedgerEntry entry = s.history(3).get(0);
        assertThat(entry.facts().who()).isEqualTo("ann");
        assertThat(entry.facts().why()).contains("the old system had them");
    }

    /** It was NOT_FOUND: the name of the sequence seemed to be wrong. */
    @Test
    void reserve_underAnotherContract_namesTheContract() {
        for (Contract contract : List.of(Contract.FAST, Contract.ORDERED)) {
            Sequence s = sequences.define(
                    contract.text(),
                    SequenceDefinition.ascending().contract(contract).with("format.template", "{seq}"));
            assertThat(codeOf(() -> s.reserve(""))).isEqualTo(ErrorCode.BAD_OPTION);
        }
    }

    @Test
    void voidValue_ofAConfirmedNumber_isExplained() {
        Sequence s = define("relaxed").by(Author.of("ann").because("customer changed"));
        s.next();
        assertThat(codeOf(() -> {
                    s.by(Author.of("ann")).voidValue(1);
                    return "voided";
                }))
                .isEqualTo(ErrorCode.REASON_REQUIRED);
        s.voidValue(1);
        assertThat(codeOf(() -> {
                    s.voidValue(1);
                    return "voided";
                }))
                .isEqualTo(ErrorCode.ALREADY_VOID);
        assertThat(codeOf(() -> {
                    s.voidValue(9);
                    return "voided";
                }))
                .isEqualTo(ErrorCode.NUMBER_UNKNOWN);
        LedgerEntry voided = s.history(1).get(1);
        assertThat(voided.facts().who()).isEqualTo("ann");
        assertThat(voided.facts().why()).contains("customer changed");
        assertThat(sequences.audit("s", 0, 9)).extracting(AuditEntry::action).contains(AuditEntry.Action.VOID);
        assertThat(s.next()).isEqualTo(2);
    }

    /** One call had to read all of it: the ledger of a busy year could not be read in time, however often one asked. */
    @Test
    void verify_ofALongLedger_isACallForEachPage() {
        Sequence s = define("relaxed");
        s.importValues(LongStream.rangeClosed(0, Ledger.PAGE)
                .mapToObj(i -> new Block(1 + 2 * i, 1, 1))
                .toList());
        long entries = 2L * Ledger.PAGE + 1;
        long before = time.taskCount();
        LedgerReport report = s.verify(Optional.empty());
        assertThat(time.taskCount() - before)
                .as("the counter, then three pages")
                .isEqualTo(4);
        assertThat(report.isSound()).isTrue();
        assertThat(report.entries()).isEqualTo(entries);
        GapReport gaps = s.gaps(true);
        assertThat(time.taskCount() - before).isEqualTo(8);
        assertThat(gaps.entries()).isEqualTo(entries);
        assertThat(gaps.gaps()).hasSize(Ledger.PAGE);
    }

    @Test
    void closePeriod_voidsWhatIsReleased_andGivesNoMore() {
        Sequence s = define("relaxed").by(Author.of("ann").because("books are closed"));
        String first = s.reserve("").id();
        assertThat(s.next()).isEqualTo(2);
        s.cancel(first);
        s.closePeriod();
        assertThat(stateOf(s, 1)).isEqualTo(State.VOIDED);
        assertThat(codeOf(s::next)).isEqualTo(ErrorCode.PERIOD_CLOSED);
        assertThat(codeOf(() -> s.restart(Restart.at(60)))).isEqualTo(ErrorCode.PERIOD_CLOSED);
        assertThat(codeOf(s::peek)).isEqualTo(ErrorCode.PERIOD_CLOSED);
        assertThat(codeOf(() -> s.reserve(""))).isEqualTo(ErrorCode.PERIOD_CLOSED);
        assertThat(s.gaps(false).gaps()).isEmpty();
    }

    @Test
    void leave_withAnOpenReservation_letsItEnd() {
        Sequence s = define("relaxed");
        String kept = s.reserve("").id();
        String given = s.reserve("").id();
        s.leave();
        s.leave();
        assertThat(codeOf(s::next)).isEqualTo(ErrorCode.PERIOD_BACKWARDS);
        s.confirm(kept);
        s.cancel(given);
        assertThat(stateOf(s, 1)).isEqualTo(State.CONFIRMED);
        assertThat(stateOf(s, 2)).isEqualTo(State.VOIDED);
    }
}
