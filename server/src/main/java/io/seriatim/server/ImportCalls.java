package io.seriatim.server;

import io.seriatim.Block;
import io.seriatim.ErrorCode;
import io.seriatim.LedgerEntry;
import io.seriatim.Sequence;
import io.seriatim.SequenceConflictException;
import io.seriatim.Sequences;
import io.seriatim.numbering.NumberSequence;
import io.seriatim.numbering.Numbering;
import java.util.ArrayList;
import java.util.List;

/** The call that enters numbers which were used before, of one counter. */
final class ImportCalls {

    private static final String RUNS = "runs";
    private static final String FIRST = "first";
    private static final String LAST = "last";
    private static final String REASON = "reason";

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
        Fields fields = Fields.of(call.body()).only(List.of(WantedCounter.PERIOD, AskJson.SCOPE, RUNS, REASON));
        NumberSequence sequence = ByName.printing(sequences, numbering, names.get(0));
        List<Block> runs = runs(fields, sequence.format().values().increment());
        NumberSequence signed = sequence.by(call.author(fields.text(REASON)));
        Sequence counter = WantedCounter.in(fields).of(signed).values();
        long count = runs.stream().mapToLong(Block::count).sum();
        boolean entered = enter(counter, runs);
        return Reply.json(200, Json.object(out -> {
            out.writeNumberProperty("imported", entered ? count : 0);
            out.writeNumberProperty("already", entered ? 0 : count);
        }));
    }

    /** Whether they were entered now; not if the same call was carried out before. */
    private static boolean enter(Sequence counter, List<Block> runs) {
        try {
            counter.importValues(runs);
            return true;
        } catch (SequenceConflictException e) {
            if (e.code() != ErrorCode.BEHIND || !runs.stream().allMatch(run -> isImported(counter, run))) {
                throw e;
            }
            return false;
        }
    }

    private static boolean isImported(Sequence counter, Block run) {
        return counter.history(run.first()).stream()
                .anyMatch(entry -> entry.state() == LedgerEntry.State.IMPORTED
                        && entry.values().equals(run));
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
