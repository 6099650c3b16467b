package io.seriatim;

import java.util.function.Consumer;

/** A restart by itself. */
record Repositioning(String name, Restart restart, Author author) implements CounterWriter.Edit {

    @Override
    public AuditEntry.Action action() {
        return AuditEntry.Action.RESTART;
    }

    @Override
    public CounterWriter.Edited edit(Stored current, Position position) {
        current.account().requireNotClosed();
        Definition definition = current.definition();
        long value = restart.value().orElse(definition.start());
        if (!definition.contains(value)) {
            throw new BadDefinitionException(
                    ErrorCode.OUT_OF_RANGE,
                    "value",
                    "a restart must be from min to max: value=" + value + " min=" + definition.min() + " max="
                            + definition.max());
        }
        Position moved = moved(name, definition, definition, position, restart);
        return new CounterWriter.Edited(
                definition,
                moved,
                isBehind(definition, position, restart, value),
                passingOver(definition, position, moved, author));
    }

    /** Says of the values that nobody will get why that is. */
    static Consumer<Posting> passingOver(Definition definition, Position from, Position to, Author author) {
        LedgerEntry.State state =
                definition.contract() == Contract.GAPLESS ? LedgerEntry.State.VOIDED : LedgerEntry.State.LOST;
        Author told = author.why().isPresent() ? author : author.because("restart");
        return posting -> posting.takeBetween(state, definition.progression(), from, to, LedgerEntry.Facts.by(told));
    }

    /** Whether values up to the present position could come again. */
    static boolean isBehind(Definition before, Position position, Restart restart, long value) {
        boolean sameValueRepeats = restart.fresh() && !position.fresh();
        return before.progression().isBehind(value, position.value())
                || (sameValueRepeats && value == position.value());
    }

    /**
     * The position after a restart, refused if a value that may have been handed out could come again.
     *
     * <p>A fresh counter of the first generation has handed out nothing. In a later generation a fresh value
     * comes next, but those before it may be out.
     */
    static Position moved(String name, Definition before, Definition after, Position position, Restart restart) {
        long value = restart.value().orElse(after.start());
        boolean nothingIssued = position.fresh() && position.generation() == 1;
        if (isBehind(before, position, restart, value)
                && !nothingIssued
                && (restart.reuseReason().isEmpty() || before.contract() == Contract.GAPLESS)) {
            String rule = before.contract() == Contract.GAPLESS
                    ? " has contract gapless, and never goes back: restart="
                    : " would hand out values again: restart=";
            throw new SequenceConflictException(
                    ErrorCode.BEHIND, "sequence " + name + rule + value + " last=" + position.value());
        }
        return new Position(position.generation(), 0, value, restart.fresh());
    }
}
