package io.seriatim.eventlog.application;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** How far a partition is, and who waits for it to come further. Safe for use by many threads. */
final class Marks {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    /** The last offset that readers of the log see. */
    private volatile long durable;
    /** The first offset that readers of what follows from events do not see. */
    private volatile long applied = 1;
    /** How often that went back. */
    private final AtomicLong setbacks = new AtomicLong();

    private volatile boolean known;
    private volatile boolean closed;
    private final AtomicLong changes = new AtomicLong();

    long durable() {
        return durable;
    }

    long applied() {
        return applied;
    }

    /** Whether the end of the log is known: before that it only looks empty. */
    boolean isKnown() {
        return known;
    }

    /** The end of the log is to be found out again. */
    void forgetDurable() {
        known = false;
    }

    void setDurable(long offset) {
        durable = offset;
        known = true;
        tell();
    }

    /** How often what follows from events was begun anew; whoever reads it looks before and after. */
    long setbacks() {
        return setbacks.get();
    }

    void setApplied(long offset) {
        if (offset < applied) {
            long unused = setbacks.incrementAndGet();
        }
        applied = offset;
        tell();
    }

    /** Nobody waits any more. */
    void close() {
        closed = true;
        tell();
    }

    /** Something else has changed. */
    void tell() {
        lock.lock();
        try {
            long unused = changes.incrementAndGet();
            moved.signalAll();
        } finally {
            lock.unlock();
        }
        listeners.forEach(this::tell);
    }

    private void tell(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException e) {
            listeners.remove(listener); // it breaks its word; a partition does not stop for that
        }
    }

    /** Calls a task whenever something has moved, on the thread that moved it, until what is returned is run. */
    Runnable listen(Runnable task) {
        listeners.add(task);
        return () -> listeners.remove(task);
    }

    /** Waits until an event is applied; says whether it is. */
    boolean awaitApplied(long offset, long nanos) {
        return await(() -> applied > offset, nanos);
    }

    /** Waits until something changes from now on, or until time is over. */
    void awaitChange(long nanos) {
        long seen = changes.get();
        boolean unused = await(() -> changes.get() != seen, nanos);
    }

    private interface Reached {
        boolean now();
    }

    private boolean await(Reached reached, long nanos) {
        if (reached.now()) {
            return true;
        }
        lock.lock();
        try {
            long left = nanos;
            while (!reached.now() && !closed && left > 0) {
                left = moved.awaitNanos(left);
            }
            return reached.now();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return reached.now();
        } finally {
            lock.unlock();
        }
    }
}
