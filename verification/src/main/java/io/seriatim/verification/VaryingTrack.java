package io.seriatim.verification;

import io.seriatim.verification.HistoryEvent.Answered;
import io.seriatim.verification.HistoryEvent.Change;
import io.seriatim.verification.HistoryEvent.Changed;
import io.seriatim.verification.HistoryEvent.Changing;
import io.seriatim.verification.HistoryEvent.Contract;
import io.seriatim.verification.HistoryEvent.Invoked;
import io.seriatim.verification.HistoryEvent.Run;
import io.seriatim.verification.HistoryEvent.State;
import io.seriatim.verification.Report.Rule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** Follows one sequence that is created, changed and dropped in the course of a history. It ascends by 1. */
final class VaryingTrack implements Track {

    /*
     * Generation: a call has a floor, the least generation that its values may be of. It is the greatest of
     *   - what a change that recalls has made before the call began; a drop does not say what it made, which is beyond
     *     all that anybody had seen before it was sent;
     *   - what the life that the call goes to has shown, and what anybody had before that life began;
     *   - under ordered, what anybody has shown: each answer goes through the counter row.
     * Any other change may be heard of later by other servers: they hand out what they have in memory.
     *
     * Within a generation values are unique and in order, as for sequences that do not vary.
     *
     * Over generations: where each change between two of them says that it went on, the values of the later one lie
     * behind all of the earlier one, whoever has returned them when.
     *
     * What a generation is like is learnt from the answer to the change that made it, which may come after its values.
     * So all but the floors is looked at when the history is at its end. Of a generation that no answer tells of only
     * that is demanded which holds under any contract.
     */

    private static final class Life {
        private final long began;
        private long generation;

        Life(long began, long generation) {
            this.began = began;
            this.generation = generation;
        }
    }

    /**
     * An answer.
     *
     * @param began the moment at which its call began
     * @param ended the moment at which it came
     * @param seen the greatest generation that anybody had shown when its call began
     */
    private record Given(long call, Life life, long began, long ended, long seen, List<Run> runs) {
        long first() {
            return runs.get(0).first();
        }

        long last() {
            return runs.get(runs.size() - 1).last();
        }
    }

    private final String sequence;
    private final Complaints complaints;
    private final Map<Integer, Life> lives = new HashMap<>();
    private final TreeMap<Long, List<Given>> generations = new TreeMap<>();
    private final Map<Long, Contract> contracts = new HashMap<>();
    /** Those that a change has made which went on from the one before. */
    private final Set<Long> goneOn = new HashSet<>();

    private final Map<Long, OptionalLong> leasts = new HashMap<>();
    private long moment;
    private long seen;
    private long recalled;
    private long values;

    VaryingTrack(String sequence, Complaints complaints) {
        this.sequence = sequence;
        this.complaints = complaints;
    }

    @Override
    public void beginLife(int process) {
        lives.put(process, new Life(++moment, seen));
    }

    @Override
    public void endLife(int process, End end) {}

    private Life life(int process) {
        Life life = lives.get(process);
        if (life == null) {
            throw new IllegalArgumentException("the process was never started: process=" + process);
        }
        return life;
    }

    private void show(Life life, long generation) {
        life.generation = Math.max(life.generation, generation);
        seen = Math.max(seen, generation);
    }

    // ---- changes

    /** A change under way. */
    final class Pending {
        private final Changing asked;
        private final Life life;
        private final long seenBefore;

        private Pending(Changing asked, Life life, long seenBefore) {
            this.asked = asked;
            this.life = life;
            this.seenBefore = seenBefore;
        }

        int process() {
            return asked.process();
        }

        void changed(Changed changed) {
            moment++;
            if (changed.state().isEmpty() != (asked.change() == Change.DROP)) {
                complaints.add(Rule.ANSWER, "change " + asked.call() + " was answered " + changed);
                return;
            }
            long generation = changed.state().map(State::generation).orElse(seenBefore + 1);
            if (asked.change().recalls()) {
                recalled = Math.max(recalled, generation);
            }
            if (asked.change().goesOn()) {
                goneOn.add(generation);
            }
            if (asked.change() == Change.FORWARD || asked.change() == Change.BACK) {
                leasts.put(generation, asked.value());
            }
            changed.state().ifPresent(state -> contracts.put(generation, state.contract()));
            show(life, generation);
        }
    }

    /** A change sent to a process that has been started. */
    Pending changing(Changing asked) {
        moment++;
        return new Pending(asked, life(asked.process()), seen);
    }

    // ---- calls

    @Override
    public Call invoked(Invoked asked) {
        Life life = life(asked.process());
        return new Asked(asked, life, ++moment, Math.max(recalled, life.generation), seen);
    }

    private final class Asked implements Call {
        private final Invoked asked;
        private final Life life;
        private final long began;
        private final long floor;
        private final long seenBefore;

        private Asked(Invoked asked, Life life, long began, long floor, long seenBefore) {
            this.asked = asked;
            this.life = life;
            this.began = began;
            this.floor = floor;
            this.seenBefore = seenBefore;
        }

