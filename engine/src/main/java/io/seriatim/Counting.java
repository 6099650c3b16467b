package io.seriatim;

import java.util.Set;

/** How a contract gives the calls of one write what they want, one after another. For one thread, and one write. */
abstract sealed class Counting permits OrderedCounting, GaplessCounting {

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
    abstract Group.Share share(Group.Wish wish);

    /** Ends open reservations. */
    void expire(Set<ReservationId> due) {}

    /** The last call is served. */
    void finish() {}

    final Position position() {
        return at;
    }
}
