package io.seriatim;

import io.seriatim.store.Change;
import io.seriatim.store.CounterStore;
import io.seriatim.store.WriteOutcome;
import java.util.concurrent.CountDownLatch;

/** A store whose writes are sent and not answered until a test lets them. */
final class StuckStore extends Forwarding {

    private volatile CountDownLatch free = new CountDownLatch(0);

    StuckStore(CounterStore store) {
        super(store);
    }

    void stick() {
        free = new CountDownLatch(1);
    }

    void release() {
        free.countDown();
    }

    @Override
    public WriteOutcome apply(Change change) {
        WriteOutcome outcome = super.apply(change);
        try {
            free.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return outcome;
    }
}