        @Override
        public int process() {
            return asked.process();
        }

        @Override
        public void unanswered() {}

        @Override
        public void failed(String code) {}

        @Override
        public void answered(Answered answer) {
            if (answer.generation().isEmpty() || !isWhole(answer.runs())) {
                complain(Rule.ANSWER, asked.call(), "asked for " + asked.count() + " values and got " + answer);
                return;
            }
            long generation = answer.generation().getAsLong();
            if (generation < floor) {
                complain(
                        Rule.GENERATION,
                        asked.call(),
                        "got " + answer.runs() + " of generation " + generation + " after generation " + floor);
            }
            values += asked.count();
            generations
                    .computeIfAbsent(generation, it -> new ArrayList<>())
                    .add(new Given(asked.call(), life, began, ++moment, seenBefore, answer.runs()));
            show(life, generation);
        }

        private boolean isWhole(List<Run> runs) {
            long count = 0;
            long before = 0;
            for (Run run : runs) {
                if (run.first() <= before || run.last() < run.first()) {
                    return false;
                }
                count += run.last() - run.first() + 1;
                before = run.last();
            }
            return count == asked.count();
        }
    }

    // ---- the end

    @Override
    public Sums end() {
        long before = 0;
        long greatest = 0;
        for (Map.Entry<Long, List<Given>> each : generations.entrySet()) {
            long generation = each.getKey();
            List<Given> answers = each.getValue();
            boolean goesOn = before > 0 && isGoneOn(before, generation);
            long behind = Math.max(goesOn ? greatest : 0, least(generation) - 1);
            Given first =
                    answers.stream().min(Comparator.comparingLong(Given::first)).orElseThrow();
            if (first.first() <= behind) {
                complain(
                        goesOn && first.first() <= greatest ? Rule.ORDER : Rule.RANGE,
                        first.call(),
                        "got " + first.first() + " of generation " + generation + ", which goes on behind " + behind);
            }
            checkUnique(generation, answers);
            checkOrder(generation, answers);
            greatest = answers.stream().mapToLong(Given::last).max().orElseThrow();
            before = generation;
        }
        return new Sums(0, 0, values, 0, 0);
    }

    private long least(long generation) {
        return leasts.getOrDefault(generation, OptionalLong.empty()).orElse(1);
    }

    private boolean isGoneOn(long from, long to) {
        for (long generation = from + 1; generation <= to; generation++) {
            if (!goneOn.contains(generation)) {
                return false;
            }
        }
        return true;
    }

    private void checkUnique(long generation, Collection<Given> answers) {
        record Part(long call, Run run) {}
        List<Part> parts = answers.stream()
                .flatMap(given -> given.runs().stream().map(run -> new Part(given.call(), run)))
                .sorted(Comparator.comparingLong(part -> part.run().first()))
                .toList();
        long greatest = 0;
        for (Part part : parts) {
            if (part.run().first() <= greatest) {
                complain(Rule.UNIQUE, part.call(), "got " + part.run() + " of generation " + generation + " again");
            }
            greatest = Math.max(greatest, part.run().last());
        }
    }

    private void checkOrder(long generation, List<Given> answers) {
        boolean ordered = contracts.get(generation) == Contract.ORDERED;
        Returned all = new Returned(answers);
        Map<Life, List<Given>> byLife = new HashMap<>();
        answers.forEach(given ->
                byLife.computeIfAbsent(given.life(), it -> new ArrayList<>()).add(given));
        byLife.forEach((life, own) -> {
            Returned here = new Returned(own);
            long before = all.greatestBefore(life.began);
            for (Given given : own) {
                long floor = ordered
                        ? all.greatestBefore(given.began())
                        : Math.max(before, here.greatestBefore(given.began()));
                if (given.first() <= floor) {
                    complain(
                            Rule.ORDER,
                            given.call(),
                            "got " + given.first() + " of generation " + generation + " after " + floor
                                    + " had been returned");
                }
                if (ordered && generation < given.seen()) {
                    complain(
                            Rule.GENERATION,
                            given.call(),
                            "got " + given.runs() + " of generation " + generation + ", which is ordered, after "
                                    + given.seen());
                }
            }
        });
    }

    /** The greatest value returned up to each of some moments, in the order of time. */
    private static final class Returned {
        private final List<Given> answers;
        /** Before the first answer, and after each. */
        private final long[] greatest;

        Returned(List<Given> answers) {
            this.answers = answers;
            this.greatest = new long[answers.size() + 1];
            for (int i = 0; i < answers.size(); i++) {
                greatest[i + 1] = Math.max(greatest[i], answers.get(i).last());
            }
        }

        long greatestBefore(long moment) {
            int from = 0;
            int to = answers.size();
            while (from < to) {
                int middle = (from + to) >>> 1;
                if (answers.get(middle).ended() < moment) {
                    from = middle + 1;
                } else {
                    to = middle;
                }
            }
            return greatest[from];
        }
    }

    private void complain(Rule rule, long call, String text) {
        complaints.add(rule, "call " + call + " " + text + " (" + sequence + ")");
    }
}
