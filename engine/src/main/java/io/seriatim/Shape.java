package io.seriatim;

/** How the values of one call must lie. */
enum Shape {
    /** Exactly as many as asked for, one increment apart. */
    CONTIGUOUS,
    /** One increment apart; fewer than asked for where a limit or wrap ends them. */
    CONTIGUOUS_OR_SHORTER,
    /** Exactly as many as asked for, in order, across any number of wraps. */
    ACROSS_WRAPS
}
