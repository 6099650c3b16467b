package io.seriatim.eventlog;

import io.seriatim.Environment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Tells those who wait that something has changed. */
final class Signal {

    private final Environment environment;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final AtomicLong count = new AtomicLong();

    Signal(Environment environment) {
        this.environment = environment;
    }

    /** How many changes there were. */
    long count() {
        return count.get();
    }

    void all() {
        lock.lock();
        try {
            long unused = count.incrementAndGet();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until something has changed since a count was read; says whether it has.
     *
     * @param deadlineNanos by the environment's clock; false when it is past, or the thread is interrupted
     */
    boolean await(long seen, long deadlineNanos) {
        lock.lock();
        try {
            while (count.get() == seen) {
                long left = deadlineNanos - environment.nanoTime();
                if (left <= 0) {
                    return false;
                }
                long unused = changed.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }
}
