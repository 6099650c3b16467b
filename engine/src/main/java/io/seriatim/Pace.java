package io.seriatim;

import java.math.BigInteger;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * How fast the values of one counter go. Guarded by the lock of the supply that owns it.
 */
final class Pace {

    /*
     * The rate is that between two sights of the position, so it costs nothing while values are handed out: whoever
     * wants to know it makes the second sight. A position moves by what all nodes take and by what is skipped, and that
     * is what the end comes nearer by.
     *
     * The first sight is between one and two windows old: `since` is the start of the window before the present one. A
     * day is long enough for the hours of work and sleep, and short enough to follow what has changed. Where nobody has
     * looked for longer, the rate is over as long. The first window is shorter, down to LEAST.
     *
     * A change of the definition may make positions of before and after it incomparable, so it begins anew.
     */

    private static final long WINDOW_NANOS = TimeUnit.DAYS.toNanos(1);
    private static final long LEAST_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final double DAY_NANOS = TimeUnit.DAYS.toNanos(1);

    private record Sight(long atNanos, Position position) {}

    private Sight since;
    private Sight window;

    Pace(long nowNanos, Position position) {
        since = new Sight(nowNanos, position);
        window = since;
    }

    /**
     * In how many days nothing is left at the present rate; 0 when nothing is left now. Empty while the rate is not
     * known, or nothing goes.
     */
    OptionalDouble daysLeft(long nowNanos, Stored stored, Position position) {
        see(nowNanos, position);
        Optional<BigInteger> left = stored.remaining(position);
        if (left.isEmpty()) {
            return OptionalDouble.empty();
        }
        if (left.get().signum() == 0) {
            return OptionalDouble.of(0);
        }
        long elapsed = nowNanos - since.atNanos();
        BigInteger gone = stored.remaining(since.position()).orElseThrow().subtract(left.get());
        return elapsed < LEAST_NANOS || gone.signum() <= 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(left.get().doubleValue() / gone.doubleValue() * elapsed / DAY_NANOS);
    }

    private void see(long nowNanos, Position position) {
        if (position.generation() != since.position().generation()) {
            since = new Sight(nowNanos, position);
            window = since;
        } else if (nowNanos - window.atNanos() >= WINDOW_NANOS) {
            since = window;
            window = new Sight(nowNanos, position);
        }
    }
}
