package io.seriatim.verification;

import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one process to a store, each of which fails as a {@link FaultPlan} says, and is counted.
 *
 * @param <O> what a write answers
 */
final class FaultyCalls<O> {

    /*
     * A write of unknown outcome is the heart of it. It may be in the store behind, or lost, or on its way: then
     * it waits in `onTheirWay` and is applied by `land`, perhaps after later writes, perhaps after the process that
     * sent it has ended. It is a conditional write then too, so it lands only where its condition still holds.
     */

    private final FaultPlan plan;
    private final Function<StoreException, O> unknown;
    private final Map<StoreCall, AtomicLong> counts = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable StoreException> stopped = new AtomicReference<>();

    /** Guarded by itself. */
    private final Queue<Supplier<O>> onTheirWay;

    private FaultyCalls(FaultPlan plan, Function<StoreException, O> unknown, Queue<Supplier<O>> onTheirWay) {
        this.plan = plan;
        this.unknown = unknown;
        this.onTheirWay = onTheirWay;
    }

    /**
     * Calls of a first process.
     *
     * @param unknown makes the answer of a write whose outcome is unknown
     */
    FaultyCalls(FaultPlan plan, Function<StoreException, O> unknown) {
        this(plan, unknown, new ArrayDeque<>());
    }

    /** Ends the process: every later call is unavailable. Returns the calls of the next one. */
    FaultyCalls<O> crash(FaultPlan next) {
        stopped.compareAndSet(null, new StoreException(Kind.UNAVAILABLE, "the process has ended"));
        return new FaultyCalls<>(next, unknown, onTheirWay);
    }

    boolean hasCrashed() {
        StoreException reason = stopped.get();
        return reason != null && reason.kind() == Kind.UNAVAILABLE;
    }

    /** Why the store has stopped, by a fault. */
    Optional<StoreException> failure() {
        return hasCrashed() ? Optional.empty() : Optional.ofNullable(stopped.get());
    }

    long count(StoreCall call) {
        AtomicLong count = counts.get(call);
        return count == null ? 0 : count.get();
    }

    int onTheirWay() {
        synchronized (onTheirWay) {
            return onTheirWay.size();
        }
    }

    /** Lets the write that is longest on its way land. */
    Optional<O> land() {
        Supplier<O> write;
        synchronized (onTheirWay) {
            write = onTheirWay.poll();
        }
        return write == null ? Optional.empty() : Optional.of(write.get());
    }

    <T> T read(StoreCall call, Supplier<T> read) {
        Fault fault = begin(call);
        if (fault.isForWritesOnly()) {
            throw new IllegalStateException("only a write can meet this fault: call=" + call + " fault=" + fault);
        }
        return read.get();
    }

    O write(StoreCall call, Supplier<O> write) {
        Fault fault = begin(call);
        if (fault instanceof Fault.Unknown lost) {
            send(write, lost.landing());
            return unknown.apply(new StoreException(Kind.UNAVAILABLE, "the answer was lost"));
        }
        if (fault instanceof Fault.SyncFailed failed) {
            StoreException reason = new StoreException(Kind.FAILED, "a sync failed");
            stopped.compareAndSet(null, reason);
            send(write, failed.applied() ? Fault.Landing.NOW : Fault.Landing.NEVER);
            return unknown.apply(reason);
        }
        return write.get();
    }

    private void send(Supplier<O> write, Fault.Landing landing) {
        switch (landing) {
            case NOW -> {
                O unused = write.get(); // the answer is what is lost
            }
            case LATER -> {
                synchronized (onTheirWay) {
                    onTheirWay.add(write);
                }
            }
            case NEVER -> {}
        }
    }

    /** Counts the call and lets its fault come true as far as it is the same for all calls. */
    private Fault begin(StoreCall call) {
        counts.computeIfAbsent(call, each -> new AtomicLong()).incrementAndGet();
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
}
