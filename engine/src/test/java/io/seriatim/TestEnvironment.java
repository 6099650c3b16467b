package io.seriatim;

import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Time that stands still until it is moved, and store calls that run at once on the caller's thread, or wait
 * until the test lets them run.
 */
public final class TestEnvironment implements Environment {

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong randoms;
    private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();
    private final PriorityBlockingQueue<Later> later = new PriorityBlockingQueue<>();
    private final AtomicLong tasks = new AtomicLong();
    private volatile boolean holding;
    private volatile boolean refusing;

    public TestEnvironment() {
        this(0);
    }

    /** @param random another one for each engine of a store, so that their marks differ */
    public TestEnvironment(long random) {
        randoms = new AtomicLong(random);
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(nanos.get());
    }

    @Override
    public long nanoTime() {
        return nanos.get();
    }

    @Override
    public long random() {
        return randoms.incrementAndGet();
    }

    @Override
    public Executor executor() {
        return task -> {
            tasks.incrementAndGet();
            if (refusing) {
                throw new RejectedExecutionException();
            }
            if (holding) {
                held.add(task);
            } else {
                task.run();
            }
        };
    }

    private record Later(long atNanos, Runnable task) implements Comparable<Later> {
        @Override
        public int compareTo(Later other) {
            return Long.compare(atNanos, other.atNanos);
        }
    }

    @Override
    public void after(Duration delay, Runnable task) {
        later.add(new Later(nanos.get() + delay.toNanos(), task));
    }

    /** Moves the time while everything stands still: what was to be run by then is run when it is moved the next time. */
    public void skip(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    /** Moves the time, and runs what was to be run by then. */
    public void pass(Duration time) {
        long until = nanos.addAndGet(time.toNanos());
        for (Later next = later.peek(); next != null && next.atNanos() <= until; next = later.peek()) {
            if (later.remove(next)) {
                executor().execute(next.task());
            }
        }
    }

    /** Whether there is no thread for a store call. */
    public void refuse(boolean refuse) {
        refusing = refuse;
    }

    /** From now on store calls wait. */
    public void hold() {
        holding = true;
    }

    /** Runs the store calls that wait, and later ones at once. */
    public void release() {
        holding = false;
        for (Runnable task = held.poll(); task != null; task = held.poll()) {
            task.run();
        }
    }

    /** How many store calls were made so far. */
    long taskCount() {
        return tasks.get();
    }

    /** How many store calls wait. */
    public int heldCount() {
        return held.size();
    }
}
