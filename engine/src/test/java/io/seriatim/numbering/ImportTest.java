package io.seriatim.numbering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.seriatim.AuditEntry;
import io.seriatim.Author;
import io.seriatim.Block;
import io.seriatim.Contract;
import io.seriatim.GapReport.Gap;
import io.seriatim.LedgerEntry.State;
import io.seriatim.Sequence;
import io.seriatim.SequenceConflictException;
import io.seriatim.SequenceDefinition;
import io.seriatim.Sequences;
import io.seriatim.memory.MemoryCounterStore;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Numbers that were used elsewhere before. */
final class ImportTest {

    private final Sequences sequences = Sequences.on(new MemoryCounterStore());

    @AfterEach
    void close() {
        sequences.close();
    }

    private NumberSequence define(Contract contract) {
        return Numbering.on(sequences)
                .define(
                        "invoices",
                        SequenceDefinition.ascending().contract(contract),
                        FormatDefinition.of("{year}-{seq:3}").reset(Reset.YEARLY));
    }

    private static OldNumbers read(NumberSequence sequence, String... lines) {
        OldNumbers numbers = new OldNumbers(sequence.format());
        for (String line : lines) {
            numbers.add(line);
        }
        return numbers;
    }

    private static String next(NumberSequence sequence, int year) {
        return sequence.next(Ask.NOW.on(LocalDate.of(year, 6, 1))).text();
    }

    @Test
    void oldNumbers_ofAnyOrder_areSortedByCounter() {
        OldNumbers numbers = read(
                define(Contract.GAPLESS), "2025-002", "2024-010", " 2025-001 ", "", "what?", "2025-001", "2025-005");
        assertThat(numbers.unread()).containsExactly(new OldNumbers.Line(5, "what?"));
        assertThat(numbers.doubles()).containsExactly(new OldNumbers.Line(6, "2025-001"));
        assertThat(numbers.counters())
                .containsExactly(
                        new OldNumbers.OfCounter("2024", Map.of(), List.of(new Block(10, 1, 1))),
                        new OldNumbers.OfCounter("2025", Map.of(), List.of(new Block(1, 1, 2), new Block(5, 1, 1))));
    }

    @ParameterizedTest
    @EnumSource
    void importValues_counterGoesOnBehindThem_andTheLedgerKnowsThem(Contract contract) {
        NumberSequence invoices = define(contract);
        Sequence year = invoices.by(Author.of("ann")).counter("2025", Map.of());
        year.importValues(List.of(new Block(4, 1, 2), new Block(8, 1, 3)));
        assertThat(next(invoices, 2025)).isEqualTo("2025-011");
        assertThat(next(invoices, 2026)).isEqualTo("2026-001");
        assertThat(invoices.find("2025-009").state()).isEqualTo(State.IMPORTED);
        State missing = contract == Contract.GAPLESS ? State.VOIDED : State.LOST;
        assertThat(year.gaps(false).gaps()).isEmpty();
        assertThat(year.gaps(true).gaps())
                .contains(new Gap(6, 7, Optional.of(missing), Optional.of("missing in the import")));
        assertThat(year.verify(Optional.empty()).isSound()).isTrue();
        assertThat(sequences.audit("invoices", 0, 9))
                .extracting(AuditEntry::action)
                .contains(AuditEntry.Action.IMPORT);
    }

    @Test
    void importValues_thatAreThereAlready_areRefused() {
        NumberSequence invoices = define(Contract.GAPLESS);
        Sequence year = invoices.counter("2025", Map.of());
        next(invoices, 2025);
        assertThatThrownBy(() -> year.importValues(List.of(new Block(1, 1, 3))))
                .isInstanceOf(SequenceConflictException.class);
        assertThatThrownBy(() -> year.importValues(List.of(new Block(5, 1, 3), new Block(6, 1, 1))))
                .isInstanceOf(SequenceConflictException.class);
        year.importValues(List.of(new Block(3, 1, 1)));
        assertThat(invoices.find("2025-002").state()).isEqualTo(State.VOIDED);
        assertThat(next(invoices, 2025)).isEqualTo("2025-004");
    }

    /** The counter began at its start, and what lay between was nobody's. */
    @Test
    void importValues_beforeTheStart_leaveNothingUnexplained() {
        NumberSequence invoices = Numbering.on(sequences)
                .define(
                        "late",
                        SequenceDefinition.ascending()
                                .contract(Contract.GAPLESS)
                                .start(10),
                        FormatDefinition.of("{year}-{seq:3}").reset(Reset.YEARLY));
        Sequence year = invoices.counter("2025", Map.of());
        year.importValues(List.of(new Block(3, 1, 1), new Block(5, 1, 1)));
        assertThatThrownBy(() -> year.importValues(List.of(new Block(7, 1, 1))))
                .isInstanceOf(SequenceConflictException.class);
        year.importValues(List.of(new Block(12, 1, 1)));
        assertThat(next(invoices, 2025)).isEqualTo("2025-013");
        assertThat(year.gaps(false).gaps()).isEmpty();
        assertThat(year.gaps(true).gaps())
                .extracting(Gap::first, Gap::last)
                .containsExactly(tuple(4L, 4L), tuple(6L, 11L));
        assertThat(year.verify(Optional.empty()).isSound()).isTrue();
    }
}
