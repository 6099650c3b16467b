package io.seriatim.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What one {@link CounterStore#apply} writes: at most one definition row, at most one counter row, any ledger
 * rows, at most one idempotency row; all or nothing.
 */
public record Change(
        Optional<DefinitionRow> definition,
        Optional<CounterRow> counter,
        List<LedgerRow> ledger,
        Optional<IdempotencyRow> idempotency) {

    public Change {
        ledger = List.copyOf(ledger);
        if (definition.isEmpty() && counter.isEmpty() && ledger.isEmpty() && idempotency.isEmpty()) {
            throw new IllegalArgumentException("a change must hold at least one row");
        }
        if (counter.filter(row -> row.revision() < 1).isPresent()) {
            throw new IllegalArgumentException("the revision of a row that is written starts at 1: " + counter);
        }
        Set<LedgerPlace> places = new HashSet<>();
        for (LedgerRow row : ledger) {
            if (!places.add(new LedgerPlace(row.counter(), row.index()))) {
                throw new IllegalArgumentException("a change must not write one ledger row twice: " + row);
            }
        }
    }

    private record LedgerPlace(CounterKey counter, long index) {}

    public static Change of(CounterRow counter) {
        return new Change(Optional.empty(), Optional.of(counter), List.of(), Optional.empty());
    }

    public static Change of(IdempotencyRow idempotency) {
        return new Change(Optional.empty(), Optional.empty(), List.of(), Optional.of(idempotency));
    }

    public Change with(DefinitionRow row) {
        return new Change(Optional.of(row), counter, ledger, idempotency);
    }

    public Change with(LedgerRow row) {
        List<LedgerRow> rows = new ArrayList<>(ledger);
        rows.add(row);
        return new Change(definition, counter, rows, idempotency);
    }

    /** With more ledger rows. */
    public Change with(List<LedgerRow> more) {
        List<LedgerRow> rows = new ArrayList<>(ledger);
        rows.addAll(more);
        return new Change(definition, counter, rows, idempotency);
    }

    public Change with(IdempotencyRow row) {
        return new Change(definition, counter, ledger, Optional.of(row));
    }
}
