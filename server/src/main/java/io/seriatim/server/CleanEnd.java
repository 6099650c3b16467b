package io.seriatim.server;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Lets SIGTERM and SIGINT end a command that goes on for ever: between two of its steps, with exit code 0. */
final class CleanEnd implements AutoCloseable {

    /** How long a step may take after the signal: it may be writing to somebody who does not read. */
    private static final Duration STEP = Duration.ofSeconds(2);

    /** For a command that ends by itself: a signal ends it as the system does. */
    static final CleanEnd NONE = new CleanEnd();

    /** Held during a step; the signal takes it for good. */
    private final ReentrantLock step = new ReentrantLock();

    private final Thread hook = new Thread(this::end, "seriatim-end");

    private CleanEnd() {}

    /** Until it is closed, a signal ends the process so. */
    static CleanEnd onSignal() {
        CleanEnd end = new CleanEnd();
        Runtime.getRuntime().addShutdownHook(end.hook);
        return end;
    }

    /** Runs a step that no signal breaks off. */
    boolean uninterrupted(BooleanSupplier task) {
        step.lock();
        try {
            return task.getAsBoolean();
        } finally {
            step.unlock();
        }
    }

    private void end() {
        try {
            boolean unused = step.tryLock(STEP.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(ExitCode.OK);
    }

    @Override
    public void close() {
        try {
            boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The signal has come: the hook ends the process.
            step.lock();
        }
    }
}
