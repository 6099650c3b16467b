package io.seriatim.verification;

import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.CounterStore;
import io.seriatim.store.CounterTransactions;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.WriteOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A way into a store for one engine of several; its close does not close the store. */
record KeptOpen(CounterStore store) implements CounterStore {

    @Override
    public Optional<DefinitionRow> findDefinition(String name) {
        return store.findDefinition(name);
    }

    @Override
    public List<DefinitionRow> listDefinitions(String prefix, String after, int limit) {
        return store.listDefinitions(prefix, after, limit);
    }

    @Override
    public Optional<CounterRow> findCounter(CounterKey key) {
        return store.findCounter(key);
    }

    @Override
    public List<CounterRow> listCounters(long sequenceId, Optional<CounterKey> after, int limit) {
        return store.listCounters(sequenceId, after, limit);
    }

    @Override
    public Optional<IdempotencyRow> findIdempotency(IdempotencyKey key) {
        return store.findIdempotency(key);
    }

    @Override
    public List<LedgerRow> listLedger(CounterKey key, long fromIndex, int limit) {
        return store.listLedger(key, fromIndex, limit);
    }

    @Override
    public WriteOutcome apply(Change change) {
        return store.apply(change);
    }

    @Override
    public long sweepIdempotency(Instant now) {
        return store.sweepIdempotency(now);
    }

    @Override
    public Optional<CounterTransactions> inTransactions() {
        return store.inTransactions();
    }

    @Override
    public boolean isShared() {
        return store.isShared();
    }

    @Override
    public Optional<StoreException> failure() {
        return store.failure();
    }

    @Override
    public void close() {}
}
