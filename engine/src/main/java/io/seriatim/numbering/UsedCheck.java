package io.seriatim.numbering;

import io.seriatim.LedgerEntry;
import io.seriatim.LedgerEntry.State;
import io.seriatim.Sequence;
import io.seriatim.Sequences;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Compares numbers that were used outside with what the store knows of them. Changes nothing. */
public final class UsedCheck {

    /** Findings that are kept word for word; the rest are counted. */
    private static final int MAX_FINDINGS = 1_000;

    private static final Set<State> NOT_IN_USE = EnumSet.of(State.RELEASED, State.VOIDED, State.LOST);

    /**
     * Something that must not be.
     *
     * @param code AHEAD: the counter has not come to the value, and would hand it out again; NOT_IN_USE: the ledger says
     *     that nobody has it
     * @param value that was used
     * @param what a sentence
     */
    public record Finding(String code, UsedNumbers.Counter counter, long value, String what) {}

    /**
     * What was found.
     *
     * @param findings the first thousand
     * @param moreFindings how many there are beside those
     */
    public record Report(long numbers, long counters, List<Finding> findings, long moreFindings) {

        public Report {
            findings = List.copyOf(findings);
        }
    }

    private final Sequences sequences;
    private final Numbering numbering;
    private final List<Finding> findings = new ArrayList<>();
    private long moreFindings;
    private long numbers;
    private long counters;

    public UsedCheck(Sequences sequences) {
        this.sequences = sequences;
        this.numbering = Numbering.on(sequences);
    }

    /** Looks at every number; to be asked once. */
    public Report run(UsedNumbers used) {
        used.forEach((counter, values) -> {
            Sequence sequence = sequences.get(counter.sequence());
            Map<String, String> options = sequence.definition().options();
            if (Boolean.parseBoolean(options.get("cycle"))) {
                return; // every value comes again
            }
            counters++;
            numbers += values.size();
            boolean up = Long.parseLong(options.getOrDefault("increment", "1")) > 0;
            check(counter, sequence, values, up);
        });
        return new Report(numbers, counters, findings, moreFindings);
    }

    private void check(UsedNumbers.Counter counter, Sequence sequence, List<Long> values, boolean up) {
        boolean keepsLedger = numbering.format(sequence).isPresent();
        Sequence itself = keepsLedger ? sequence.counter(counter.scope(), counter.period()) : sequence;
        OptionalLong mark = keepsLedger
                ? itself.counterState().highWaterMark()
                : itself.state().highWaterMark();
        for (long value : values) {
            boolean ahead = mark.isEmpty() || (up ? value > mark.getAsLong() : value < mark.getAsLong());
            if (ahead) {
                add("AHEAD", counter, value, "the counter has not come so far, and would hand it out again");
            } else if (keepsLedger) {
                stateOf(itself, value)
                        .filter(NOT_IN_USE::contains)
                        .ifPresent(state -> add("NOT_IN_USE", counter, value, "the ledger says " + state.text()));
            }
        }
    }

    private static Optional<State> stateOf(Sequence counter, long value) {
        List<LedgerEntry> history = counter.history(value);
        return history.isEmpty()
                ? Optional.empty()
                : Optional.of(history.get(history.size() - 1).state());
    }

    private void add(String code, UsedNumbers.Counter counter, long value, String what) {
        if (findings.size() < MAX_FINDINGS) {
            findings.add(new Finding(code, counter, value, what));
        } else {
            moreFindings++;
        }
    }
}
