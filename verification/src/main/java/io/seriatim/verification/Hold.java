package io.seriatim.verification;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Where a slow call waits until a test lets it go. Holds as many calls as come, all until the one release. */
public final class Hold {

    private static final long PATIENCE_SECONDS = 60;

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    /** Returns when a call waits in here. */
    public void awaitCall() throws InterruptedException {
        if (!entered.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("no call came within " + PATIENCE_SECONDS + " s");
        }
    }

    /** Lets go every call that waits and every call that comes. */
    public void release() {
        released.countDown();
    }

    /** Waits for the release; as a call into a file system does, without listening to interrupts. */
    void pass() {
        entered.countDown();
        boolean interrupted = false;
        while (true) {
            try {
                released.await();
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
