package io.seriatim;

import io.seriatim.store.CounterStore;
import io.seriatim.store.IdempotencyKey;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Gives the repetition of a request the answer of the first. Safe for use by many threads. */
final class RequestKeys {

    /*
     * The row in the store decides, not this object: it goes in only where none is, in the write that takes the
     * values (ordered) or before they are returned (fast). What is here only turns a repetition away while the
     * first is under way in this process, and keeps the number of rows bounded.
     *
     * Rows are kept for KEPT and never removed before; when there are MOST of them, new keys are turned away.
     * They are counted at each sweep, and our own since: other processes may be ahead by what they add between
     * two sweeps.
     */

    private static final Duration KEPT = Duration.ofHours(24);
    private static final Duration BETWEEN_SWEEPS = Duration.ofMinutes(10);

    private final CounterStore store;
    private final Environment environment;
    private final StoreCalls calls;
    private final long most;
    private final Set<IdempotencyKey> underWay = ConcurrentHashMap.newKeySet();
    private final AtomicLong rows = new AtomicLong();
    private final AtomicBoolean sweeping = new AtomicBoolean();
    private volatile long nextSweepNanos;

    /** @param most rows to keep; one more is refused */
    RequestKeys(CounterStore store, Environment environment, StoreCalls calls, long most) {
        this.store = store;
        this.environment = environment;
        this.calls = calls;
        this.most = most;
        this.nextSweepNanos = environment.nanoTime();
    }

    /**
     * Answers a request: as before, or by taking values.
     *
     * @param repeat answers from the row that was kept
     * @param take takes values and makes the row of the request durable before it returns them
     * @throws RequestKeyException if the key cannot be served
     */
    <T> T once(
            long sequenceId,
            RequestKey key,
            Shape shape,
            long count,
            RequestNote note,
            BiFunction<Request, IdempotencyRow, T> repeat,
            Function<Request, T> take) {
        IdempotencyKey id = new IdempotencyKey(sequenceId, key.caller(), key.key());
        Request request = new Request(id, shape, count, note, environment.now().plus(KEPT));
        if (!underWay.add(id)) {
            throw new RequestKeyException(
                    ErrorCode.KEY_IN_FLIGHT, "the request with this key is still being answered: key=" + key.key());
        }
        try {
            Optional<IdempotencyRow> found = calls.read(() -> store.findIdempotency(id));
            if (found.isPresent()) {
                return repeat.apply(request, found.get());
            }
            sweepWhenDue();
            if (rows.incrementAndGet() > most) {
                rows.decrementAndGet();
                throw new RequestKeyException(
                        ErrorCode.TOO_MANY, "no further key can be kept until older ones expire: kept=" + most);
            }
            return counted(take, request);
        } finally {
            underWay.remove(id);
        }
    }

    /** What is kept with the answer of a key; empty if there is no answer yet. */
    Optional<String> noteOf(long sequenceId, RequestKey key) {
        IdempotencyKey id = new IdempotencyKey(sequenceId, key.caller(), key.key());
        return calls.read(() -> store.findIdempotency(id))
                .map(row -> Answer.in(row).note().kept());
    }

    /** A request that failed has most likely kept no row; the next sweep counts the ones that are there. */
    private <T> T counted(Function<Request, T> take, Request request) {
        try {
            return take.apply(request);
        } catch (RuntimeException | Error e) {
            rows.decrementAndGet();
            throw e;
        }
    }

    private void sweepWhenDue() {
        if (environment.nanoTime() - nextSweepNanos < 0 || !sweeping.compareAndSet(false, true)) {
            return;
        }
        nextSweepNanos = environment.nanoTime() + BETWEEN_SWEEPS.toNanos();
        try {
            environment.executor().execute(this::sweep);
        } catch (RejectedExecutionException e) {
            sweeping.set(false); // the store has enough to do; the next call tries again
            nextSweepNanos = environment.nanoTime();
        }
    }

    private void sweep() {
        try {
            long before = rows.get();
            long left = store.sweepIdempotency(environment.now());
            rows.addAndGet(left - before);
        } catch (StoreException e) {
            nextSweepNanos = environment.nanoTime(); // whoever calls next finds out what the store has to say
        } finally {
            sweeping.set(false);
        }
    }
}
