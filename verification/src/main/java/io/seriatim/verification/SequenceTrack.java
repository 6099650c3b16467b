package io.seriatim.verification;

import io.seriatim.verification.HistoryEvent.Answered;
import io.seriatim.verification.HistoryEvent.Contract;
import io.seriatim.verification.HistoryEvent.Defined;
import io.seriatim.verification.HistoryEvent.Invoked;
import io.seriatim.verification.HistoryEvent.Run;
import io.seriatim.verification.HistoryEvent.Wish;
import io.seriatim.verification.Report.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Follows one sequence through a history that leaves its definition alone. */
final class SequenceTrack implements Track {

    /*
     * Unique: the values so far are disjoint runs in a tree, adjacent ones merged, so memory grows with the
     * holes and not with the values.
     *
     * Order: a call keeps its floor, a value returned before it began, and its answer must be ahead of that. Under
     * ordered the floor is the greatest value returned by anyone: together with uniqueness this is linearizability
     * for a counter that may skip: order the calls by value. Under fast it is the greatest of the life that the call
     * goes to, or of all before that life began: a process takes its first block behind every other there is.
     *
     * Lost: what is missing below the greatest value returned must be with somebody at every moment: a call under
     * way, one that was never answered, a short rest, a process that has blocks in memory or had when it ended.
     * Under ordered no process has any, so a kill loses at most the calls in flight. This holds for any number of
     * processes.
     *
     * Holes: where no two processes were alive together, more can be said. Let least(L) be the least value that
     * life L gave. Everything from there to least(N), N the next life that gave any, was given by L or is missing.
     * Missing may be
     *   - values in memory when L was killed;
     *   - values of calls without an answer, in L or (below least(N)) in N;
     *   - rests of blocks too short for a call for many values, fewer than that call asked for, in L or N.
     * Lives that gave nothing add to what may be missing. Nothing is said of the values behind the last life.
     *
     * Keys: the first answer to a key is an answer like others, unless an earlier call with the key had none. Then
     * the values may be of either call: the floor is the lower one, and they are not taken for given by any life.
     * Every further answer must be the same, and counts for nothing else.
     */

    private static final class Life {
        /** The greatest value returned before it began. */
        private final @Nullable Long before;

        private @Nullable Long least;
        private @Nullable Long greatest;
        private long given;
        private long unanswered;
        private long rests;
        private End end = End.NOT_YET;

        Life(@Nullable Long before) {
            this.before = before;
        }
    }

    /** What is known of the calls with one key. */
    private static final class Keyed {
        private final long firstCall;
        private @Nullable Long floor;
        private @Nullable List<Run> answer;

        Keyed(long firstCall, @Nullable Long floor) {
            this.firstCall = firstCall;
            this.floor = floor;
        }
    }

    private final Defined defined;
    private final Direction direction;
    private final Complaints complaints;
    private final TreeMap<Long, Long> runs;
    private final List<Life> lives = new ArrayList<>();
    private final Map<Integer, Life> livesByProcess = new HashMap<>();
    private final Map<String, Keyed> keys = new HashMap<>();
    private boolean shared;
    private boolean tooManyLost;
    private @Nullable Long greatest;
    private long given;
    private long repeated;
    private long settled;
    /** Values that calls under way, calls without an answer and short rests account for. */
    private long accountedFor;

    SequenceTrack(Defined defined, Complaints complaints) {
        this.defined = defined;
        this.direction = new Direction(defined.increment());
        this.complaints = complaints;
        this.runs = new TreeMap<>(direction.order());
    }

    @Override
    public void beginLife(int process) {
        shared |= livesByProcess.entrySet().stream()
                .anyMatch(other -> other.getKey() != process && other.getValue().end == End.NOT_YET);
        Life life = new Life(greatest);
        lives.add(life);
        livesByProcess.put(process, life);
    }

    @Override
    public void endLife(int process, End end) {
        Life life = livesByProcess.get(process);
        if (life != null) {
            life.end = end;
        }
    }

    @Override
    public Call invoked(Invoked asked) {
        Life life = livesByProcess.get(asked.process());
        if (life == null) {
            throw new IllegalArgumentException("the process was never started: process=" + asked.process());
        }
        Long floor = defined.contract() == Contract.ORDERED ? greatest : later(life.before, life.greatest);
        Keyed keyed = asked.key()
                .map(key -> keys.computeIfAbsent(key, it -> new Keyed(asked.call(), floor)))
                .orElse(null);
        if (keyed != null && keyed.floor != null) {
            keyed.floor = floor == null || direction.isAhead(keyed.floor, floor) ? floor : keyed.floor;
        }
        accountedFor += most(asked);
        return new Asked(asked, life, floor, keyed);
    }

    private @Nullable Long later(@Nullable Long one, @Nullable Long other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return direction.isAhead(one, other) ? one : other;
    }

    /** The values that a call takes or passes over at most. */
    private long most(Invoked asked) {
        return asked.count() + rest(asked);
    }

    private long rest(Invoked asked) {
        return defined.contract() == Contract.ORDERED ? 0 : asked.count() - 1;
    }

    private final class Asked implements Call {
        private final Invoked asked;
        private final Life life;
        /** A value returned before it began, which its own must be ahead of. */
        private final @Nullable Long floor;

        private final @Nullable Keyed keyed;

