package io.seriatim.verification;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One thing that happened, as the clients of one or several servers saw it. The order of events is the order of
 * time: a call is in the history before it is sent, and its answer only after it came. A server has a number, its
 * process, which the one that is started in its place has again.
 */
sealed interface HistoryEvent {

    /**
     * A sequence without cycle.
     *
     * @param generation that all its values are of
     * @param cache values in a block; empty where the server decides, and for {@code ordered}
     */
    record Defined(
            String sequence,
            Contract contract,
            long generation,
            long start,
            long min,
            long max,
            long increment,
            OptionalLong cache)
            implements HistoryEvent {
        /** The block handed out and the one fetched ahead. */
        private static final long BLOCKS_IN_MEMORY = 2;

        public Defined {
            if (contract == Contract.ORDERED && cache.isPresent()) {
                throw new IllegalArgumentException("an ordered sequence has no cache: cache=" + cache.getAsLong());
            }
            if (increment == 0 || start < min || start > max) {
                throw new IllegalArgumentException(
                        "not a sequence: start=" + start + " min=" + min + " max=" + max + " increment=" + increment);
            }
        }

        /** How many values a process has in memory at most, beyond those of its calls; empty if that is not known. */
        OptionalLong mostInMemory() {
            if (contract == Contract.ORDERED) {
                return OptionalLong.of(0);
            }
            return cache.isPresent() ? OptionalLong.of(BLOCKS_IN_MEMORY * cache.getAsLong()) : OptionalLong.empty();
        }
    }

    /**
     * A sequence that is created, changed and dropped while the history goes on. It ascends by 1, and nothing else is
     * known of it but what {@link Changed} says.
     */
    record Varying(String sequence) implements HistoryEvent {}

    /** What a sequence promises. */
    enum Contract {
        FAST,
        ORDERED
    }

    /** A life of a server begins; the calls to its process that follow go to it. */
    record Started(int process) implements HistoryEvent {}

    /**
     * A call is about to be sent.
     *
     * @param call its number in this history
     * @param process the server that it is sent to
     * @param count how many values are asked for
     * @param key under which it is answered once
     */
    record Invoked(long call, int process, String sequence, Wish wish, long count, Optional<String> key)
            implements HistoryEvent {}

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

    /**
     * A change of a varying sequence is about to be sent.
     *
     * @param call its number in this history, among those of the calls
     * @param process the server that it is sent to
     * @param value which comes next after a restart; else empty
     */
    record Changing(long call, int process, String sequence, Change change, OptionalLong value)
            implements HistoryEvent {}

    /**
     * A change was made. What is neither changed nor failed has an unknown outcome.
     *
     * @param state after it; empty after a drop, which does not say it
     */
    record Changed(long call, Optional<State> state) implements HistoryEvent {}

    /** How a sequence is in one generation. */
    record State(long generation, Contract contract) {}

    /** What can be done to a varying sequence. */
    enum Change {
        /** It need not be the one that creates it: the state is of the sequence that is there. */
        CREATE,
        /** Also if the contract is that one already. */
        TO_FAST,
        TO_ORDERED,
        /** Refused where values could come again. */
        FORWARD,
        /** To the first value of all. */
        BACK,
        DROP;

        /** Whether no value that anybody had in memory may come out once it is made. */
        boolean recalls() {
            return this == TO_ORDERED || this == BACK || this == DROP;
        }

        /** Whether it says which generation it has made, whose values then lie behind all of the one before. */
        boolean goesOn() {
            return this == TO_FAST || this == TO_ORDERED || this == FORWARD;
        }
    }

    /** A call was refused, or was never sent: it took nothing, unless its code says otherwise. */
    record Failed(long call, String code) implements HistoryEvent {}

    /** The server ended at a request to stop, and said that all went well. */
    record Stopped(int process) implements HistoryEvent {}

    /** The server was killed. */
    record Crashed(int process) implements HistoryEvent {}

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
