package io.seriatim.eventlog;

import java.time.Duration;
import java.util.Optional;

/**
 * How far the reading of a log has come.
 *
 * @param events read so far
 * @param total to read in all, as far as was known when it began
 * @param elapsed since it began, or until it ended
 * @param done whether it has ended
 */
public record ReplayProgress(long events, long total, Duration elapsed, boolean done) {

    /** From 0 to 100. */
    public int percent() {
        return done || total == 0 ? (done ? 100 : 0) : (int) Math.min(99, events * 100 / total);
    }

    public long eventsPerSecond() {
        long nanos = elapsed.toNanos();
        return nanos == 0 ? 0 : (long) (events * 1e9 / nanos);
    }

    /** How long the rest will take at the rate so far; empty while there is none. */
    public Optional<Duration> left() {
        if (done) {
            return Optional.of(Duration.ZERO);
        }
        return events == 0
                ? Optional.empty()
                : Optional.of(
                        Duration.ofNanos((long) ((double) elapsed.toNanos() / events * Math.max(0, total - events))));
    }
}
