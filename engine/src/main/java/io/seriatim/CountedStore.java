package io.seriatim;

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
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** Counts the calls to a store: beside one of those an addition costs nothing. */
final class CountedStore implements CounterStore {

    private final CounterStore store;
    private final LongAdder reads = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder failures = new LongAdder();

    CountedStore(CounterStore store) {
        this.store = store;
    }

    Statistics statistics(long openSequences, long issued, long skipped, long missedLooks) {
        return new Statistics(
                openSequences,
                issued,
                skipped,
                reads.sum(),
                writes.sum(),
                refused.sum(),
                unknown.sum(),
                failures.sum(),
                missedLooks);
    }

    @Override
    public Optional<DefinitionRow> findDefinition(String name) {
        return read(() -> store.findDefinition(name));
    }

    @Override
    public List<DefinitionRow> listDefinitions(String prefix, String after, int limit) {
        return read(() -> store.listDefinitions(prefix, after, limit));
    }

    @Override
    public Optional<CounterRow> findCounter(CounterKey key) {
        return read(() -> store.findCounter(key));
    }

    @Override
    public List<CounterRow> listCounters(long sequenceId, Optional<CounterKey> after, int limit) {
        return read(() -> store.listCounters(sequenceId, after, limit));
    }

    @Override
    public Optional<IdempotencyRow> findIdempotency(IdempotencyKey key) {
        return read(() -> store.findIdempotency(key));
    }

    @Override
    public List<LedgerRow> listLedger(CounterKey key, long fromIndex, int limit) {
        return read(() -> store.listLedger(key, fromIndex, limit));
    }

    @Override
    public WriteOutcome apply(Change change) {
        WriteOutcome outcome = counted(writes, () -> store.apply(change));
        if (outcome instanceof WriteOutcome.Refused) {
            refused.increment();
        } else if (outcome instanceof WriteOutcome.Unknown) {
            unknown.increment();
        }
        return outcome;
    }

    @Override
    public long sweepIdempotency(Instant now) {
        return store.sweepIdempotency(now);
    }

    /** What happens there is the user's business, and is not counted. */
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
    public void close() {
        store.close();
    }

    private <T> T read(Supplier<T> call) {
        return counted(reads, call);
    }

    private <T> T counted(LongAdder calls, Supplier<T> call) {
        calls.increment();
        try {
            return call.get();
        } catch (RuntimeException | Error e) {
            failures.increment();
            throw e;
        }
    }
}
