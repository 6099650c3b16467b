package io.seriatim.eventlog;

import java.time.Duration;

/**
 * How a sequencer works.
 *
 * @param maxUnflushedValues past so many numbers that are not stored yet, no transaction starts
 * @param maxUnflushedEvents the same of events
 * @param flushCount events after which the numbers are stored
 * @param maxFlushingInterval time after which they are stored if fewer events have come
 * @param lruCacheSize workspaces in memory; those whose numbers are not stored come on top, and leave by and by
 * @param batcherDelay how long a replay, or a flush that finds a transaction open, waits before it looks again
 * @param retry how long after a failure of the store the same is tried again
 * @param maxWait how long a transaction waits for the numbers of a workspace from a store that fails
 * @param closeWait how long a close waits for what is not stored yet
 */
public record SequencerSettings(
        int maxUnflushedValues,
        int maxUnflushedEvents,
        int flushCount,
        Duration maxFlushingInterval,
        int lruCacheSize,
        Duration batcherDelay,
        Duration retry,
        Duration maxWait,
        Duration closeWait) {

    /** More would need larger arrays than there are. */
    private static final int MOST = 100_000_000;

    public SequencerSettings {
        require("maxUnflushedValues", maxUnflushedValues);
        require("maxUnflushedEvents", maxUnflushedEvents);
        require("flushCount", flushCount);
        require("lruCacheSize", lruCacheSize);
        require("maxFlushingInterval", maxFlushingInterval);
        require("batcherDelay", batcherDelay);
        require("retry", retry);
        require("maxWait", maxWait);
        require("closeWait", closeWait);
    }

    private static void require(String name, int value) {
        if (value < 1 || value > MOST) {
            throw new IllegalArgumentException(name + " is from 1 to " + MOST + ": " + name + "=" + value);
        }
    }

    private static void require(String name, Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(name + " is longer than 0 and at most a day: " + name + "=" + value);
        }
    }

    public static SequencerSettings usual() {
        return new SequencerSettings(
                8_192,
                100_000,
                100,
                Duration.ofMillis(500),
                100_000,
                Duration.ofMillis(5),
                Duration.ofMillis(500),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5));
    }

    public SequencerSettings withMaxUnflushed(int values, int events) {
        return new SequencerSettings(
                values, events, flushCount, maxFlushingInterval, lruCacheSize, batcherDelay, retry, maxWait, closeWait);
    }

    public SequencerSettings withFlush(int count, Duration interval) {
        return new SequencerSettings(
                maxUnflushedValues,
                maxUnflushedEvents,
                count,
                interval,
                lruCacheSize,
                batcherDelay,
                retry,
                maxWait,
                closeWait);
    }

    public SequencerSettings withLruCacheSize(int workspaces) {
        return new SequencerSettings(
                maxUnflushedValues,
                maxUnflushedEvents,
                flushCount,
                maxFlushingInterval,
                workspaces,
                batcherDelay,
                retry,
                maxWait,
                closeWait);
    }

    public SequencerSettings withWaits(Duration batcher, Duration again, Duration longest, Duration close) {
        return new SequencerSettings(
                maxUnflushedValues,
                maxUnflushedEvents,
                flushCount,
                maxFlushingInterval,
                lruCacheSize,
                batcher,
                again,
                longest,
                close);
    }
}
