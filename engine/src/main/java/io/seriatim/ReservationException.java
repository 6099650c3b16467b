package io.seriatim;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A reservation cannot be made, moved, or passed over.
 *
 * <p>Code {@link ErrorCode#RESERVATION_GONE}, with the state in which it ended: final. {@link
 * ErrorCode#RESERVATIONS_OPEN}: a change that open reservations forbid; may be retried when they have ended. {@link
 * ErrorCode#TOO_MANY}: no further one can be held; may be retried when others have ended. {@link ErrorCode#BUSY}: under
 * policy strict another one stayed open for as long as a call waits; may be retried. {@link ErrorCode#NOT_FOUND}: there
 * never was such a reservation; final.
 */
public final class ReservationException extends SequenceException {

    private static final long serialVersionUID = 1;

    private final Reservation.@Nullable State state;

    ReservationException(ErrorCode code, String message) {
        super(code, message);
        this.state = null;
    }

    ReservationException(ReservationId id, Reservation.State state) {
        super(ErrorCode.RESERVATION_GONE, "the reservation is " + state.text() + ": id=" + id.text());
        this.state = state;
    }

    private ReservationException(ErrorCode code, String message, Reservation.@Nullable State state, Throwable cause) {
        super(code, message, cause);
        this.state = state;
    }

    private ReservationException(ReservationException earlier) {
        super(earlier.code(), String.valueOf(earlier.getMessage()));
        this.state = earlier.state;
    }

    /** There never was a reservation of this name. */
    public static ReservationException notFound(String id) {
        return new ReservationException(ErrorCode.NOT_FOUND, "there is no such reservation: id=" + id);
    }

    static ReservationException open(String sequence) {
        return new ReservationException(
                ErrorCode.RESERVATIONS_OPEN, "reservations of sequence " + sequence + " are open");
    }

    /** The same of a reservation whose full name and number are known. */
    public ReservationException of(String id, Optional<String> number) {
        String what = state == null ? "there is no such reservation" : "the reservation is " + state.text();
        String text =
                what + ": id=" + id + number.map(known -> " number=" + known).orElse("");
        return new ReservationException(code(), text, state, this);
    }

    /** In which state it has ended. */
    public Optional<Reservation.State> state() {
        return Optional.ofNullable(state);
    }

    @Override
    SequenceException again() {
        return causing(new ReservationException(this));
    }
}
