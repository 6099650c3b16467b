package io.seriatim;

import io.seriatim.LedgerEntry.Facts;
import io.seriatim.LedgerEntry.State;
import java.util.List;
import java.util.Optional;

/**
 * Values that were used before this sequence was there: the counter goes on behind the last of them.
 *
 * @param runs in order, and behind everything that the counter has given
 */
record Importing(List<Block> runs, Author author) implements CounterWriter.Edit {

    private static final String MISSING = "missing in the import";

    @Override
    public AuditEntry.Action action() {
        return AuditEntry.Action.IMPORT;
    }

    @Override
    public CounterWriter.Edited edit(Stored current, Position position) {
        current.account().requireNotClosed();
        Definition definition = current.definition();
        Progression progression = definition.progression();
        Position end = position;
        for (Block run : runs) {
            requireBehind(progression, run, end);
            if (!definition.contains(run.first()) || !definition.contains(run.last())) {
                throw new BadDefinitionException(
                        ErrorCode.OUT_OF_RANGE,
                        "runs",
                        "imported values must be from min to max: first=" + run.first() + " last=" + run.last()
                                + " min=" + definition.min() + " max=" + definition.max());
            }
            end = new Position(position.generation(), 0, run.last(), false);
        }
        boolean beforeStart = position.fresh() && progression.isBehind(end.value(), position.value());
        Position moved = beforeStart ? position : end;
        return new CounterWriter.Edited(definition, moved, false, posting -> tell(definition, position, posting));
    }

    private static void requireBehind(Progression progression, Block run, Position end) {
        boolean early = !end.fresh() && (run.first() == end.value() || progression.isBehind(run.first(), end.value()));
        if (early) {
            throw new SequenceConflictException(
                    ErrorCode.BEHIND,
                    "imported values must lie behind those that are there: first=" + run.first() + " last="
                            + end.value());
        }
        if (run.increment() != progression.increment()) {
            throw new IllegalArgumentException("imported values go by the increment: increment=" + run.increment());
        }
    }

    /** What lies before the first value of a counter that has given none is nobody's. */
    private void tell(Definition definition, Position position, Posting posting) {
        Optional<Position> end = position.fresh() ? Optional.empty() : Optional.of(position);
        for (Block run : runs) {
            Position begin = new Position(position.generation(), 0, run.first(), true);
            end.ifPresent(from -> posting.takeBetween(
                    definition.contract() == Contract.GAPLESS ? State.VOIDED : State.LOST,
                    definition.progression(),
                    from,
                    begin,
                    Facts.because(MISSING)));
            posting.take(State.IMPORTED, run, Facts.by(author));
            end = Optional.of(new Position(position.generation(), 0, run.last(), false));
        }
    }
}
