package io.seriatim;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;

/**
 * Everything that comes to the engine from outside besides the store: time, randomness, threads. A test or a
 * simulator gives its own and decides what happens when.
 *
 * <p>Implementations are safe for use by many threads.
 */
public interface Environment {

    /** The wall clock: for display only, it never decides which number comes. */
    Instant now();

    /** A clock that never goes back, in nanoseconds from an arbitrary origin: for waits and rates. */
    long nanoTime();

    /** A random long from the whole range: for ids and writer's marks. */
    long random();

    /**
     * Runs the calls to the store. A hanging store keeps its threads; a full queue must refuse with
     * {@link java.util.concurrent.RejectedExecutionException} rather than grow.
     */
    Executor executor();

    /**
     * Runs a task on the executor once, when the delay is over; not at all if the environment ends before. The
     * task may come late.
     */
    void after(Duration delay, Runnable task);
}
