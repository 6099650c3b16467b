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
        boolean told = current.account().head().entries() > 0;
        Position end = position;
        for (Block run : runs) {
            requireBehind(progression, run, end, told);
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
        return new CounterWriter.Edited(
                definition, moved, false, posting -> tell(definition, position, moved, posting));
    }

    /** @param told whether the ledger speaks of values before a start that has not come yet */
    private static void requireBehind(Progression progression, Block run, Position end, boolean told) {
        boolean before = progression.isBehind(run.first(), end.value());
        boolean early = end.fresh() ? told && before : before || run.first() == end.value();
        if (early) {
            throw new SequenceConflictException(
                    ErrorCode.BEHIND,
                    "old values go in front of those that a counter gives, in order: it has come to " + end.value()
                            + ", so " + run.first() + " is too late; import all old numbers of a counter at once,"
                            + " before it gives any");
        }
        if (run.increment() != progression.increment()) {
            throw new IllegalArgumentException("imported values go by the increment: increment=" + run.increment());
        }
    }

    /**
     * What lies before the first value that the ledger speaks of is nobody's; from there on, up to where the counter goes
     * on, every value is explained.
     */
    private void tell(Definition definition, Position position, Position moved, Posting posting) {
        boolean first = position.fresh() && posting.account().head().entries() == 0;
        Optional<Position> end = first ? Optional.empty() : Optional.of(position);
        for (Block run : runs) {
            Position begin = new Position(position.generation(), 0, run.first(), true);
            end.ifPresent(from -> tellMissing(definition, from, begin, posting));
            posting.take(State.IMPORTED, run, Facts.by(author));
            end = Optional.of(new Position(position.generation(), 0, run.last(), false));
        }
        if (moved.fresh()) {
            end.ifPresent(from -> tellMissing(definition, from, moved, posting));
        }
    }

    private static void tellMissing(Definition definition, Position from, Position to, Posting posting) {
        posting.takeBetween(
                definition.contract() == Contract.GAPLESS ? State.VOIDED : State.LOST,
                definition.progression(),
                from,
                to,
                Facts.because(MISSING));
    }
}
