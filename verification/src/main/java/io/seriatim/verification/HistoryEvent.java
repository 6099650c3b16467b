package io.seriatim.verification;

import java.util.List;
import java.util.OptionalLong;

/**
 * One thing that happened, as the clients of a server saw it. The order of events is the order of time: a call
 * is in the history before it is sent, and its answer only after it came.
 */
sealed interface HistoryEvent {

    /**
     * A sequence without cycle.
     *
     * @param generation that all its values are of
     * @param cache values in a block; empty where the server decides
     */
    record Defined(String sequence, long generation, long start, long min, long max, long increment, OptionalLong cache)
            implements HistoryEvent {
        public Defined {
            if (increment == 0 || start < min || start > max) {
                throw new IllegalArgumentException(
                        "not a sequence: start=" + start + " min=" + min + " max=" + max + " increment=" + increment);
            }
        }
    }

    /** A server life begins; the calls that follow go to it. */
    record Started() implements HistoryEvent {}

    /**
     * A call is about to be sent.
     *
     * @param call its number in this history
     * @param count how many values are asked for
     */
    record Invoked(long call, String sequence, Wish wish, long count) implements HistoryEvent {}

    /**
     * A call was answered with values. A call that is neither answered nor failed has an unknown outcome.
     *
     * @param generation as the answer says; empty where it does not
     * @param runs the values, in order
     */
    record Answered(long call, OptionalLong generation, List<Run> runs) implements HistoryEvent {
        public Answered {
            runs = List.copyOf(runs);
        }
    }

    /** A call was refused, or was never sent: it took nothing. */
    record Failed(long call, String code) implements HistoryEvent {}

    /** The server ended at a request to stop, and said that all went well. */
    record Stopped() implements HistoryEvent {}

    /** The server was killed. */
    record Crashed() implements HistoryEvent {}

    /** How many values an answer to a call has. */
    enum Wish {
        /** As many as asked for. */
        EXACTLY,
        /** At least one and at most as many as asked for. */
        AT_MOST
    }

    /** Values from first to last, one increment of the sequence apart. */
    record Run(long first, long last) {}
}
