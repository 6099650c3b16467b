package io.seriatim.eventlog;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Tells those who wait that something has changed. */
final class Signal {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final AtomicLong count = new AtomicLong();

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
     * @param nanos at most; false when they are over, or the thread is interrupted
     */
    boolean await(long seen, long nanos) {
        lock.lock();
        try {
            return awaitChange(seen, nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** The same for who has to see something through: an interrupted thread waits, and is interrupted afterwards. */
    void awaitThrough(long seen, Duration time) {
        boolean interrupted = Thread.interrupted();
        lock.lock();
        try {
            boolean unused = awaitChange(seen, time.toNanos());
        } catch (InterruptedException e) {
            interrupted = true; // who calls this looks again, and waits again
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean awaitChange(long seen, long nanos) throws InterruptedException {
        for (long left = nanos; count.get() == seen; ) {
            if (left <= 0) {
                return false;
            }
            left = changed.awaitNanos(left);
        }
        return true;
    }
}
