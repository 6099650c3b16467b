package io.seriatim;

import io.seriatim.LedgerEntry.Facts;

/** The end of a period by somebody's will: no number of it is given any more. */
record PeriodClosing(Author author) implements CounterWriter.Edit {

    @Override
    public AuditEntry.Action action() {
        return AuditEntry.Action.CLOSE;
    }

    @Override
    public CounterWriter.Edited edit(Stored current, Position position) {
        Account account = current.account();
        if (account.closing() == Account.Closing.CLOSED) {
            account.requireNotClosed();
        }
        if (!account.open().isEmpty()) {
            throw new ReservationException(
                    ErrorCode.RESERVATIONS_OPEN,
                    "reservations of the period are open: open="
                            + account.open().size());
        }
        Definition definition = current.definition();
        return new CounterWriter.Edited(definition, position, definition.contract() == Contract.FAST, posting -> {
            Counting.voidReleased(posting, Facts.by(author));
            posting.change(posting.account().with(Account.Closing.CLOSED));
        });
    }
}
