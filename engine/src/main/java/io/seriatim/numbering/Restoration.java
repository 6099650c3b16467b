package io.seriatim.numbering;

import io.seriatim.Author;
import io.seriatim.BadFormatException;
import io.seriatim.CounterState;
import io.seriatim.ErrorCode;
import io.seriatim.Sequence;
import io.seriatim.SequenceState;
import io.seriatim.Sequences;
import io.seriatim.UsedSince;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Moves every counter of a store that was restored from a copy behind what may have been handed out since the copy was
 * made. Nobody else may use the store meanwhile. For one thread.
 */
public final class Restoration {

    /*
     * A copy does not know what was handed out after it. Somebody else has to say it, for every sequence: as a margin, so
     * many values at most of each counter, or as the numbers that were really used and the largest block, which may be out
     * without having been used. Of a sequence of which nobody says anything no value may come, so a restore without it is
     * refused before anything is moved.
     *
     * Counters that the copy does not have are the trap: a period that has begun since, a scope value that was first used
     * since. Their first values are out. Periods can be counted: for every scope of the copy those from the moment of the
     * copy until one after the present are entered with the margin. Scope values cannot: whoever restores lists the numbers
     * that were used, or says that there is no new value.
     */

    /** The largest block where the definition does not say it; BlockSize takes no larger one. */
    private static final long LARGEST_BLOCK = 8L << 20;

    private static final int PAGE = 100;

    private static final String AUTO = "auto";
    private static final String NEVER = Reset.NEVER.text();

    /**
     * What is known.
     *
     * @param margin so many values of each counter were handed out since at most
     * @param block the largest run that may be out without having been used; empty: as the definition of each sequence says
     * @param noNewScopes whether no scope value was first used since
     * @param copied when the copy was made; empty if nobody knows
     */
    public record Rule(OptionalLong margin, OptionalLong block, boolean noNewScopes, Optional<Instant> copied) {

        public Rule {
            if (margin.isPresent() && margin.getAsLong() < 0 || block.isPresent() && block.getAsLong() < 0) {
                throw new IllegalArgumentException("margin and block must be at least 0");
            }
        }
    }

    /**
     * What becomes of a counter.
     *
     * @param before the last value that the copy knows as handed out; empty before the first
     * @param after the last value that counts as handed out from now on
     */
    public record Step(String sequence, String scope, String period, OptionalLong before, OptionalLong after) {}

    private final Sequences sequences;
    private final Numbering numbering;
    private final Rule rule;
    private final UsedNumbers used;
    private final Author author;

    public Restoration(Sequences sequences, Rule rule, UsedNumbers used, Author author) {
        this.sequences = sequences;
        this.numbering = Numbering.on(sequences);
        this.rule = rule;
        this.used = used;
        this.author = author;
    }

    /**
     * Says what {@link #run} would do, and changes nothing.
     *
     * @throws BadFormatException if something is missing that has to be known, naming the option; final
     */
    public void plan(Consumer<Step> visitor) {
        requireComplete();
        forEachCounter((counter, step) -> show(counter, step, visitor));
    }

    /**
     * Moves every counter; each move is durable before its step is shown. Broken off, it may be run again: counters that
     * were moved by a margin are then moved by it once more.
     *
     * @throws BadFormatException as {@link #plan}; nothing was moved then
     */
    public void run(Consumer<Step> visitor) {
        plan(step -> {});
        forEachCounter((counter, step) -> {
            SequenceState unused = counter.by(author).restore(sinceOf(counter, step));
            show(counter, step, visitor);
        });
    }

    private void show(Sequence counter, Step step, Consumer<Step> visitor) {
        if (!isNoCounter(counter, step)) {
            visitor.accept(step);
        }
    }

    // ---- what must be known

    private void requireComplete() {
        forEachSequence(sequence -> {
            if (rule.margin().isEmpty() && !used.names(sequence.name())) {
                throw bad(
                        "margin",
                        "nobody says what was handed out of sequence " + sequence.name()
                                + " since the copy was made: give a margin, or a line for it among the used numbers");
            }
            Optional<NumberFormat> format = numbering.format(sequence);
            if (format.isEmpty() || used.names(sequence.name())) {
                return;
            }
            if (hasPeriods(format.get()) && rule.copied().isEmpty()) {
                throw bad(
                        "since",
                        "sequence " + sequence.name()
                                + " has periods: some may have begun since the copy was made, so say"
                                + " when that was");
            }
            if (!format.get().definition().scopes().isEmpty() && !rule.noNewScopes()) {
                throw bad(
                        "no-new-scopes",
                        "sequence " + sequence.name()
                                + " has scopes: list the numbers that were used, or say that no scope"
                                + " value was first used since the copy was made");
            }
        });
    }

    private static BadFormatException bad(String option, String what) {
        return BadFormatException.of(ErrorCode.BAD_OPTION, option, what);
    }

