package io.seriatim.server;

import io.seriatim.store.CounterRow;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.RowVisitor;

/** Takes the rows of a store as rows of a state file, whatever they are. */
abstract class StateRows implements RowVisitor {

    abstract void add(StateRow row);

    @Override
    public final void definition(DefinitionRow row) {
        add(StateRow.of(row));
    }

    @Override
    public final void counter(CounterRow row) {
        add(StateRow.of(row));
    }

    @Override
    public final void ledger(LedgerRow row) {
        add(StateRow.of(row));
    }

    @Override
    public final void idempotency(IdempotencyRow row) {
        add(StateRow.of(row));
    }
}
