package io.seriatim.postgresql;

import io.seriatim.store.StoreException;
import java.time.Duration;

/** Lets calls in until it is shut, and waits for the last one to leave. */
final class Gate {

    /** Guarded by this object's monitor, as the next field is. */
    private int inside;

    private boolean shut;

    synchronized void enter() {
        if (shut) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "the store is closed");
        }
        inside++;
    }

    synchronized void leave() {
        inside--;
        notifyAll();
    }

    /** Lets nobody in any more; waits until all have left, or that long. Not broken off by an interrupt. */
    synchronized void shut(Duration bound) {
        shut = true;
        long deadline = System.nanoTime() + bound.toNanos();
        boolean interrupted = false;
        for (long rest = bound.toNanos(); inside > 0 && rest > 0; rest = deadline - System.nanoTime()) {
            try {
                wait(rest / 1_000_000 + 1);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
