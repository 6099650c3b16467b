package io.seriatim;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The arithmetic of a definition: from a position to the run of values that follows it.
 */
record Progression(long min, long max, long increment, boolean cycle) {

    /*
     * Exactness. A distance between two longs needs 64 bits without sign, and so does the size of an
     * increment of -2^63. Both are kept in a long and treated as unsigned: max - last wraps to the right
     * unsigned distance whenever max >= last, and Math.abs(Long.MIN_VALUE) is 2^63 read without sign. One
     * unsigned division then says how many whole steps fit, and first + increment * steps cannot overflow
     * because the sum is known to lie between min and max. No step looks at a value beyond the limit, so
     * there is nothing to overflow.
     */

    /**
     * One call takes the values of so many rounds at most. It is answered with a block for each, so without a bound a
     * large count on a short round would use up the memory.
     */
    static final int MOST_ROUNDS = 10_000;

    /** How many whole steps of {@code increment} fit between {@code value} and the end of the range of long; unsigned. */
    static long steps(long value, long increment, boolean up) {
        long distance = up ? Long.MAX_VALUE - value : value - Long.MIN_VALUE;
        return Long.divideUnsigned(distance, Math.abs(increment));
    }

    /** How many whole steps fit between {@code value} and the limit; unsigned, 0 when none does. */
    private long stepsToLimit(long value) {
        if (increment > 0 ? value > max : value < min) {
            return 0;
        }
        long distance = increment > 0 ? max - value : value - min;
        return Long.divideUnsigned(distance, Math.abs(increment));
    }

    /** The value that follows another one; empty when exhausted. */
    OptionalLong next(long value) {
        if (stepsToLimit(value) != 0) {
            return OptionalLong.of(value + increment);
        }
        return cycle ? OptionalLong.of(increment > 0 ? min : max) : OptionalLong.empty();
    }

    /** The run that follows a position: at most {@code count} values, ended by a limit; empty when exhausted. */
    Optional<Run> after(Position position, long count) {
        if (position.fresh()) {
            return Optional.of(run(position, position.value(), position.round(), count));
        }
        if (stepsToLimit(position.value()) != 0) {
            return Optional.of(run(position, position.value() + increment, position.round(), count));
        }
        if (!cycle) {
            return Optional.empty();
        }
        return Optional.of(run(position, increment > 0 ? min : max, position.round() + 1, count));
    }

    /**
     * The runs that follow a position.
     *
     * @param least go on behind a wrap while there are fewer values than this, over {@link #MOST_ROUNDS} wraps at most
     * @param most how many values to take if no limit comes before
     * @return empty when exhausted
     */
    List<Run> runs(Position position, long least, long most) {
        List<Run> runs = new ArrayList<>();
        Position at = position;
        long count = 0;
        do {
            Optional<Run> run = after(at, most - count);
            if (run.isEmpty()) {
                return runs;
            }
            runs.add(run.get());
            at = run.get().end();
            count += run.get().block().count();
        } while (count < least && runs.size() <= MOST_ROUNDS);
        return runs;
    }

    /** The values behind a position up to another of the same round; nothing where there are none. */
    Optional<Block> between(Position from, Position to) {
        boolean none = from.round() != to.round() || from.equals(to) || (to.fresh() && from.value() == to.value());
        Optional<Run> next = none ? Optional.empty() : after(from, Long.MAX_VALUE);
        return next.map(Run::block).flatMap(block -> upTo(block, to));
    }

    private Optional<Block> upTo(Block block, Position to) {
        long end = to.value();
        if (isBehind(end, block.first()) || (to.fresh() && end == block.first())) {
            return Optional.empty();
        }
        long distance = increment > 0 ? end - block.first() : block.first() - end; // unsigned
        long steps = Long.divideUnsigned(distance, Math.abs(increment));
        boolean endComesNext = to.fresh() && Long.remainderUnsigned(distance, Math.abs(increment)) == 0;
        long count = endComesNext ? steps : steps + 1;
        return Optional.of(Long.compareUnsigned(count, block.count()) < 0 ? block.head(count) : block);
    }

    private Run run(Position before, long first, long round, long count) {
        long available = stepsToLimit(first); // one less than the number of values, so that 2^64 fits
        long taken = Long.compareUnsigned(count - 1, available) > 0 ? available + 1 : count;
        return new Run(new Block(first, increment, taken), before, round);
    }

    /** How many values are left in this round. */
    BigInteger remaining(Position position) {
        BigInteger steps = new BigInteger(Long.toUnsignedString(stepsToLimit(position.value())));
        return position.fresh() ? steps.add(BigInteger.ONE) : steps;
    }

    /** Whether a round that begins at the limit holds at least {@code count} values. */
    boolean holds(long count) {
        return Long.compareUnsigned(count - 1, Long.divideUnsigned(max - min, Math.abs(increment))) <= 0;
    }

    /** Whether {@link #MOST_ROUNDS} rounds hold at least {@code count} values; then so many wraps are enough for it. */
    boolean mostRoundsHold(long count) {
        return holds((count - 1) / MOST_ROUNDS + 1);
    }

    /** The option that ends the sequence. */
    String limit() {
        return increment > 0 ? "max" : "min";
    }

    long limitValue() {
        return increment > 0 ? max : min;
    }

    /** Whether {@code a} lies behind {@code b} in the direction of the increment. */
    boolean isBehind(long a, long b) {
        return increment > 0 ? a < b : a > b;
    }
}
