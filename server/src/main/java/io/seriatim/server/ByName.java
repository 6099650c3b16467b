package io.seriatim.server;

import io.seriatim.SequenceNotFoundException;
import io.seriatim.Sequences;
import io.seriatim.StoreUnavailableException;
import io.seriatim.numbering.NumberSequence;
import io.seriatim.numbering.Numbering;

/** What all calls on one sequence have in common, whose name is the first part of the path that stands for one. */
final class ByName {

    private ByName() {}

    /**
     * A call is for the sequence that has the name. Where another process has dropped the one that was open here, that is
     * found out by the first try, which has changed nothing, and the second one finds what has been created since.
     */
    static Routes.Handler found(Routes.Handler handler) {
        Routes.Handler said = said(handler);
        return (call, names) -> {
            try {
                return said.answer(call, names);
            } catch (SequenceNotFoundException e) {
                return said.answer(call, names);
            }
        };
    }

    /** Where the rows of the sequence are not understood, the problem says of which. */
    static Routes.Handler said(Routes.Handler handler) {
        return (call, names) -> {
            try {
                return handler.answer(call, names);
            } catch (StoreUnavailableException e) {
                throw Problem.isOfRows(e) ? new Refusal(Problem.of(e).about(names.get(0))) : e;
            }
        };
    }

    /** The sequence, for a call that only one with a format can answer. */
    static NumberSequence printing(Sequences sequences, Numbering numbering, String name) {
        if (!sequences.get(name).hasFormat()) {
            throw new Refusal(
                    Problem.badRequest("this call is for sequences with a format, and " + name + " has none"));
        }
        return numbering.get(name);
    }
}
