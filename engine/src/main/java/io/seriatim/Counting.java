package io.seriatim;

import io.seriatim.LedgerEntry.Facts;
import io.seriatim.LedgerEntry.State;
import java.util.Set;

/** How a contract gives the calls of one write what they want, one after another. For one thread, and one write. */
abstract sealed class Counting permits OrderedCounting, GaplessCounting {

    /*
     * Periods that only go forwards. The latest period of a scope stands in a counter row of its own, of that scope and
     * no period. Whoever wants a number of a later period first makes that the latest, then ends the counter of the one
     * before, then says that this is done, and only then takes the number. So when a number of a period is out, the
     * counter of the one before is closed in the store, and its own writes refuse whoever has not heard of it; periods
     * before that were closed when it became the latest. A crash between two steps leaves a period that is to be left,
     * and the next call of the scope goes on there.
     */

    final Stored stored;
    final Posting posting;
    /** Where the counter stands after the calls served so far. */
    Position at;

    Counting(Stored stored, Posting posting) {
        this.stored = stored;
        this.posting = posting;
        this.at = stored.position();
    }

    /** What a call gets. One that gets nothing has moved nothing. */
    final Group.Share share(Group.Wish wish) {
        try {
            if (wish instanceof Group.Rise rise) {
                return rise(rise.period());
            }
            if (wish instanceof Group.Settle settle) {
                return settle(settle.left());
            }
            return wish instanceof Group.Leave ? leave() : give(wish);
        } catch (SequenceException e) {
            return new Group.Denied(e);
        }
    }

    /** Values and reservations. */
    abstract Group.Share give(Group.Wish wish);

    /** Ends open reservations. */
    void expire(Set<ReservationId> due) {}

    /** The last call is served. */
    void finish() {}

    final Position position() {
        return at;
    }

    /** What an entry says of a call that takes values: who has asked, and what prints them. */
    final Facts asked(Group.Wish wish) {
        long definition =
                wish.definition() == Supply.ANY_DEFINITION ? stored.row().generation() : wish.definition();
        return Facts.NONE.asked(wish.request()).printedBy(definition);
    }

    private Group.Share rise(String period) {
        Account.Periods periods = posting.account().periods();
        int order = period.compareTo(periods.latest());
        if (order < 0) {
            throw new NumberRefusedException(
                    ErrorCode.PERIOD_BACKWARDS, "a later period has begun: no number of this one is given any more");
        }
        if (order == 0 || !periods.leaving().isEmpty()) {
            return new Group.Stand(periods);
        }
        Account.Periods risen = new Account.Periods(period, periods.latest());
        posting.change(posting.account().with(risen));
        return new Group.Stand(risen);
    }

    private Group.Share settle(String left) {
        Account.Periods periods = posting.account().periods();
        if (periods.leaving().equals(left)) {
            posting.change(posting.account().with(new Account.Periods(periods.latest(), "")));
        }
        return new Group.Stand(posting.account().periods());
    }

    private Group.Share leave() {
        if (!posting.account().isClosed()) {
            voidReleased(Facts.because("a later period has begun"));
            posting.change(posting.account().with(Account.Closing.LEFT));
        }
        return new Group.Stand(Account.Periods.NONE);
    }

    private void voidReleased(Facts facts) {
        voidReleased(posting, facts);
    }

    /** Released numbers do not come again. */
    static void voidReleased(Posting posting, Facts facts) {
        for (long value : posting.account().released()) {
            posting.change(posting.account().handingOut(value));
            posting.post(State.VOIDED, value, facts);
        }
    }
}
