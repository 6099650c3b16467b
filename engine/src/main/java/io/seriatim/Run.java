package io.seriatim;

/**
 * A block with its place in the life of a counter.
 *
 * @param block the values
 * @param before where the counter stood before the first of them
 * @param round the round in which all of them lie
 */
record Run(Block block, Position before, long round) {

    long generation() {
        return before.generation();
    }

    /** Where the counter stands when {@code taken} values of this run were taken. */
    Position after(long taken) {
        return taken == 0 ? before : new Position(generation(), round, block.valueAt(taken - 1), false);
    }

    Position end() {
        return after(block.count());
    }

    /** The first {@code n} values. */
    Run head(long n) {
        return new Run(block.head(n), before, round);
    }

    /** What is left when {@code taken} values, fewer than all, were taken. */
    Run from(long taken) {
        return taken == 0 ? this : new Run(block.from(taken), after(taken), round);
    }

    /** Whether {@code next} goes on where this run ends: same generation and round, one increment further. */
    boolean adjoins(Run next) {
        return generation() == next.generation() && round == next.round && block.adjoins(next.block);
    }

    /** This run and the one that adjoins it, as one. */
    Run join(Run next) {
        return new Run(
                new Block(block.first(), block.increment(), Math.addExact(block.count(), next.block.count())),
                before,
                round);
    }
}
