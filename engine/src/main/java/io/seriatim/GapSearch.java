package io.seriatim;

import io.seriatim.GapReport.Gap;
import io.seriatim.LedgerEntry.State;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads a ledger from its first entry to its last, and keeps what became of each value. For one thread. */
final class GapSearch implements Consumer<LedgerEntry> {

    /*
     * What is kept is a map of spans that do not overlap, by their least value; neighbours of one fate become one, so
     * it is as large as there are changes of fate along the values, not as there are values. A span keeps its increment,
     * for that may be changed: then the first value behind the change lies one new increment off the last one before.
     */

    private static final Set<State> IN_USE = EnumSet.of(State.ISSUED, State.CONFIRMED, State.IMPORTED);

    private record Span(long last, long increment, State state, Optional<String> why) {

        long step() {
            return Math.abs(increment);
        }

        Span endingAt(long end) {
            return new Span(end, increment, state, why);
        }
    }

    private final TreeMap<Long, Span> spans = new TreeMap<>();

    @Override
    public void accept(LedgerEntry entry) {
        Block values = entry.values();
        long least = Math.min(values.first(), values.last());
        long greatest = Math.max(values.first(), values.last());
        Optional<String> why = IN_USE.contains(entry.state())
                ? Optional.empty()
                : entry.facts().why();
        long increment = incrementAt(least, values);
        clear(least, greatest);
        put(least, new Span(greatest, increment, entry.state(), why));
    }

    /** That by which a value was reached: what is told of it later changes nothing of that. */
    private long incrementAt(long least, Block values) {
        Map.Entry<Long, Span> present = spans.floorEntry(least);
        boolean told =
                values.count() == 1 && present != null && present.getValue().last() >= least;
        return told ? present.getValue().increment() : values.increment();
    }

    /** Cuts a hole. */
    private void clear(long least, long greatest) {
        Map.Entry<Long, Span> before = spans.lowerEntry(least);
        if (before != null && before.getValue().last() >= least) {
            Span span = before.getValue();
            long steps = (least - 1 - before.getKey()) / span.step();
            spans.put(before.getKey(), span.endingAt(before.getKey() + steps * span.step()));
            keepBehind(before.getKey(), span, greatest);
        }
        Map.Entry<Long, Span> within = spans.ceilingEntry(least);
        while (within != null && within.getKey() <= greatest) {
            spans.remove(within.getKey());
            keepBehind(within.getKey(), within.getValue(), greatest);
            within = spans.higherEntry(within.getKey());
        }
    }

    private void keepBehind(long least, Span span, long greatest) {
        if (span.last() > greatest) {
            long steps = (greatest - least) / span.step() + 1;
            spans.put(least + steps * span.step(), span);
        }
    }

    private void put(long least, Span span) {
        long first = least;
        long last = span.last();
        Map.Entry<Long, Span> before = spans.lowerEntry(least);
        if (before != null && least - before.getValue().last() == span.step() && isLike(before.getValue(), span)) {
            first = before.getKey();
        }
        Map.Entry<Long, Span> after = spans.higherEntry(last);
        if (after != null && after.getKey() - last == span.step() && isLike(after.getValue(), span)) {
            spans.remove(after.getKey());
            last = after.getValue().last();
        }
        spans.put(first, span.endingAt(last));
    }

    private static boolean isLike(Span one, Span other) {
        return one.increment() == other.increment()
                && one.state() == other.state()
                && one.why().equals(other.why());
    }

    /** By how much a neighbour lies off if nothing is between: the later one was reached by its own increment. */
    private static long step(Span lower, Span higher) {
        return higher.increment() > 0 ? higher.step() : lower.step();
    }

    /** @param all the explained ones too */
    GapReport report(boolean all, Account account) {
        List<Gap> gaps = new ArrayList<>();
        @Nullable Span before = null;
        for (Map.Entry<Long, Span> entry : spans.entrySet()) {
            long least = entry.getKey();
            Span span = entry.getValue();
            if (before != null && least - before.last() > step(before, span)) {
                long step = step(before, span);
                gaps.add(new Gap(before.last() + step, least - step, Optional.empty(), Optional.empty()));
            }
            if (all && !IN_USE.contains(span.state())) {
                gaps.add(new Gap(least, span.last(), Optional.of(span.state()), span.why()));
            }
            before = span;
        }
        boolean more = gaps.size() > GapReport.MOST;
        return new GapReport(
                more ? gaps.subList(0, GapReport.MOST) : gaps,
                more,
                account.head().entries(),
                account.head().hash());
    }
}
