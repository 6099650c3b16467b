package io.seriatim;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Says whether a recall found in a counter row still stands. Whoever made it may have been killed before it could
 * take it back, so it is void once this process has seen it for a while, by its own clock that never goes back.
 * Nothing hangs on a recall but waiting: the change that it was made for is written only over a row that lists nobody.
 */
final class RecallWatch {

    /** Twice what a change waits for the others where nothing else is said. */
    private static final long STANDS_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Environment environment;
    private @Nullable String seen;
    private long seenAtNanos;

    RecallWatch(Environment environment) {
        this.environment = environment;
    }

    synchronized boolean stands(Optional<String> recall) {
        if (recall.isEmpty()) {
            return false;
        }
        long now = environment.nanoTime();
        if (!recall.get().equals(seen)) {
            seen = recall.get();
            seenAtNanos = now;
        }
        return now - seenAtNanos < STANDS_NANOS;
    }
}
