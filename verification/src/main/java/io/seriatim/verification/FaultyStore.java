package io.seriatim.verification;

import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.CounterStore;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.WriteOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A store in front of another one, through which calls fail as a {@link FaultPlan} says, and which counts them.
 * Without faults it is the store behind it: it runs the contract suite.
 */
public final class FaultyStore implements CounterStore {

    /** The calls of the port. */
    public enum Call implements StoreCall {
        FIND_DEFINITION,
        LIST_DEFINITIONS,
        FIND_COUNTER,
        FIND_IDEMPOTENCY,
        SWEEP_IDEMPOTENCY,
        LIST_COUNTERS,
        LIST_LEDGER,
        APPLY;

        @Override
        public boolean isWrite() {
            return this == APPLY;
        }
    }

    private final CounterStore store;
    private final FaultyCalls<WriteOutcome> calls;

    private FaultyStore(CounterStore store, FaultyCalls<WriteOutcome> calls) {
        this.store = store;
        this.calls = calls;
    }

    public FaultyStore(CounterStore store, FaultPlan plan) {
        this(store, new FaultyCalls<>(plan, WriteOutcome.Unknown::new));
    }

    /**
     * Ends the process that uses this store, so to speak: every later call here is unavailable, closing it does
     * nothing, and the store that is returned is what the next process opens. Writes on their way may land in it.
     */
    public FaultyStore crash(FaultPlan next) {
        return new FaultyStore(store, calls.crash(next));
    }

    /** How often a call was made, whatever came of it. */
    public long count(Call call) {
        return calls.count(call);
    }

    /** How many writes are on their way. */
    public int onTheirWay() {
        return calls.onTheirWay();
    }

    /** Lets the write that is longest on its way land; returns what became of it, empty if there was none. */
    public Optional<WriteOutcome> land() {
        return calls.land();
    }

    @Override
    public Optional<DefinitionRow> findDefinition(String name) {
        return calls.read(Call.FIND_DEFINITION, () -> store.findDefinition(name));
    }

    @Override
    public List<DefinitionRow> listDefinitions(String prefix, String after, int limit) {
        return calls.read(Call.LIST_DEFINITIONS, () -> store.listDefinitions(prefix, after, limit));
    }

    @Override
    public Optional<CounterRow> findCounter(CounterKey key) {
        return calls.read(Call.FIND_COUNTER, () -> store.findCounter(key));
    }

    @Override
    public Optional<IdempotencyRow> findIdempotency(IdempotencyKey key) {
        return calls.read(Call.FIND_IDEMPOTENCY, () -> store.findIdempotency(key));
    }

    @Override
    public List<CounterRow> listCounters(long sequenceId, Optional<CounterKey> after, int limit) {
        return calls.read(Call.LIST_COUNTERS, () -> store.listCounters(sequenceId, after, limit));
    }

    @Override
    public List<LedgerRow> listLedger(CounterKey key, long fromIndex, int limit) {
        return calls.read(Call.LIST_LEDGER, () -> store.listLedger(key, fromIndex, limit));
    }

    @Override
    public WriteOutcome apply(Change change) {
        return calls.write(Call.APPLY, () -> store.apply(change));
    }

    @Override
    public long sweepIdempotency(Instant now) {
        return calls.read(Call.SWEEP_IDEMPOTENCY, () -> store.sweepIdempotency(now));
    }

    @Override
    public boolean isShared() {
        return store.isShared();
    }

    @Override
    public Optional<StoreException> failure() {
        return calls.failure().or(store::failure);
    }

    @Override
    public void close() {
        if (!calls.hasCrashed()) {
            store.close();
        }
    }
}
