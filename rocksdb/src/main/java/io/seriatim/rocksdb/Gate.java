package io.seriatim.rocksdb;

import io.seriatim.store.StoreException;
import java.util.concurrent.CountDownLatch;
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
        boolean interrupted = false;
        while (true) {
            try {
                empty.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
