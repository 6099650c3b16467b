package io.seriatim.server;

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
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A store in memory that hangs, fails or loses an answer when a test says so. */
final class TroubledStore implements CounterStore {

    private final MemoryCounterStore store = new MemoryCounterStore();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile CountDownLatch held = new CountDownLatch(0);
    private volatile @Nullable StoreException failure;
    private volatile @Nullable StoreException stopped;
    private volatile boolean losesAnswers;
    private volatile long moreKeys;
    private volatile @Nullable RuntimeException surprise;

    /** From now on calls wait. */
    void hold() {
        held = new CountDownLatch(1);
    }

    void release() {
        held.countDown();
    }

    /** From now on calls fail, and the store has stopped if the kind says so. */
    void fail(StoreException failure) {
        this.failure = failure;
    }

    /** From now on the store says that it has stopped, though it could still be read. */
    void stop(StoreException failure) {
        stopped = failure;
    }

    /** From now on the outcome of each write is unknown, and none is applied. */
    void loseAnswers() {
        losesAnswers = true;
    }

    /** From now on a sweep finds so many keys more than were put in. */
    void addKeys(long count) {
        moreKeys = count;
    }

    /** From now on calls throw what no store may throw. */
    void surprise(RuntimeException surprise) {
        this.surprise = surprise;
    }

    /** Whether a call waits in here. */
    boolean isAsked() {
        return waiting.get() > 0;
    }

    private void pass() {
        waiting.incrementAndGet();
        try {
            held.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            waiting.decrementAndGet();
        }
        StoreException failing = failure;
        if (failing != null) {
            throw failing;
        }
        RuntimeException surprising = surprise;
        if (surprising != null) {
            throw surprising;
        }
    }

    @Override
    public Optional<DefinitionRow> findDefinition(String name) {
        pass();
        return store.findDefinition(name);
    }

    @Override
    public List<DefinitionRow> listDefinitions(String prefix, String after, int limit) {
        pass();
        return store.listDefinitions(prefix, after, limit);
    }

    @Override
    public Optional<CounterRow> findCounter(CounterKey key) {
        pass();
        return store.findCounter(key);
    }

    @Override
    public Optional<IdempotencyRow> findIdempotency(IdempotencyKey key) {
        pass();
        return store.findIdempotency(key);
    }

    @Override
    public List<CounterRow> listCounters(long sequenceId, Optional<CounterKey> after, int limit) {
        pass();
        return store.listCounters(sequenceId, after, limit);
    }

    @Override
    public List<LedgerRow> listLedger(CounterKey key, long fromIndex, int limit) {
        pass();
        return store.listLedger(key, fromIndex, limit);
    }

    @Override
    public WriteOutcome apply(Change change) {
        pass();
        return losesAnswers ? new WriteOutcome.Unknown(new IllegalStateException("lost")) : store.apply(change);
    }

    @Override
    public long sweepIdempotency(Instant now) {
        pass();
        return store.sweepIdempotency(now) + moreKeys;
    }

    @Override
    public boolean isShared() {
        return store.isShared();
    }

    @Override
    public Optional<StoreException> failure() {
        return Optional.ofNullable(stopped == null ? failure : stopped)
                .filter(e -> e.kind() != StoreException.Kind.UNAVAILABLE && e.kind() != StoreException.Kind.IN_USE);
    }

    @Override
    public void close() {
        release();
        store.close();
    }
}