    private static boolean hasPeriods(NumberFormat format) {
        return !format.definition().reset().equals(NEVER);
    }

    // ---- every counter

    private interface Visitor {
        void visit(Sequence counter, Step step);
    }

    private void forEachSequence(Consumer<Sequence> visitor) {
        String after = "";
        List<SequenceState> page = sequences.list("", after, PAGE);
        while (!page.isEmpty()) {
            page.forEach(state -> visitor.accept(sequences.get(state.name())));
            after = page.get(page.size() - 1).name();
            page = sequences.list("", after, PAGE);
        }
    }

    private void forEachCounter(Visitor visitor) {
        forEachSequence(sequence -> {
            Optional<NumberFormat> format = numbering.format(sequence);
            if (format.isEmpty()) {
                visit(sequence, "", "", sequence.state().highWaterMark(), visitor);
            } else {
                forEachCounter(sequence, format.get(), visitor);
            }
        });
    }

    private void forEachCounter(Sequence sequence, NumberFormat format, Visitor visitor) {
        Set<String> scopes = new LinkedHashSet<>();
        Set<UsedNumbers.Counter> seen = new HashSet<>();
        Optional<CounterState> after = Optional.empty();
        List<CounterState> page = sequence.counters(after, PAGE);
        while (!page.isEmpty()) {
            for (CounterState state : page) {
                scopes.add(state.scope());
                seen.add(new UsedNumbers.Counter(sequence.name(), state.scope(), state.period()));
                visit(sequence, state.scope(), state.period(), state.highWaterMark(), visitor);
            }
            after = Optional.of(page.get(page.size() - 1));
            page = sequence.counters(after, PAGE);
        }
        if (!format.definition().scopes().isEmpty()) {
            scopes.remove(""); // the row of the sequence itself
        }
        List<UsedNumbers.Counter> missing = new ArrayList<>();
        used.forEach((counter, values) -> {
            if (counter.sequence().equals(sequence.name())) {
                missing.add(counter);
            }
        });
        if (rule.margin().isPresent() && hasPeriods(format) && rule.copied().isPresent()) {
            for (String period : periodsSince(format, rule.copied().get())) {
                scopes.forEach(scope -> missing.add(new UsedNumbers.Counter(sequence.name(), scope, period)));
            }
        }
        for (UsedNumbers.Counter counter : missing) {
            if (seen.add(counter)) {
                visit(sequence, counter.scope(), counter.period(), OptionalLong.empty(), visitor);
            }
        }
    }

    /** Those that can have given numbers since: a date of a call may lie one period behind the present one. */
    private List<String> periodsSince(NumberFormat format, Instant copied) {
        List<String> keys = new ArrayList<>();
        Period last = format.periodAt(sequences.now());
        Optional<Period> next = Optional.of(format.periodAt(copied));
        while (next.isPresent() && !next.get().firstDay().isAfter(last.firstDay())) {
            keys.add(next.get().key());
            next = format.after(next.get());
        }
        next.ifPresent(following -> keys.add(following.key()));
        return keys;
    }

    private void visit(Sequence sequence, String scope, String period, OptionalLong before, Visitor visitor) {
        Sequence counter = scope.isEmpty() && period.isEmpty() ? sequence : sequence.counter(scope, period);
        Step known = new Step(sequence.name(), scope, period, before, before);
        OptionalLong after = counter.lastAfterRestore(sinceOf(counter, known));
        visitor.visit(counter, new Step(sequence.name(), scope, period, before, after));
    }

    private UsedSince sinceOf(Sequence counter, Step step) {
        if (isNoCounter(counter, step)) {
            return UsedSince.NOTHING; // it gives no values, but its generation rises
        }
        List<Long> values = used.of(new UsedNumbers.Counter(step.sequence(), step.scope(), step.period()));
        long block = used.names(step.sequence()) ? blockOf(counter) : 0;
        return new UsedSince(rule.margin().orElse(0), values, block);
    }

    /** The row of a sequence itself, or of the latest period of a scope: the counters have rows of their own. */
    private boolean isNoCounter(Sequence sequence, Step step) {
        return numbering
                .format(sequence)
                .filter(format -> hasPeriods(format) && step.period().isEmpty()
                        || !format.definition().scopes().isEmpty()
                                && step.scope().isEmpty())
                .isPresent();
    }

    /** A value of another contract is durable before anybody has it, one by one. */
    private long blockOf(Sequence sequence) {
        if (rule.block().isPresent()) {
            return rule.block().getAsLong();
        }
        Map<String, String> options = sequence.definition().options();
        if (!"fast".equals(options.get("contract"))) {
            return 0;
        }
        String cache = options.getOrDefault("cache", AUTO);
        return cache.equals(AUTO) ? LARGEST_BLOCK : Long.parseLong(cache);
    }
}
