package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

/** The arithmetic of 64 bits against the same rules in numbers without end. */
final class ProgressionProperties {

    /** Longs with a taste for both ends, zero and small distances from them. */
    private static Arbitrary<Long> longs() {
        Arbitrary<Long> near = Arbitraries.longs().between(-40, 40);
        return Arbitraries.oneOf(
                Arbitraries.longs(),
                near,
                near.map(d -> Long.MAX_VALUE - Math.abs(d)),
                near.map(d -> Long.MIN_VALUE + Math.abs(d)));
    }

    @Provide
    Arbitrary<Progression> progressions() {
        return Combinators.combine(
                        longs(), longs(), longs().filter(increment -> increment != 0), Arbitraries.of(true, false))
                .filter((a, b, increment, cycle) -> !a.equals(b))
                .as((a, b, increment, cycle) -> new Progression(Math.min(a, b), Math.max(a, b), increment, cycle));
    }

    @Provide
    Arbitrary<Long> anyLongs() {
        return longs();
    }

    private static BigInteger big(long value) {
        return BigInteger.valueOf(value);
    }

    /** PostgreSQL's rule, written without bounds. */
    private static Optional<BigInteger> next(Progression p, BigInteger last) {
        BigInteger next = last.add(big(p.increment()));
        boolean beyond = p.increment() > 0 ? next.compareTo(big(p.max())) > 0 : next.compareTo(big(p.min())) < 0;
        if (!beyond) {
            return Optional.of(next);
        }
        return p.cycle() ? Optional.of(big(p.increment() > 0 ? p.min() : p.max())) : Optional.empty();
    }

    private static long within(Progression p, long any) {
        return Math.max(p.min(), Math.min(p.max(), any));
    }

    @Property(tries = 5_000)
    void after_anyPosition_givesWhatUnboundedNumbersGive(
            @ForAll("progressions") Progression p, @ForAll("anyLongs") long any, @ForAll("anyLongs") long anyCount) {
        long last = within(p, any);
        long count = Math.max(1, anyCount);
        Optional<Run> run = p.after(new Position(1, 0, last, false), count);
        Optional<BigInteger> expected = next(p, big(last));
        assertThat(run.map(r -> big(r.block().first()))).isEqualTo(expected);
        run.ifPresent(r -> {
            Block block = r.block();
            BigInteger lastOfBlock = big(block.first()).add(big(p.increment()).multiply(big(block.count() - 1)));
            assertThat(big(block.last())).isEqualTo(lastOfBlock);
            assertThat(block.count()).isLessThanOrEqualTo(count);
            assertThat(lastOfBlock).isBetween(big(p.min()), big(p.max()));
            if (block.count() < count) { // it ended at the limit
                BigInteger beyond = lastOfBlock.add(big(p.increment()));
                assertThat(beyond.compareTo(big(p.min())) < 0 || beyond.compareTo(big(p.max())) > 0)
                        .isTrue();
            }
            boolean wrapped = !r.equals(new Run(block, r.before(), 0));
            assertThat(wrapped).isEqualTo(r.round() == 1);
        });
    }

    @Property(tries = 2_000)
    void after_freshPosition_beginsWithItsValue(@ForAll("progressions") Progression p, @ForAll("anyLongs") long any) {
        long value = within(p, any);
        Run run = p.after(new Position(1, 0, value, true), 1).orElseThrow();
        assertThat(run.block()).isEqualTo(new Block(value, p.increment(), 1));
    }

    @Property(tries = 3_000)
    void remaining_anyPosition_countsTheStepsToTheLimit(
            @ForAll("progressions") Progression p, @ForAll("anyLongs") long any) {
        long last = within(p, any);
        BigInteger distance =
                p.increment() > 0 ? big(p.max()).subtract(big(last)) : big(last).subtract(big(p.min()));
        BigInteger steps = distance.divide(big(p.increment()).abs());
        assertThat(p.remaining(new Position(1, 0, last, false))).isEqualTo(steps);
        assertThat(p.remaining(new Position(1, 0, last, true))).isEqualTo(steps.add(BigInteger.ONE));
    }

    @Property(tries = 3_000)
    void holds_anyCount_agreesWithTheSizeOfARound(
            @ForAll("progressions") Progression p, @ForAll("anyLongs") long anyCount) {
        long count = Math.max(1, anyCount);
        BigInteger size = big(p.max())
                .subtract(big(p.min()))
                .divide(big(p.increment()).abs())
                .add(BigInteger.ONE);
        assertThat(p.holds(count)).isEqualTo(size.compareTo(big(count)) >= 0);
    }

    /** What is let in needs no more runs than one call is given; what is turned away may need more. */
    @Property(tries = 200)
    void mostRoundsHold_shortRounds_boundsTheRuns(
            @ForAll @LongRange(min = 1, max = 5) long max,
            @ForAll @LongRange(min = 1, max = 5) long last,
            @ForAll @LongRange(min = -1, max = 1) long more) {
        Progression p = new Progression(1, max, 1, true);
        long count = max * Progression.MOST_ROUNDS + more;
        assertThat(p.mostRoundsHold(count)).isEqualTo(more <= 0);
        List<Run> runs = p.runs(new Position(1, 0, Math.min(last, max), false), count, count);
        assertThat(runs.size()).isLessThanOrEqualTo(Progression.MOST_ROUNDS + 1);
        if (more <= 0) {
            assertThat(runs.stream().mapToLong(run -> run.block().count()).sum())
                    .isEqualTo(count);
        }
        assertThat(p.runs(new Position(1, 0, 1, false), Long.MAX_VALUE, Long.MAX_VALUE))
                .hasSize(Progression.MOST_ROUNDS + 1);
    }

    @Property(tries = 2_000)
    void runs_acrossWraps_areTheValuesOneByOne(@ForAll("progressions") Progression p, @ForAll("anyLongs") long any) {
        Position start = new Position(1, 0, within(p, any), false);
        int count = 50;
        List<Run> runs = p.runs(start, count, count);
        BigInteger last = big(start.value());
        int seen = 0;
        for (Run run : runs) {
            for (long i = 0; i < run.block().count(); i++) {
                Optional<BigInteger> expected = next(p, last);
                assertThat(Optional.of(big(run.block().valueAt(i)))).isEqualTo(expected);
                last = expected.orElseThrow();
                seen++;
            }
        }
        assertThat(seen).isLessThanOrEqualTo(count);
        if (seen < count) {
            assertThat(next(p, last)).isEmpty();
        }
    }

    @Property(tries = 2_000)
    void block_anyFields_isRefusedExactlyWhenItsEndLeavesTheRange(
            @ForAll("anyLongs") long first, @ForAll("anyLongs") long increment, @ForAll("anyLongs") long count) {
        BigInteger last = big(first).add(big(increment).multiply(big(count - 1)));
        boolean fits = increment != 0
                && count >= 1
                && last.compareTo(big(Long.MIN_VALUE)) >= 0
                && last.compareTo(big(Long.MAX_VALUE)) <= 0;
        boolean accepted;
        try {
            Block block = new Block(first, increment, count);
            accepted = true;
            assertThat(big(block.last())).isEqualTo(last);
        } catch (IllegalArgumentException e) {
            accepted = false;
        }
        assertThat(accepted).isEqualTo(fits);
    }
}
