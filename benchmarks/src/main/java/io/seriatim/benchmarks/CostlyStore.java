package io.seriatim.benchmarks;

import io.seriatim.memory.MemoryCounterStore;
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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A store in memory whose writes take as long as those of a store on disk or behind a network; counts them. */
final class CostlyStore implements CounterStore {

    /** What both sides pay for a write in every measurement of this module. */
    static final Duration WRITE = Duration.ofMillis(1);

    private final MemoryCounterStore rows = new MemoryCounterStore();
    private final AtomicLong writes = new AtomicLong();

    long writes() {
        return writes.get();
    }

    @Override
    public WriteOutcome apply(Change change) {
        writes.incrementAndGet();
        LockSupport.parkNanos(WRITE.toNanos());
        return rows.apply(change);
    }

    @Override
    public Optional<DefinitionRow> findDefinition(String name) {
        return rows.findDefinition(name);
    }

    @Override
    public List<DefinitionRow> listDefinitions(String prefix, String after, int limit) {
        return rows.listDefinitions(prefix, after, limit);
    }

    @Override
    public Optional<CounterRow> findCounter(CounterKey key) {
        return rows.findCounter(key);
    }

    @Override
    public Optional<IdempotencyRow> findIdempotency(IdempotencyKey key) {
        return rows.findIdempotency(key);
    }

    @Override
    public List<CounterRow> listCounters(long sequenceId, Optional<CounterKey> after, int limit) {
        return rows.listCounters(sequenceId, after, limit);
    }

    @Override
    public List<LedgerRow> listLedger(CounterKey key, long fromIndex, int limit) {
        return rows.listLedger(key, fromIndex, limit);
    }

    @Override
    public long sweepIdempotency(Instant now) {
        return rows.sweepIdempotency(now);
    }

    @Override
    public boolean isShared() {
        return rows.isShared();
    }

    @Override
    public Optional<StoreException> failure() {
        return rows.failure();
    }

    /** Leaves the rows readable: the mark is looked at after the stop. */
    @Override
    public void close() {}
}
