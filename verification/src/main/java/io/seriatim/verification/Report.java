package io.seriatim.verification;

import java.util.List;

/**
 * What a history says of the promises.
 *
 * @param violations the first ones
 * @param violationCount how many in all
 * @param lacks why the history proves nothing, however right it looks
 * @param changes of varying sequences that were made, as far as their answers came
 * @param answered calls answered with values
 * @param unanswered calls whose outcome is unknown
 * @param repeated calls among those answered that got again what an earlier one with their key had got
 * @param settled calls among those answered that repeat one without an answer
 * @param values values handed out in answers, repeated ones once
 * @param missingAtCrash values passed over in server lives that a kill ended, those of unanswered calls included
 * @param missingAtStop the same for lives that ended cleanly
 */
record Report(
        List<Violation> violations,
        long violationCount,
        List<String> lacks,
        long crashes,
        long stops,
        long changes,
        long answered,
        long unanswered,
        long repeated,
        long settled,
        long values,
        long missingAtCrash,
        long missingAtStop) {

    Report {
        violations = List.copyOf(violations);
        lacks = List.copyOf(lacks);
    }

    enum Verdict {
        VALID,
        INVALID,
        /** Nothing is wrong, and too little happened to say that all is well. */
        UNKNOWN
    }

    enum Rule {
        /** No value twice. */
        UNIQUE,
        /**
         * A call that began after an answer came gets later values: under {@code ordered} after every answer, under
         * {@code fast} after those of the same life of a server and those that came before that life began.
         */
        ORDER,
        /**
         * No value of an older generation to a call that began after a restart back, a drop or a change to
         * {@code ordered} was answered, nor after the same life of a server had shown a newer one.
         */
        GENERATION,
        /** On the way from start, in steps of the increment, from min to max. */
        RANGE,
        /**
         * No value is passed over but those of calls without an answer and, under {@code fast}, those in memory at a
         * kill.
         */
        HOLES,
        /** All answers to calls with one key are the same. */
        KEY,
        /** An answer belongs to a call, and has as many values as that asked for. */
        ANSWER
    }

    /**
     * One broken rule.
     *
     * @param event which event of the history showed it, from 1
     */
    record Violation(Rule rule, String sequence, long event, String text) {
        @Override
        public String toString() {
            return rule + " " + sequence + ": " + text + " (line " + event + ")";
        }
    }

    Verdict verdict() {
        if (violationCount > 0) {
            return Verdict.INVALID;
        }
        return lacks.isEmpty() ? Verdict.VALID : Verdict.UNKNOWN;
    }

    /** One line. */
    String summary() {
        return verdict() + ": " + violationCount + " violations; " + crashes + " kills, " + stops + " clean stops; "
                + (changes > 0 ? changes + " changes; " : "") + answered + " calls answered, " + unanswered
                + " without an answer; with keys " + repeated
                + " answered again, " + settled + " for one without an answer; " + values
                + " values acknowledged; values passed over: " + missingAtCrash + " at kills, " + missingAtStop
                + " at clean stops" + (lacks.isEmpty() ? "" : "; proves nothing: " + String.join(", ", lacks));
    }
}
