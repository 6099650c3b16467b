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
import io.seriatim.store.StoreException.Kind;
import io.seriatim.store.WriteOutcome;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in front of another one, through which calls fail as a {@link FaultPlan} says, and which counts them.
 * Without faults it is the store behind it: it runs the contract suite.
 */
public final class FaultyStore implements CounterStore {

    /*
     * A write of unknown outcome is the heart of it. It may be in the store behind, or lost, or on its way: then
     * it waits in {@code onTheirWay} and is applied by {@link #land}, perhaps after later writes, perhaps after
     * the process that sent it has ended. It is a conditional write then too, so it lands only where its
     * revision still follows.
     */

    /** The calls of the port. */
    public enum Call {
        FIND_DEFINITION,
        LIST_DEFINITIONS,
        FIND_COUNTER,
        FIND_IDEMPOTENCY,
        SWEEP_IDEMPOTENCY,
        LIST_COUNTERS,
        LIST_LEDGER,
        APPLY
    }

    private final CounterStore store;
    private final FaultPlan plan;
    private final AtomicLongArray counts = new AtomicLongArray(Call.values().length);
    private final AtomicReference<@Nullable StoreException> stopped = new AtomicReference<>();
    private final Queue<Change> onTheirWay;

    private FaultyStore(CounterStore store, FaultPlan plan, Queue<Change> onTheirWay) {
        this.store = store;
        this.plan = plan;
        this.onTheirWay = onTheirWay;
    }

    public FaultyStore(CounterStore store, FaultPlan plan) {
        this(store, plan, new ArrayDeque<>());
    }

    /**
     * Ends the process that uses this store, so to speak: every later call here is unavailable, closing it does
     * nothing, and the store that is returned is what the next process opens. Writes on their way may land in it.
     */
    public FaultyStore crash(FaultPlan next) {
        stopped.compareAndSet(null, new StoreException(Kind.UNAVAILABLE, "the process has ended"));
        return new FaultyStore(store, next, onTheirWay);
    }

    /** How often a call was made, whatever came of it. */
    public long count(Call call) {
        return counts.get(index(call));
    }

    /** How many writes are on their way. */
    public int onTheirWay() {
        synchronized (onTheirWay) {
            return onTheirWay.size();
        }
    }

    /** Lets the write that is longest on its way land; returns what became of it, empty if there was none. */
    public Optional<WriteOutcome> land() {
        Change change;
        synchronized (onTheirWay) {
            change = onTheirWay.poll();
        }
        return change == null ? Optional.empty() : Optional.of(store.apply(change));
    }

    @Override
    public Optional<DefinitionRow> findDefinition(String name) {
        return read(Call.FIND_DEFINITION, () -> store.findDefinition(name));
    }

    @Override
    public List<DefinitionRow> listDefinitions(String prefix, String after, int limit) {
        return read(Call.LIST_DEFINITIONS, () -> store.listDefinitions(prefix, after, limit));
    }

    @Override
    public Optional<CounterRow> findCounter(CounterKey key) {
        return read(Call.FIND_COUNTER, () -> store.findCounter(key));
    }

    @Override
    public Optional<IdempotencyRow> findIdempotency(IdempotencyKey key) {
        return read(Call.FIND_IDEMPOTENCY, () -> store.findIdempotency(key));
    }

    @Override
    public List<CounterRow> listCounters(long sequenceId, Optional<CounterKey> after, int limit) {
        return read(Call.LIST_COUNTERS, () -> store.listCounters(sequenceId, after, limit));
    }

    @Override
    public List<LedgerRow> listLedger(CounterKey key, long fromIndex, int limit) {
        return read(Call.LIST_LEDGER, () -> store.listLedger(key, fromIndex, limit));
    }

    @Override
    public WriteOutcome apply(Change change) {
        Fault fault = begin(Call.APPLY);
        if (fault instanceof Fault.Unknown unknown) {
            send(change, unknown.landing());
            return new WriteOutcome.Unknown(new StoreException(Kind.UNAVAILABLE, "the answer was lost"));
        }
        if (fault instanceof Fault.SyncFailed failed) {
            StoreException reason = new StoreException(Kind.FAILED, "a sync failed");
            stopped.compareAndSet(null, reason);
            send(change, failed.applied() ? Fault.Landing.NOW : Fault.Landing.NEVER);
            return new WriteOutcome.Unknown(reason);
        }
        return store.apply(change);
    }

    private void send(Change change, Fault.Landing landing) {
        switch (landing) {
            case NOW -> store.apply(change);
            case LATER -> {
                synchronized (onTheirWay) {
                    onTheirWay.add(change);
                }
            }
            case NEVER -> {}
        }
    }

    private <T> T read(Call call, Supplier<T> read) {
        Fault fault = begin(call);
        if (fault.isForWritesOnly()) {
            throw new IllegalStateException("only a write can meet this fault: call=" + call + " fault=" + fault);
        }
        return read.get();
    }

    /** Counts the call and lets its fault come true as far as it is the same for all calls. */
    private Fault begin(Call call) {
        counts.incrementAndGet(index(call));
        StoreException reason = stopped.get();
        if (reason != null) {
            throw new StoreException(reason.kind(), String.valueOf(reason.getMessage()), reason);
        }
        Fault fault = plan.next(call);
        if (fault instanceof Fault.Unavailable unavailable) {
            throw new StoreException(Kind.UNAVAILABLE, unavailable.message());
        }
        if (fault instanceof Fault.Slow slow) {
            slow.hold().pass();
        }
        return fault;
    }

    private static int index(Call call) {
        return List.of(Call.values()).indexOf(call);
    }

    @Override
    public long sweepIdempotency(Instant now) {
        return read(Call.SWEEP_IDEMPOTENCY, () -> store.sweepIdempotency(now));
    }

    @Override
    public boolean isShared() {
        return store.isShared();
    }

    @Override
    public Optional<StoreException> failure() {
        StoreException reason = stopped.get();
        return reason == null || hasCrashed() ? store.failure() : Optional.of(reason);
    }

    private boolean hasCrashed() {
        StoreException reason = stopped.get();
        return reason != null && reason.kind() == Kind.UNAVAILABLE;
    }

    @Override
    public void close() {
        if (!hasCrashed()) {
            store.close();
        }
    }
}
