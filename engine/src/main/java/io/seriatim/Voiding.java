package io.seriatim;

import io.seriatim.LedgerEntry.Facts;
import io.seriatim.LedgerEntry.State;
import java.util.List;
import java.util.Map;

/**
 * A number that was handed out is valid no longer.
 *
 * @param writer whose ledger is asked again if the counter turns out to have moved
 */
record Voiding(long value, Author author, CounterWriter writer) implements CounterWriter.PostingEdit {

    @Override
    public Map<String, String> tell(Stored current, Position at, Posting posting) {
        boolean fromMemory = current.definition()
                .progression()
                .between(at, current.position())
                .filter(values -> values.holds(value))
                .isPresent();
        if (fromMemory) {
            throw neverHandedOut();
        }
        List<LedgerEntry> history =
                writer.ledger(current).of(value, current.account().head());
        State state = history.isEmpty()
                ? State.RELEASED
                : history.get(history.size() - 1).state();
        boolean released = posting.account().released().contains(value);
        switch (state) {
            case VOIDED ->
                throw new NumberRefusedException(
                        ErrorCode.ALREADY_VOID, "the number was voided before: value=" + value);
            case RESERVED ->
                throw new ReservationException(
                        ErrorCode.RESERVATIONS_OPEN, "the number is reserved; cancel that first: value=" + value);
            case RELEASED -> {
                if (!released) {
                    throw neverHandedOut();
                }
                posting.change(posting.account().handingOut(value));
            }
            default -> {}
        }
        posting.post(State.VOIDED, value, Facts.by(author));
        return Map.of("value", Long.toString(value));
    }

    private NumberRefusedException neverHandedOut() {
        return new NumberRefusedException(ErrorCode.NUMBER_UNKNOWN, "no such number was handed out: value=" + value);
    }
}
