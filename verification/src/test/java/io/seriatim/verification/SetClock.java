package io.seriatim.verification;

import io.seriatim.Environment;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/** A wall clock that a test sets, forwards and back. Store calls run on the caller's thread; nothing runs later. */
final class SetClock implements Environment {

    private volatile Instant now = Instant.EPOCH;
    private final AtomicLong random;

    /** @param seed of the ids and marks; another one for each engine on a store */
    SetClock(long seed) {
        random = new AtomicLong(seed);
    }

    void set(Instant instant) {
        now = instant;
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    /** SplitMix64: different for as long as the test runs, and the same in each run. */
    @Override
    public long random() {
        long z = random.addAndGet(0x9e3779b97f4a7c15L);
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    @Override
    public Executor executor() {
        return Runnable::run;
    }

    @Override
    public void after(Duration delay, Runnable task) {}
}
