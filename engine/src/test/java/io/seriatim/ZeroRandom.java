package io.seriatim;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;

/** Draws nothing but zeros. */
record ZeroRandom(Environment environment) implements Environment {

    @Override
    public Instant now() {
        return environment.now();
    }

    @Override
    public long nanoTime() {
        return environment.nanoTime();
    }

    @Override
    public long random() {
        return 0;
    }

    @Override
    public Executor executor() {
        return environment.executor();
    }

    @Override
    public void after(Duration delay, Runnable task) {
        environment.after(delay, task);
    }
}
