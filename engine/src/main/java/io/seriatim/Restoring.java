package io.seriatim;

import io.seriatim.LedgerEntry.Facts;
import io.seriatim.LedgerEntry.State;
import java.util.ArrayList;
import java.util.List;

/** A counter of a store that was copied back goes on behind everything that may have been handed out since. */
record Restoring(UsedSince since, Author author) implements CounterWriter.Edit {

    /*
     * The counter forgets nothing but what it cannot know. Values that were released when the copy was made may have been
     * confirmed since, and reservations that were open may have ended in any way and their values have gone to others; so
     * neither comes again. They, and the values that are passed over, are `imported` where somebody says that they were
     * used, and `lost` otherwise.
     *
     * A closed period gives nothing, so it need not move.
     */

    static final String WHY = "the store was restored from a copy; what became of it since is not known";

    @Override
    public AuditEntry.Action action() {
        return AuditEntry.Action.RESTORE;
    }

    @Override
    public CounterWriter.Edited edit(Stored current, Position position) {
        Definition definition = current.definition();
        requirePossible(definition);
        Position moved = current.account().isClosed() ? position : behind(definition.progression(), position);
        return new CounterWriter.Edited(
                definition, moved, false, posting -> tell(definition, position, moved, posting));
    }

    private void requirePossible(Definition definition) {
        if (definition.cycle() && (since.block() > 0 || !since.used().isEmpty())) {
            throw new BadDefinitionException(
                    ErrorCode.BAD_OPTION,
                    "used",
                    "values of a sequence that cycles come again, so the last one used says nothing; a margin does");
        }
        for (long value : since.used()) {
            if (!definition.contains(value)) {
                throw new BadDefinitionException(
                        ErrorCode.OUT_OF_RANGE,
                        "used",
                        "a value that was used must be from min to max: value=" + value + " min=" + definition.min()
                                + " max=" + definition.max());
            }
        }
    }

    private Position behind(Progression progression, Position position) {
        Position byMargin = advanced(progression, position, since.margin());
        Position byUse = position;
        for (long value : since.used()) {
            if (isAhead(progression, byUse, value)) {
                byUse = new Position(position.generation(), position.round(), value, false);
            }
        }
        byUse = advanced(progression, byUse, since.block());
        boolean useIsFarther = byUse.round() == byMargin.round()
                && !byUse.equals(byMargin)
                && (progression.isBehind(byMargin.value(), byUse.value())
                        || byMargin.value() == byUse.value() && byMargin.fresh());
        return useIsFarther ? byUse : byMargin;
    }

    private static Position advanced(Progression progression, Position from, long count) {
        if (count == 0) {
            return from;
        }
        List<Run> runs = progression.runs(from, count, count);
        return runs.isEmpty() ? from : runs.get(runs.size() - 1).end();
    }

    /** Whether a value that was used lies where the counter has not come to. */
    private static boolean isAhead(Progression progression, Position position, long value) {
        return progression.isBehind(position.value(), value) || position.fresh() && position.value() == value;
    }

    // ---- what the ledger says of it

    private void tell(Definition definition, Position position, Position moved, Posting posting) {
        if (!definition.keepsLedger()) {
            return;
        }
        tellHeld(posting);
        Position at = position;
        for (Block run : runsBehind(definition.progression(), position)) {
            Position begin = new Position(position.generation(), position.round(), run.first(), true);
            posting.takeBetween(State.LOST, definition.progression(), at, begin, lost());
            posting.take(State.IMPORTED, run, used());
            at = new Position(position.generation(), position.round(), run.last(), false);
        }
        posting.takeBetween(State.LOST, definition.progression(), at, moved, lost());
    }

    private void tellHeld(Posting posting) {
        for (Account.Open open : posting.account().open()) {
            posting.change(posting.account().ending(open));
            boolean wasUsed = since.used().contains(open.value());
            posting.post(
                    wasUsed ? State.IMPORTED : State.LOST, open.value(), (wasUsed ? used() : lost()).of(open.id()));
        }
        for (long value : posting.account().released()) {
            posting.change(posting.account().handingOut(value));
            boolean wasUsed = since.used().contains(value);
            posting.post(wasUsed ? State.IMPORTED : State.LOST, value, wasUsed ? used() : lost());
        }
    }

    /** The values used that the counter had not come to, those one increment apart together. */
    private List<Block> runsBehind(Progression progression, Position position) {
        List<Long> ahead = new ArrayList<>();
        for (long value : since.used()) {
            if (isAhead(progression, position, value) && (ahead.isEmpty() || ahead.get(ahead.size() - 1) != value)) {
                ahead.add(progression.increment() > 0 ? ahead.size() : 0, value);
            }
        }
        List<Block> runs = new ArrayList<>();
        for (long value : ahead) {
            Block one = new Block(value, progression.increment(), 1);
            int last = runs.size() - 1;
            if (last >= 0 && runs.get(last).adjoins(one)) {
                Block run = runs.get(last);
                runs.set(last, new Block(run.first(), run.increment(), run.count() + 1));
            } else {
                runs.add(one);
            }
        }
        return runs;
    }

    private Facts lost() {
        return Facts.because(WHY).signed(author);
    }

    private Facts used() {
        return Facts.by(author);
    }
}
