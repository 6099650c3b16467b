package io.seriatim;

import java.util.Locale;

/** What becomes of a number whose reservation was cancelled, or expired. */
enum ReservationPolicy {
    /** It is the next to be handed out, the lowest one first. */
    RELAXED,
    /** The same; and there is one reservation of a counter at a time, so numbers are confirmed in their order. */
    STRICT,
    /** It is voided, and never handed on. */
    VOID;

    static ReservationPolicy of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
