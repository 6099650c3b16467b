package io.seriatim;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * ALTER SEQUENCE: changed options, and perhaps a restart, checked together.
 *
 * @param decide is shown the sequence as it is, as often as it turns out to be another; says which options to change
 */
record Alteration(
        String name, Function<SequenceState, SequenceDefinition> decide, Optional<Restart> restart, Author author)
        implements CounterWriter.Edit {

    @Override
    public AuditEntry.Action action() {
        return AuditEntry.Action.ALTER;
    }

    @Override
    public CounterWriter.Edited edit(Stored current, Position position) {
        Definition definition = current.definition();
        Definition altered = definition.altered(decide.apply(current.state(position)));
        Position moved = restart.map(wish -> Repositioning.moved(name, definition, altered, position, wish))
                .orElse(position);
        if (!altered.contains(moved.value())) {
            String option = restart.isPresent() ? "restart" : moved.value() < altered.min() ? "min" : "max";
            throw new BadDefinitionException(
                    ErrorCode.BAD_OPTION,
                    option,
                    (restart.isPresent() ? "the restart" : "the present value") + " must be from min to max: value="
                            + moved.value() + " min=" + altered.min() + " max=" + altered.max());
        }
        boolean turned = definition.increment() > 0 != altered.increment() > 0;
        boolean back = restart.filter(wish -> Repositioning.isBehind(
                        definition, position, wish, wish.value().orElse(altered.start())))
                .isPresent();
        boolean ordered = definition.contract() != altered.contract() && altered.contract() == Contract.ORDERED;
        Consumer<Posting> telling = restart.<Consumer<Posting>>map(
                        wish -> Repositioning.passingOver(definition, position, moved, author))
                .orElse(posting -> {});
        return new CounterWriter.Edited(altered, moved, turned || back || ordered, telling);
    }
}
