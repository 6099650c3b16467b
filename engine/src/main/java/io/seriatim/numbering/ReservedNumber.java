package io.seriatim.numbering;

import io.seriatim.Reservation;
import java.time.Instant;
import java.util.Optional;

/**
 * A number that is held, or was.
 *
 * @param id names the reservation within its sequence
 * @param expires when it expires by the wall clock of its making: a hint, for it may come later, never earlier; empty
 *     once it is over
 */
public record ReservedNumber(String id, PrintedNumber number, Reservation.State state, Optional<Instant> expires) {}
