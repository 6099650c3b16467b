package io.seriatim;

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
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A store whose n-th call is the one at which something happens. For one thread. */
final class StoppingStore extends Forwarding {

    /** What happens. */
    enum Trouble {
        /** The process ends before the call. */
        STOPPED_BEFORE(true),
        /** The process ends after the call was served and before its answer comes. */
        STOPPED_BEHIND(true),
        /** A write is applied, its answer lost; the process lives on. */
        ANSWER_LOST(false),
        /** A write and its answer are lost; the process lives on. */
        WRITE_LOST(false),
        /** The call fails and nothing was done; the process lives on. */
        FAILED(false);

        private final boolean ends;

        Trouble(boolean ends) {
            this.ends = ends;
        }
    }

    private final Trouble trouble;
    private final int at;
    private int calls;

    /** @param at counts the calls from 1 */
    StoppingStore(CounterStore store, Trouble trouble, int at) {
        super(store);
        this.trouble = trouble;
        this.at = at;
    }

    /** Whether so many calls came. */
    boolean wasReached() {
        return calls >= at;
    }

    private <T> T call(Supplier<T> call) {
        calls++;
        boolean now = calls == at;
        if (now ? trouble == Trouble.STOPPED_BEFORE || trouble == Trouble.FAILED : calls > at && trouble.ends) {
            throw gone();
        }
        T answer = call.get();
        if (now && trouble == Trouble.STOPPED_BEHIND) {
            throw gone();
        }
        return answer;
    }

    private static StoreException gone() {
        return new StoreException(StoreException.Kind.UNAVAILABLE, "the process has ended");
    }

    @Override
    public WriteOutcome apply(Change change) {
        boolean now = calls + 1 == at;
        if (now && trouble == Trouble.WRITE_LOST) {
            calls++;
            return lost();
        }
        if (now && (trouble == Trouble.STOPPED_BEHIND || trouble == Trouble.ANSWER_LOST)) {
            calls++;
            WriteOutcome outcome = super.apply(change);
            return outcome instanceof WriteOutcome.Applied ? lost() : outcome;
        }
        return call(() -> super.apply(change));
    }

    private static WriteOutcome lost() {
        return new WriteOutcome.Unknown(new Exception("the answer is lost"));
    }

    @Override
    public Optional<DefinitionRow> findDefinition(String name) {
        return call(() -> super.findDefinition(name));
    }

    @Override
    public List<DefinitionRow> listDefinitions(String prefix, String after, int limit) {
        return call(() -> super.listDefinitions(prefix, after, limit));
    }

    @Override
    public Optional<CounterRow> findCounter(CounterKey key) {
        return call(() -> super.findCounter(key));
    }

    @Override
    public List<CounterRow> listCounters(long sequenceId, Optional<CounterKey> after, int limit) {
        return call(() -> super.listCounters(sequenceId, after, limit));
    }

    @Override
    public Optional<IdempotencyRow> findIdempotency(IdempotencyKey key) {
        return call(() -> super.findIdempotency(key));
    }

    @Override
    public List<LedgerRow> listLedger(CounterKey key, long fromIndex, int limit) {
        return call(() -> super.listLedger(key, fromIndex, limit));
    }

    @Override
    public void close() {}
}