        private Asked(Invoked asked, Life life, @Nullable Long floor, @Nullable Keyed keyed) {
            this.asked = asked;
            this.life = life;
            this.floor = floor;
            this.keyed = keyed;
        }

        @Override
        public int process() {
            return asked.process();
        }

        @Override
        public void unanswered() {
            life.unanswered += most(asked);
        }

        /** Nobody has the values; under {@code ordered} they may be burnt, where {@code fast} burns a block at most. */
        @Override
        public void failed(String code) {
            if (defined.contract() == Contract.ORDERED && !code.equals("NOT_SENT") || code.equals("OUTCOME_UNKNOWN")) {
                unanswered();
            } else {
                accountedFor -= most(asked);
            }
        }

        @Override
        public void answered(Answered answer) {
            if (answer.generation().orElse(defined.generation()) != defined.generation()) {
                complain(Rule.ANSWER, "got values of another generation: " + answer);
                return;
            }
            if (keyed == null) {
                first(answer, floor, true);
            } else if (keyed.answer == null) {
                keyed.answer = answer.runs();
                first(answer, keyed.floor, keyed.firstCall == asked.call());
            } else {
                accountedFor -= most(asked);
                repeated++;
                if (!keyed.answer.equals(answer.runs())) {
                    complain(Rule.KEY, "got " + answer.runs() + " for a key that had got " + keyed.answer);
                }
            }
        }

        private void first(Answered answer, @Nullable Long above, boolean byThisCall) {
            long count = 0;
            Long before = above;
            for (Run run : answer.runs()) {
                if (!isInRange(run)) {
                    complain(Rule.RANGE, "got " + text(run) + ", which cannot come from " + defined);
                    return;
                }
                if (before != null && !direction.isAhead(run.first(), before)) {
                    complain(Rule.ORDER, "got " + text(run) + " after " + before + " had been returned");
                }
                before = run.last();
                count += direction.steps(run.first(), run.last()) + 1;
                give(run, byThisCall);
            }
            boolean fits = asked.wish() == Wish.EXACTLY ? count == asked.count() : count >= 1 && count <= asked.count();
            if (!fits) {
                complain(Rule.ANSWER, "asked for " + asked.count() + " values and got " + count);
            }
            given += count;
            if (byThisCall) {
                life.given += count;
                life.rests += rest(asked);
                accountedFor -= asked.count();
            } else {
                settled++;
                unanswered();
            }
            checkLost();
        }

        private void give(Run run, boolean byThisCall) {
            Map.Entry<Long, Long> below = runs.floorEntry(run.last());
            if (below != null && !direction.isAhead(run.first(), below.getValue())) {
                complain(
                        Rule.UNIQUE,
                        "got " + text(run) + ", of which values had been given before, among "
                                + text(new Run(below.getKey(), below.getValue())));
                return;
            }
            merge(run, below);
            greatest = later(greatest, run.last());
            if (byThisCall) {
                life.greatest = later(life.greatest, run.last());
                life.least =
                        life.least == null || direction.isAhead(life.least, run.first()) ? run.first() : life.least;
            }
        }

        private void complain(Rule rule, String text) {
            complaints.add(rule, "call " + asked.call() + " " + text);
        }
    }

    private boolean isInRange(Run run) {
        return defined.min() <= Math.min(run.first(), run.last())
                && Math.max(run.first(), run.last()) <= defined.max()
                && direction.isOnWay(defined.start(), run.first())
                && direction.isOnWay(run.first(), run.last());
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

    /** Complains once: what is lost stays lost. */
    private void checkLost() {
        if (greatest == null || defined.mostInMemory().isEmpty() || tooManyLost) {
            return;
        }
        long lost = lost(greatest);
        long most = accountedFor + defined.mostInMemory().getAsLong() * lives.size();
        if (lost > most) {
            tooManyLost = true;
            complaints.add(
                    Rule.HOLES,
                    lost + " values are missing up to " + greatest + ", and calls and processes account for " + most);
        }
    }

    private long lost(long upTo) {
        return direction.steps(defined.start(), upTo) - given + 1;
    }

    /** Looks for values passed over, once the history is at its end. */
    @Override
    public Sums end() {
        if (shared) {
            return new Sums(repeated, settled, given, greatest == null ? 0 : Math.max(0, lost(greatest)), 0);
        }
        long atCrash = 0;
        long atStop = 0;
        long from = defined.start();
        long givenSince = 0;
        long allowed = 0;
        boolean killed = false;
        boolean restOfFirst = true;
        for (Life life : lives) {
            Long least = life.least;
            // The first life answers for the values from start to its own first one.
            if (least != null && !restOfFirst) {
                long missing = direction.steps(from, least) - givenSince;
                long most = allowed + life.unanswered + life.rests;
                if (defined.mostInMemory().isPresent() && missing > most) {
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
                givenSince = 0;
                allowed = 0;
                killed = false;
            }
            restOfFirst &= least == null;
            givenSince += life.given;
            allowed += life.unanswered + life.rests;
            if (life.end != End.STOPPED) {
                killed = true;
                allowed += defined.mostInMemory().orElse(0);
            }
        }
        return new Sums(repeated, settled, given, atCrash, atStop);
    }

    private static String text(Run run) {
        return run.first() == run.last() ? "value " + run.first() : "values " + run.first() + " to " + run.last();
    }
}
