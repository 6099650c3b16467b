package io.seriatim.server;

import io.seriatim.Block;
import io.seriatim.LedgerEntry;
import io.seriatim.Sequence;
import io.seriatim.SequenceState;
import io.seriatim.Sequences;
import io.seriatim.numbering.NumberSequence;
import io.seriatim.numbering.Numbering;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The call that enters numbers which were used before, of one counter. */
final class ImportCalls {

    private static final String RUNS = "runs";
    private static final String FIRST = "first";
    private static final String LAST = "last";
    private static final String REASON = "reason";
    private static final String DRY_RUN = "dryRun";

    /** As many as a body has room for. */
    static final int MOST_RUNS = 1_000;

    private final Sequences sequences;
    private final Numbering numbering;

    ImportCalls(Sequences sequences, Numbering numbering) {
        this.sequences = sequences;
        this.numbering = numbering;
    }

    void addTo(Routes routes) {
        routes.add("POST", "/v1/sequences/{name}/import", ByName.found(this::enter));
    }

    private Reply enter(Call call, List<String> names) {
        Query.of(call);
        Fields fields =
                Fields.of(call.body()).only(List.of(WantedCounter.PERIOD, AskJson.SCOPE, RUNS, REASON, DRY_RUN));
        boolean dryRun = fields.flag(DRY_RUN).orElse(false);
        NumberSequence sequence = ByName.printing(sequences, numbering, names.get(0));
        List<Block> runs = runs(fields, sequence.format().values().increment());
        NumberSequence signed = sequence.by(call.author(fields.text(REASON)));
        Sequence counter = WantedCounter.in(fields).inUse(signed).values();
        List<Block> left = notImported(counter, runs);
        if (!left.isEmpty() && dryRun) {
            counter.requireImportable(left);
        } else if (!left.isEmpty()) {
            SequenceState unused = counter.importValues(left);
        }
        long entered = count(left);
        return Reply.json(200, Json.object(out -> {
            out.writeNumberProperty("imported", entered);
            out.writeNumberProperty("already", count(runs) - entered);
        }));
    }

    private static long count(List<Block> runs) {
        return runs.stream().mapToLong(Block::count).sum();
    }

    /** What is left of runs behind those at their beginning that were imported before, in whatever calls. */
    private static List<Block> notImported(Sequence counter, List<Block> runs) {
        for (int i = 0; i < runs.size(); i++) {
            Block run = runs.get(i);
            long known = imported(counter, run);
            if (known < run.count()) {
                List<Block> left = new ArrayList<>(runs.subList(i, runs.size()));
                left.set(0, new Block(run.valueAt(known), run.increment(), run.count() - known));
                return left;
            }
        }
        return List.of();
    }

    /** How many of the first values of a run were imported before. */
    private static long imported(Sequence counter, Block run) {
        long known = 0;
        while (known < run.count()) {
            long value = run.valueAt(known);
            Optional<Block> entry = counter.history(value).stream()
                    .filter(each -> each.state() == LedgerEntry.State.IMPORTED)
                    .map(LedgerEntry::values)
                    .filter(values -> values.increment() == run.increment())
                    .findFirst();
            if (entry.isEmpty()) {
                return known;
            }
            long behind = entry.get().count() - (value - entry.get().first()) / run.increment();
            known = Math.min(run.count(), known + behind);
        }
        return known;
    }

    private static List<Block> runs(Fields fields, long increment) {
        List<Fields> given = fields.objects(RUNS).orElseThrow(() -> fields.required(RUNS));
        if (given.isEmpty() || given.size() > MOST_RUNS) {
            throw fields.refused(RUNS, RUNS + " must be 1 to " + MOST_RUNS + " runs");
        }
        List<Block> runs = new ArrayList<>();
        for (Fields run : given) {
            run.only(List.of(FIRST, LAST));
            long first = run.integer(FIRST).orElseThrow(() -> run.required(FIRST));
            long last = run.integer(LAST).orElse(first);
            boolean forwards = increment > 0 ? last >= first : last <= first;
            long distance = increment > 0 ? last - first : first - last; // of numbers, which are never negative
            if (first < 0 || last < 0 || !forwards || distance % Math.abs(increment) != 0) {
                throw run.refused(
                        LAST,
                        run.path(LAST) + " must be a whole number of increments behind first, and neither negative:"
                                + " first=" + first + " last=" + last + " increment=" + increment);
            }
            runs.add(new Block(first, increment, distance / Math.abs(increment) + 1));
        }
        return runs;
    }
}
