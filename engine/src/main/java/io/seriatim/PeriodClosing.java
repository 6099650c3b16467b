package io.seriatim;

import io.seriatim.LedgerEntry.Facts;
import io.seriatim.LedgerEntry.State;

/**
 * The end of a period: no number of it is given any more.
 *
 * @param left whether a later period has begun; then reservations may stay open, and what they give back is voided
 */
record PeriodClosing(boolean left, Author author) implements CounterWriter.Edit {

    @Override
    public AuditEntry.Action action() {
        return AuditEntry.Action.CLOSE;
    }

    @Override
    public CounterWriter.Edited edit(Stored current, Position position) {
        Account account = current.account();
        account.requireNotClosed();
        if (!left && !account.open().isEmpty()) {
            throw new ReservationException(
                    ErrorCode.RESERVATIONS_OPEN,
                    "reservations of the period are open: open="
                            + account.open().size());
        }
        Definition definition = current.definition();
        return new CounterWriter.Edited(
                definition, position, definition.contract() == Contract.FAST, posting -> end(definition, posting));
    }

    private void end(Definition definition, Posting posting) {
        for (long value : posting.account().released()) {
            posting.change(posting.account().handingOut(value));
            posting.post(State.VOIDED, new Block(value, definition.increment(), 1), facts());
        }
        posting.change(posting.account().with(left ? Account.Closing.LEFT : Account.Closing.CLOSED));
    }

    private Facts facts() {
        return author.why().isPresent() ? Facts.by(author) : Facts.because("a later period has begun");
    }
}
