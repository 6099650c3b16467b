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

/** Reads a ledger from its first entry to its last, and keeps what became of each value. For one thread. */
final class GapSearch implements Consumer<LedgerEntry> {

    /*
     * What is kept is a map of spans that do not overlap, by their least value; neighbours of one fate become one, so
     * it is as large as there are changes of fate along the values, not as there are values.
     */

    private static final Set<State> IN_USE = EnumSet.of(State.ISSUED, State.CONFIRMED, State.IMPORTED);

    private record Span(long last, State state, Optional<String> why) {}

    private final TreeMap<Long, Span> spans = new TreeMap<>();
    private long step = 1;

    @Override
    public void accept(LedgerEntry entry) {
        Block values = entry.values();
        step = Math.abs(values.increment());
        long least = Math.min(values.first(), values.last());
        long greatest = Math.max(values.first(), values.last());
        Optional<String> why = IN_USE.contains(entry.state())
                ? Optional.empty()
                : entry.facts().why();
        clear(least, greatest);
        put(least, new Span(greatest, entry.state(), why));
    }

    /** Cuts a hole. */
    private void clear(long least, long greatest) {
        Map.Entry<Long, Span> before = spans.lowerEntry(least);
        if (before != null && before.getValue().last() >= least) {
            Span span = before.getValue();
            spans.put(before.getKey(), new Span(least - step, span.state(), span.why()));
            if (span.last() > greatest) {
                spans.put(greatest + step, span);
            }
        }
        Map.Entry<Long, Span> within = spans.ceilingEntry(least);
        while (within != null && within.getKey() <= greatest) {
            spans.remove(within.getKey());
            if (within.getValue().last() > greatest) {
                spans.put(greatest + step, within.getValue());
            }
            within = spans.higherEntry(within.getKey());
        }
    }

    private void put(long least, Span span) {
        long first = least;
        long last = span.last();
        Map.Entry<Long, Span> before = spans.lowerEntry(least);
        if (before != null && adjoins(before.getValue().last(), least) && isLike(before.getValue(), span)) {
            first = before.getKey();
        }
        Map.Entry<Long, Span> after = spans.higherEntry(last);
        if (after != null && adjoins(last, after.getKey()) && isLike(after.getValue(), span)) {
            spans.remove(after.getKey());
            last = after.getValue().last();
        }
        spans.put(first, new Span(last, span.state(), span.why()));
    }

    private boolean adjoins(long last, long next) {
        return next - last == step;
    }

    private static boolean isLike(Span one, Span other) {
        return one.state() == other.state() && one.why().equals(other.why());
    }

    /** @param all the explained ones too */
    GapReport report(boolean all, Account account) {
        List<Gap> gaps = new ArrayList<>();
        long end = 0;
        boolean first = true;
        for (Map.Entry<Long, Span> entry : spans.entrySet()) {
            long least = entry.getKey();
            Span span = entry.getValue();
            if (!first && least - end > step) {
                gaps.add(new Gap(end + step, least - step, Optional.empty(), Optional.empty()));
            }
            if (all && !IN_USE.contains(span.state())) {
                gaps.add(new Gap(least, span.last(), Optional.of(span.state()), span.why()));
            }
            end = span.last();
            first = false;
        }
        boolean more = gaps.size() > GapReport.MOST;
        return new GapReport(
                more ? gaps.subList(0, GapReport.MOST) : gaps,
                more,
                account.head().entries(),
                account.head().hash());
    }
}
