package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seriatim.LedgerEntry.State;
import io.seriatim.memory.MemoryCounterStore;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the ledger tells of single values, whatever the contract. */
final class LedgerTest {

    private static final Author AUDITOR = Author.of("ann").because("test");

    private final MemoryCounterStore memory = new MemoryCounterStore();
    private Sequences sequences = open(1);

    private Sequences open(long random) {
        return Sequences.on(new KeptOpen(memory), new TestEnvironment(random), Duration.ofSeconds(5));
    }

    @AfterEach
    void close() {
        sequences.close();
    }

    private Sequence define(SequenceDefinition definition) {
        return sequences.define("s", definition.with("format.template", "{seq}"));
    }

    /** A value that was given back alone, and then issued, seemed to be nobody's. */
    @Test
    void history_valueGivenBackAloneAndTakenAgain_endsAsIssued() {
        define(SequenceDefinition.ascending().contract(Contract.FAST).cache(2)).next();
        sequences.close();
        sequences = open(1_000);
        Sequence s = sequences.get("s");
        assertThat(s.next()).isEqualTo(2);
        assertThat(s.history(2))
                .extracting(LedgerEntry::state)
                .containsExactly(State.ISSUED, State.RELEASED, State.ISSUED);
        s.by(AUDITOR).voidValue(2);
        assertThat(Books.ofAny(s)).containsEntry(2L, State.VOIDED);
    }

    /** Behind another node's block they stayed issued for ever, though their own node knew that nobody would get them. */
    @Test
    void history_valuesThatCouldNotBeGivenBack_areLost() {
        Sequence s =
                define(SequenceDefinition.ascending().contract(Contract.FAST).cache(10));
        s.next();
        try (Sequences others = open(1_000)) {
            Sequence other = others.get("s");
            assertThat(other.next()).isEqualTo(11);
            sequences.close();
            assertThat(other.history(1)).extracting(LedgerEntry::state).containsExactly(State.ISSUED);
            assertThat(other.history(5)).extracting(LedgerEntry::state).containsExactly(State.ISSUED, State.LOST);
            assertThat(other.gaps(true).gaps())
                    .containsExactly(new GapReport.Gap(2, 10, Optional.of(State.LOST), Optional.of("not given back")));
            assertThat(other.next()).isEqualTo(12);
            assertThat(other.verify(Optional.empty()).isSound()).isTrue();
        }
    }

    /** The entry of an old value hid those of the values that came below it in the new generation. */
    @Test
    void history_oldValueVoidedAfterARestartBackwards_hidesNoOther() {
        Sequence s = define(SequenceDefinition.ascending());
        s.draw(5);
        s.restart(Restart.at(1).allowingReuse("again"));
        s.by(AUDITOR).voidValue(5);
        s.draw(3);
        assertThat(s.history(2)).extracting(LedgerEntry::generation).containsExactly(1L, 2L);
        assertThat(s.history(5)).extracting(LedgerEntry::state).containsExactly(State.ISSUED, State.VOIDED);
        assertThat(Books.ofAny(s)).containsEntry(5L, State.VOIDED).containsEntry(3L, State.ISSUED);
    }

    /** It was voided, and handed out afterwards. */
    @Test
    void voidValue_inMemoryAndNotHandedOut_isUnknown() {
        Sequence s = define(
                        SequenceDefinition.ascending().contract(Contract.FAST).cache(10))
                .by(AUDITOR);
        s.next();
        assertThat(assertThrows(NumberRefusedException.class, () -> s.voidValue(5))
                        .code())
                .isEqualTo(ErrorCode.NUMBER_UNKNOWN);
        assertThat(s.next()).isEqualTo(2);
        s.voidValue(2);
        assertThat(s.next()).isEqualTo(3);
        assertThat(s.draw(7).blocks().get(0).first()).isEqualTo(4);
        assertThat(Books.ofAny(s)).containsEntry(2L, State.VOIDED).containsEntry(5L, State.ISSUED);
    }

    /** What a greater increment leaps over was a gap as soon as the increment was small again. */
    @Test
    void gaps_afterAChangeOfTheIncrement_areNone() {
        Sequence s = define(SequenceDefinition.ascending());
        s.draw(5);
        s.alter(SequenceDefinition.changes().increment(10));
        assertThat(s.draw(3).blocks().get(0).last()).isEqualTo(35);
        s.alter(SequenceDefinition.changes().increment(1));
        assertThat(s.next()).isEqualTo(36);
        s.by(AUDITOR).voidValue(25);
        assertThat(s.gaps(false).gaps()).isEmpty();
        assertThat(s.gaps(true).gaps())
                .containsExactly(new GapReport.Gap(25, 25, Optional.of(State.VOIDED), Optional.of("test")));
    }

    /** From one end of long to the other there are more values than a long can count. */
    @Test
    void restart_overTheWholeRange_works() {
        Sequence s = sequences.define(
                "whole",
                SequenceDefinition.ascending()
                        .min(Long.MIN_VALUE)
                        .start(Long.MIN_VALUE)
                        .contract(Contract.ORDERED));
        s.restart(Restart.at(Long.MAX_VALUE));
        assertThat(s.next()).isEqualTo(Long.MAX_VALUE);
    }
}
