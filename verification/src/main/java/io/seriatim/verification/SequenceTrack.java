package io.seriatim.verification;

import io.seriatim.verification.HistoryEvent.Answered;
import io.seriatim.verification.HistoryEvent.Defined;
import io.seriatim.verification.HistoryEvent.Invoked;
import io.seriatim.verification.HistoryEvent.Run;
import io.seriatim.verification.HistoryEvent.Wish;
import io.seriatim.verification.Report.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Follows one sequence through a history. */
final class SequenceTrack {

    /*
     * Unique: the values so far are disjoint runs in a tree, adjacent ones merged, so memory grows with the
     * holes and not with the values.
     *
     * Order: a call keeps the greatest value returned before it began, and its answer must be ahead of that.
     * Together with uniqueness this is linearizability for a counter that may skip: order the calls by value.
     *
     * Holes: let least(L) be the least value that life L gave. Everything from there to least(N), N the next
     * life that gave any, was given by L or is missing. Missing may be
     *   - values in memory when L was killed: BLOCKS_IN_MEMORY blocks, the open one and the one fetched ahead;
     *   - values of calls without an answer, in L or (below least(N)) in N;
     *   - rests of blocks too short for a call for many values, fewer than that call asked for, in L or N.
     * Lives that gave nothing add to what may be missing. Nothing is said of the values behind the last life.
     */

    private static final long BLOCKS_IN_MEMORY = 2;

    /** Takes down a broken rule. */
    interface Complaints {
        void add(Rule rule, String text);
    }

    /** How a life ended. */
    enum End {
        NOT_YET,
        KILLED,
        STOPPED
    }

    private static final class Life {
        private @Nullable Long least;
        private long given;
        private long unanswered;
        private long rests;
        private End end = End.NOT_YET;
    }

    /** Values passed over in lives of either end. */
    record Missing(long atCrash, long atStop) {}

    private final Defined defined;
    private final Direction direction;
    private final TreeMap<Long, Long> runs;
    private final List<Life> lives = new ArrayList<>();
    private @Nullable Long greatest;

    SequenceTrack(Defined defined) {
        this.defined = defined;
        this.direction = new Direction(defined.increment());
        this.runs = new TreeMap<>(direction.order());
    }

    String name() {
        return defined.sequence();
    }

    /** The greatest value returned so far. */
    @Nullable
    Long greatest() {
        return greatest;
    }

    void beginLife() {
        lives.add(new Life());
    }

    void endLife(End end) {
        if (!lives.isEmpty()) {
            life().end = end;
        }
    }

    private Life life() {
        return lives.get(lives.size() - 1);
    }

    /** A call of the present life will have no answer. */
    void unanswered(Invoked call) {
        life().unanswered += call.count();
    }

    /**
     * Returns how many values the answer has.
     *
     * @param floor the greatest value returned before the call began
     */
    long answered(Invoked call, @Nullable Long floor, Answered answer, Complaints complaints) {
        if (answer.generation().orElse(defined.generation()) != defined.generation()) {
            complaints.add(Rule.ANSWER, "call " + call.call() + " got values of another generation: " + answer);
            return 0;
        }
        long count = 0;
        Long before = floor;
        for (Run run : answer.runs()) {
            if (!isInRange(run)) {
                complaints.add(
                        Rule.RANGE,
                        "call " + call.call() + " got " + text(run) + ", which cannot come from " + defined);
                return count;
            }
            if (before != null && !direction.isAhead(run.first(), before)) {
                complaints.add(
                        Rule.ORDER,
                        "call " + call.call() + " got " + text(run) + " after " + before + " had been returned");
            }
            before = run.last();
            count += direction.steps(run.first(), run.last()) + 1;
            give(call, run, complaints);
        }
        boolean fits = call.wish() == Wish.EXACTLY ? count == call.count() : count >= 1 && count <= call.count();
        if (!fits) {
            complaints.add(
                    Rule.ANSWER, "call " + call.call() + " asked for " + call.count() + " values and got " + count);
        }
        life().given += count;
        life().rests += call.count() - 1;
        return count;
    }

    private boolean isInRange(Run run) {
        return defined.min() <= Math.min(run.first(), run.last())
                && Math.max(run.first(), run.last()) <= defined.max()
                && direction.isOnWay(defined.start(), run.first())
                && direction.isOnWay(run.first(), run.last());
    }

    private void give(Invoked call, Run run, Complaints complaints) {
        Map.Entry<Long, Long> below = runs.floorEntry(run.last());
        if (below != null && !direction.isAhead(run.first(), below.getValue())) {
            complaints.add(
                    Rule.UNIQUE,
                    "call " + call.call() + " got " + text(run) + ", of which values had been given before, among "
                            + text(new Run(below.getKey(), below.getValue())));
            return;
        }
        merge(run, below);
        Life life = life();
        if (life.least == null || direction.isAhead(life.least, run.first())) {
            life.least = run.first();
        }
        if (greatest == null || direction.isAhead(run.last(), greatest)) {
            greatest = run.last();
        }
    }

    private void merge(Run run, Map.@Nullable Entry<Long, Long> below) {
        long first = run.first();
        long last = run.last();
        if (below != null && isNext(below.getValue(), first)) {
            first = below.getKey();
        }
        Map.Entry<Long, Long> above = runs.higherEntry(last);
        if (above != null && isNext(last, above.getKey())) {
            runs.remove(above.getKey());
            last = above.getValue();
        }
        runs.put(first, last);
    }

    private boolean isNext(long value, long next) {
        return direction.steps(value, next) == 1;
    }

    /** Looks for values passed over, once the history is at its end. */
    Missing checkHoles(Complaints complaints) {
        long atCrash = 0;
        long atStop = 0;
        long from = defined.start();
        long given = 0;
        long allowed = 0;
        boolean killed = false;
        boolean restOfFirst = true;
        for (Life life : lives) {
            Long least = life.least;
            // The first life answers for the values from start to its own first one.
            if (least != null && !restOfFirst) {
                long missing = direction.steps(from, least) - given;
                long most = allowed + life.unanswered + life.rests;
                if (defined.cache().isPresent() && missing > most) {
                    complaints.add(
                            Rule.HOLES,
                            missing + " values are missing from " + from + " to " + least + ", where "
                                    + (killed ? "after a kill " : "after a clean stop ") + most + " may be");
                }
                if (killed) {
                    atCrash += Math.max(0, missing); // less than nothing only where a value came twice
                } else {
                    atStop += Math.max(0, missing);
                }
                from = least;
                given = 0;
                allowed = 0;
                killed = false;
            }
            restOfFirst &= least == null;
            given += life.given;
            allowed += life.unanswered + life.rests;
            if (life.end != End.STOPPED) {
                killed = true;
                allowed += BLOCKS_IN_MEMORY * defined.cache().orElse(0);
            }
        }
        return new Missing(atCrash, atStop);
    }

    private static String text(Run run) {
        return run.first() == run.last() ? "value " + run.first() : "values " + run.first() + " to " + run.last();
    }
}
