package io.seriatim.eventlog.application;

import io.seriatim.eventlog.EventLogException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The acts of operators at one partition: one waits for its turn, others for the recovery that they have asked for.
 *
 * <p>{@link #offer}, {@link #refuseWaiting} and {@link #refuseAll} are safe for use by many threads; the rest is for the
 * turns of a processor.
 */
final class Operations {

    private final AtomicReference<@Nullable Operation> waiting = new AtomicReference<>();
    /** Two at most: one may begin to wait while the one before it begins a recovery. */
    private final Queue<Operation> recovering = new ConcurrentLinkedQueue<>();

    /** The one that a turn has begun last. */
    private volatile @Nullable Operation begun;

    /** Lets one wait for the next turn; false while another one does, or a recovery that was asked for is not over. */
    boolean offer(Operation wanted) {
        return recovering.isEmpty() && waiting.compareAndSet(null, wanted);
    }

    /** Runs the one that waits. */
    void run() {
        Operation next = waiting.get();
        if (next != null) {
            begun = next; // before it leaves its place, so that who looks for it finds it in one of the two
            if (waiting.compareAndSet(next, null)) { // first, as whoever has its answer may ask for another one
                next.run();
            }
        }
    }

    /** Lets the recovery that comes end it, however that ends. */
    void awaitRecovery(Operation operation) {
        recovering.add(operation);
    }

    void recovered() {
        for (Operation each = recovering.poll(); each != null; each = recovering.poll()) {
            each.done();
        }
    }

    void refuseWaiting(EventLogException reason) {
        Operation refused = waiting.getAndSet(null);
        if (refused != null) {
            refused.refuse(reason);
        }
    }

    /**
     * Answers all of them, where a turn hangs.
     *
     * @param refusal for the one that nothing was done for
     * @param unknown for those of which nobody can say what was done
     */
    void refuseAll(EventLogException refusal, EventLogException unknown) {
        refuseWaiting(refusal);
        Operation underWay = begun;
        if (underWay != null) {
            underWay.refuse(unknown);
        }
        recovering.forEach(each -> each.refuse(unknown));
    }
}
