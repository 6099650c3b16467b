package io.seriatim;

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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A memory store whose next writes end as a test says. */
final class ScriptedStore extends Forwarding {

    /** The end of one write. */
    enum Fate {
        APPLIED,
        /** Fails before anything happens. */
        UNAVAILABLE,
        /** Applied, but the answer is lost. */
        UNKNOWN_APPLIED,
        /** Not applied, and the answer is lost. */
        UNKNOWN_LOST,
        /** A bug: something that no store should throw. */
        BROKEN
    }

    private final Deque<Fate> fates = new ArrayDeque<>();
    private int reads;
    private int writes;
    private boolean readsFail;
    private @Nullable Runnable before;
    private @Nullable Runnable beforeRead;
    private @Nullable Runnable afterRead;

    ScriptedStore() {
        this(new MemoryCounterStore());
    }

    ScriptedStore(CounterStore store) {
        super(store);
    }

    synchronized void nextWrites(Fate... more) {
        fates.addAll(List.of(more));
    }

    synchronized void forgetFates() {
        fates.clear();
    }

    /** Does something, once, just before the next write. */
    synchronized void beforeNextWrite(Runnable action) {
        before = action;
    }

    /** Does something, once, just before the next read of a counter, and something just after it. */
    synchronized void aroundNextCounterRead(Runnable first, Runnable then) {
        beforeRead = first;
        afterRead = then;
    }

    synchronized void readsFail(boolean fail) {
        readsFail = fail;
    }

    synchronized int writes() {
        return writes;
    }

    synchronized int reads() {
        return reads;
    }

    private synchronized void reading() {
        reads++;
        if (readsFail) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "scripted");
        }
    }

    @Override
    public Optional<DefinitionRow> findDefinition(String name) {
        reading();
        return store.findDefinition(name);
    }

    @Override
    public List<DefinitionRow> listDefinitions(String prefix, String after, int limit) {
        reading();
        return store.listDefinitions(prefix, after, limit);
    }

    @Override
    public Optional<CounterRow> findCounter(CounterKey key) {
        reading();
        Runnable first;
        Runnable then;
        synchronized (this) {
            first = beforeRead;
            then = afterRead;
            beforeRead = null;
            afterRead = null;
        }
        if (first == null || then == null) {
            return store.findCounter(key);
        }
        first.run();
        Optional<CounterRow> row = store.findCounter(key);
        then.run();
        return row;
    }

    @Override
    public Optional<IdempotencyRow> findIdempotency(IdempotencyKey key) {
        reading();
        return store.findIdempotency(key);
    }

    @Override
    public List<CounterRow> listCounters(long sequenceId, Optional<CounterKey> after, int limit) {
        reading();
        return store.listCounters(sequenceId, after, limit);
    }

    @Override
    public List<LedgerRow> listLedger(CounterKey key, long fromIndex, int limit) {
        reading();
        return store.listLedger(key, fromIndex, limit);
    }

    @Override
    public WriteOutcome apply(Change change) {
        Runnable action;
        synchronized (this) {
            action = before;
            before = null;
        }
        if (action != null) {
            action.run();
        }
        Fate fate;
        synchronized (this) {
            writes++;
            fate = fates.isEmpty() ? Fate.APPLIED : fates.remove();
        }
        return switch (fate) {
            case APPLIED -> store.apply(change);
            case UNAVAILABLE -> throw new StoreException(StoreException.Kind.UNAVAILABLE, "scripted");
            case UNKNOWN_APPLIED -> {
                WriteOutcome outcome = store.apply(change);
                yield outcome instanceof WriteOutcome.Applied ? new WriteOutcome.Unknown(lost()) : outcome;
            }
            case UNKNOWN_LOST -> new WriteOutcome.Unknown(lost());
            case BROKEN -> throw new IllegalStateException("scripted bug");
        };
    }

    private static Exception lost() {
        return new Exception("scripted loss of the answer");
    }
}
