package io.seriatim.server;

import io.seriatim.store.ApplicationRow;
import io.seriatim.store.Checkpoint;
import io.seriatim.store.CounterRow;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.KeyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.NumbersRow;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.RecordRow;
import io.seriatim.store.RegistryRow;
import io.seriatim.store.RowVisitor;
import io.seriatim.store.SkippedRow;
import io.seriatim.store.TransactionalRow;
import io.seriatim.store.WorkspaceEvent;

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

    @Override
    public final void application(ApplicationRow row) {
        add(StateRow.of(row));
    }

    @Override
    public final void epoch(PartitionKey partition, long epoch) {
        add(StateRow.ofEpoch(partition, epoch));
    }

    @Override
    public final void applied(PartitionKey partition, long nextOffset) {
        add(StateRow.ofApplied(partition, nextOffset));
    }

    @Override
    public final void event(PartitionKey partition, LogEvent row) {
        add(StateRow.of(partition, row));
    }

    @Override
    public final void workspaceEvent(PartitionKey partition, WorkspaceEvent row) {
        add(StateRow.of(partition, row));
    }

    @Override
    public final void record(PartitionKey partition, RecordRow row) {
        add(StateRow.of(partition, row));
    }

    @Override
    public final void registered(PartitionKey partition, RegistryRow row) {
        add(StateRow.of(partition, row));
    }

    @Override
    public final void keyed(PartitionKey partition, KeyRow row) {
        add(StateRow.of(partition, row));
    }

    @Override
    public final void skipped(PartitionKey partition, SkippedRow row) {
        add(StateRow.of(partition, row));
    }

    @Override
    public final void numbers(PartitionKey partition, NumbersRow row) {
        add(StateRow.of(partition, row));
    }

    @Override
    public final void checkpoint(PartitionKey partition, Checkpoint row) {
        add(StateRow.of(partition, row));
    }

    @Override
    public final void transactional(TransactionalRow row) {
        add(StateRow.of(row));
    }
}
