package io.seriatim.server;

import io.seriatim.Warning;
import io.seriatim.numbering.Numbering;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import tools.jackson.core.JsonGenerator;

/**
 * The sequences of which few values are left.
 *
 * <p>Safe for use by many threads.
 */
final class Warnings {

    /*
     * To look goes through all counters in memory, and anybody may ask for the health of a server as often as they
     * like. So one look is good for a second.
     */

    /** So many sequences are shown, those with fewest values first; all are counted. */
    static final int MOST = 100;

    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private record Look(long atNanos, List<Warning> warnings) {}

    private final Numbering numbering;
    private final LongSupplier nanoTime;
    /** Guarded by this. */
    private Look last;

    /** @param nanoTime a clock that never goes back, in nanoseconds */
    Warnings(Numbering numbering, LongSupplier nanoTime) {
        this.numbering = numbering;
        this.nanoTime = nanoTime;
        this.last = new Look(nanoTime.getAsLong() - FRESH_NANOS, List.of());
    }

    /** Every sequence that is warned of, those with fewest values first; at most a second old. */
    synchronized List<Warning> all() {
        long now = nanoTime.getAsLong();
        if (now - last.atNanos() >= FRESH_NANOS) {
            last = new Look(now, numbering.warnings());
        }
        return last.warnings();
    }

    /** Those that are shown. */
    static List<Warning> shown(List<Warning> all) {
        return all.subList(0, Math.min(MOST, all.size()));
    }

    /** Writes how many sequences are warned of and, for those who may see them, which. */
    static void write(JsonGenerator out, List<Warning> all, boolean maySee) {
        out.writeNumberProperty("warned", all.size());
        if (maySee) {
            out.writeArrayPropertyStart("warnings");
            shown(all).forEach(warning -> write(out, warning));
            out.writeEndArray();
        }
    }

    private static void write(JsonGenerator out, Warning warning) {
        out.writeStartObject();
        out.writeStringProperty("sequence", warning.sequence());
        textOrNull(out, "period", warning.period());
        textOrNull(out, "scope", warning.scope());
        out.writeStringProperty("remaining", Long.toString(warning.remaining()));
        out.writeNumberProperty("warnAt", warning.warnAt());
        SequenceJson.writeDays(out, warning.daysLeft());
        out.writeEndObject();
    }

    private static void textOrNull(JsonGenerator out, String name, String text) {
        if (text.isEmpty()) {
            out.writeNullProperty(name);
        } else {
            out.writeStringProperty(name, text);
        }
    }
}
