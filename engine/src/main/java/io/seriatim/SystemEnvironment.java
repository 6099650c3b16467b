package io.seriatim;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The real clocks, threads and randomness; the only class of the engine that may touch them. */
public final class SystemEnvironment implements Environment, AutoCloseable {

    /** A fetch is one fsync long; more threads than this only queue up in the store. */
    private static final int THREADS = 16;

    /** One call waits at most for each open sequence; past this something is wrong, and BUSY is the answer. */
    private static final int QUEUE = 100_000;

    private final SecureRandom random = new SecureRandom();
    private final ThreadPoolExecutor executor;
    private final ScheduledThreadPoolExecutor timer;

    public SystemEnvironment() {
        executor = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(QUEUE),
                threadsNamed("seriatim-store-"));
        executor.allowCoreThreadTimeOut(true);
        timer = new ScheduledThreadPoolExecutor(
                1, threadsNamed("seriatim-timer-"), new ThreadPoolExecutor.DiscardPolicy()); // discards once closed
    }

    private static ThreadFactory threadsNamed(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long random() {
        return random.nextLong();
    }

    @Override
    public Executor executor() {
        return executor;
    }

    /** The timer only hands over: a task that waits for the store must not hold up the others. */
    @Override
    public void after(Duration delay, Runnable task) {
        ScheduledFuture<?> unused = timer.schedule(() -> handOver(delay, task), delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void handOver(Duration delay, Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException | OutOfMemoryError full) { // no place, or no thread
            after(delay, task);
        }
    }

    /** Takes no more tasks; those under way end by themselves, those whose time has not come are forgotten. */
    @Override
    public void close() {
        timer.shutdownNow();
        executor.shutdown();
    }
}
