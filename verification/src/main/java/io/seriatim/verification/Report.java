package io.seriatim.verification;

import java.util.List;

/**
 * What a history says of the promises.
 *
 * @param violations the first ones
 * @param violationCount how many in all
 * @param lacks why the history proves nothing, however right it looks
 * @param answered calls answered with values
 * @param unanswered calls whose outcome is unknown
 * @param values values handed out in answers
 * @param missingAtCrash values passed over in server lives that a kill ended, those of unanswered calls included
 * @param missingAtStop the same for lives that ended cleanly
 */
record Report(
        List<Violation> violations,
        long violationCount,
        List<String> lacks,
        long crashes,
        long stops,
        long answered,
        long unanswered,
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
        /** A call that began after an answer came gets later values, across stops and kills too. */
        ORDER,
        /** On the way from start, in steps of the increment, from min to max. */
        RANGE,
        /** No value is passed over but those in memory at a kill and those of calls without an answer. */
        HOLES,
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
                + answered + " calls answered, " + unanswered + " without an answer; " + values
                + " values acknowledged; values passed over: " + missingAtCrash + " at kills, " + missingAtStop
                + " at clean stops" + (lacks.isEmpty() ? "" : "; proves nothing: " + String.join(", ", lacks));
    }
}
