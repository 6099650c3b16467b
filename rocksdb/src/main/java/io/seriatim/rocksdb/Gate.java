package io.seriatim.rocksdb;

import io.seriatim.store.StoreException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Lets calls in until it is shut, and says when the last one has left. */
final class Gate {

    /*
     * A native handle that is used after it was freed takes the whole process with it, so every call stands
     * in here while it touches one. One number: the calls inside, and the sign bit once the gate is shut. A
     * call adds itself first and looks then; who finds the sign bit leaves without having touched anything.
     * Shut and empty is the sign bit alone, and from then on nobody touches the handles again.
     */

    private static final long SHUT = Long.MIN_VALUE;

    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private final AtomicLong calls = new AtomicLong();
    private final CountDownLatch empty = new CountDownLatch(1);

    void enter() {
        if (calls.incrementAndGet() < 0) {
            leave();
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "the store is closed");
        }
    }

    void leave() {
        if (calls.decrementAndGet() == SHUT) {
            empty.countDown();
        }
    }

    void shut() {
        if (calls.getAndUpdate(inside -> inside | SHUT) == 0) {
            empty.countDown();
        }
    }

    /** Returns when the gate is shut and nobody is inside, and not before: an interrupt is kept for later. */
    void awaitEmpty() {
        boolean unused = awaitEmpty(FOREVER); // 292 years
    }

    /** The same, but not longer than that; returns whether it is so. */
    boolean awaitEmpty(Duration bound) {
        long deadline = System.nanoTime() + bound.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return empty.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
