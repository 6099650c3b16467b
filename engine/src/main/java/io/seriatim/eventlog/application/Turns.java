package io.seriatim.eventlog.application;

import io.seriatim.Environment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Gives a partition its turns on the environment's threads: one at a time, and one after each call for it. */
final class Turns {

    /*
     * "calls" is 0 while no turn is on its way; who raises it from 0 sends one. A turn that begins sets it to 1, for itself, and
     * one that ends sets it to 0 if nobody has called meanwhile, and goes on otherwise. So no call is lost, and there are never
     * two turns, without a lock: what one turn writes the next one sees, through the count.
     */

    /** What is done in them. */
    interface Work {

        /** Does what there is to do; says whether there is more at once. */
        boolean turn();

        /** A turn broke off; another one comes later. */
        void broken(Throwable thrown);

        /** Takes the place of a turn that no thread is free for. */
        void noThread(Throwable none);
    }

    private final Environment environment;
    private final Duration retry;
    private final Work work;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicBoolean retrying = new AtomicBoolean();
    private final AtomicBoolean looking = new AtomicBoolean();

    Turns(Environment environment, Duration retry, Work work) {
        this.environment = environment;
        this.retry = retry;
        this.work = work;
    }

    /** There is something to do. */
    void wake() {
        if (calls.getAndIncrement() == 0) {
            execute();
        }
    }

    /** Comes back soon, to look whether something is there. */
    void lookLater(Duration delay) {
        wakeAfter(delay, looking);
    }

    /** Comes back when there has been time for something to be mended. */
    void retryLater() {
        wakeAfter(retry, retrying);
    }

    /** One timer of a kind, however many find that it is not time yet. */
    private void wakeAfter(Duration delay, AtomicBoolean onItsWay) {
        if (onItsWay.compareAndSet(false, true)) {
            environment.after(delay, () -> {
                onItsWay.set(false);
                wake();
            });
        }
    }

    private void execute() {
        try {
            environment.executor().execute(this::turn);
        } catch (RuntimeException | Error none) { // no place in the queue, or the machine has no thread left
            int seen;
            do { // as a turn does, of which there must be one at a time
                seen = calls.get();
                work.noThread(none);
            } while (!calls.compareAndSet(seen, 0));
            retryLater();
        }
    }

    @SuppressWarnings("CatchingUnchecked") // whatever a turn throws is kept and told, and the next one begins anew
    private void turn() {
        int unused = calls.getAndSet(1);
        boolean more = false;
        try {
            more = work.turn();
        } catch (RuntimeException | Error e) {
            tellBroken(e);
            retryLater();
        } finally {
            if (more || !calls.compareAndSet(1, 0)) {
                execute();
            }
        }
    }

    @SuppressWarnings(
            "CatchingUnchecked") // out of memory twice in a row: the turn that comes later finds what this one left
    private void tellBroken(Throwable thrown) {
        try {
            work.broken(thrown);
        } catch (RuntimeException | Error e) {
            thrown.addSuppressed(e);
        }
    }
}
