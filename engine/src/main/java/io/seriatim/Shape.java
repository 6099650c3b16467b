package io.seriatim;

/** How the values of one call must lie. */
enum Shape {
    /** Exactly as many as asked for, one increment apart. */
    CONTIGUOUS,
    /** One increment apart; fewer than asked for where a limit or wrap ends them. */
    CONTIGUOUS_OR_SHORTER,
    /** Exactly as many as asked for, in order, across any number of wraps. */
    ACROSS_WRAPS,
    /** One value, for a reservation. */
    RESERVED;

    /** Refuses a count that no run of the sequence can ever hold, or that goes over too many rounds. */
    void requirePossible(String name, Progression progression, long count) {
        if (!progression.cycle()) {
            return;
        }
        if (this == CONTIGUOUS && !progression.holds(count)) {
            throw new BadDefinitionException(
                    ErrorCode.OUT_OF_RANGE,
                    "count",
                    "a round of sequence " + name + " holds fewer values: count=" + count);
        }
        if (this == ACROSS_WRAPS && !progression.mostRoundsHold(count)) {
            throw new BadDefinitionException(
                    ErrorCode.OUT_OF_RANGE,
                    "count",
                    Progression.MOST_ROUNDS + " rounds of sequence " + name + " hold fewer values: count=" + count);
        }
    }
}
