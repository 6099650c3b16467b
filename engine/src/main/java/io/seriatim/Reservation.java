package io.seriatim;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * A value held for somebody until it is confirmed, cancelled or expires.
 *
 * @param id names it within its counter
 * @param expires when it expires by the wall clock of its making: a hint, for it may come later, never earlier; empty
 *     once it is over
 * @param note what its maker wanted to know of it later
 */
public record Reservation(String id, long value, State state, Optional<Instant> expires, String note) {

    /** Moves once, from open to one of the others. */
    public enum State {
        OPEN,
        CONFIRMED,
        CANCELLED,
        EXPIRED;

        /** As HTTP has it: {@code open}. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Reservation of(Account.Open open) {
        return new Reservation(
                open.id().text(),
                open.value(),
                State.OPEN,
                Optional.of(open.since().plusSeconds(open.seconds())),
                open.note());
    }

    static Reservation ended(ReservationId id, State state, String note) {
        return new Reservation(id.text(), id.value(), state, Optional.empty(), note);
    }
}
