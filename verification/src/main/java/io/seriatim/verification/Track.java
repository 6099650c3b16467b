package io.seriatim.verification;

import io.seriatim.verification.HistoryEvent.Answered;
import io.seriatim.verification.HistoryEvent.Invoked;
import io.seriatim.verification.Report.Rule;

/** Follows one sequence through a history. */
sealed interface Track permits SequenceTrack, VaryingTrack {

    /** Takes down a broken rule. */
    interface Complaints {
        void add(Rule rule, String text);
    }

    /** How a life ended. */
    enum End {
        NOT_YET,
        KILLED,
        STOPPED
    }

    /** A call under way, which ends by one of its methods. */
    interface Call {
        int process();

        /** Nobody will ever know. */
        void unanswered();

        void failed(String code);

        void answered(Answered answer);
    }

    /** Counts at the end of a history: {@link Report} says of what. */
    record Sums(long repeated, long settled, long values, long missingAtCrash, long missingAtStop) {
        static final Sums NOTHING = new Sums(0, 0, 0, 0, 0);

        Sums plus(Sums other) {
            return new Sums(
                    repeated + other.repeated,
                    settled + other.settled,
                    values + other.values,
                    missingAtCrash + other.missingAtCrash,
                    missingAtStop + other.missingAtStop);
        }
    }

    void beginLife(int process);

    void endLife(int process, End end);

    /** A call of a process that has been started. */
    Call invoked(Invoked asked);

    /** Looks for what only the whole history shows. To be called once. */
    Sums end();
}
