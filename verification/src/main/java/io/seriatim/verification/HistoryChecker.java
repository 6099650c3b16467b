package io.seriatim.verification;

import io.seriatim.verification.HistoryEvent.Answered;
import io.seriatim.verification.HistoryEvent.Crashed;
import io.seriatim.verification.HistoryEvent.Defined;
import io.seriatim.verification.HistoryEvent.Failed;
import io.seriatim.verification.HistoryEvent.Invoked;
import io.seriatim.verification.HistoryEvent.Started;
import io.seriatim.verification.HistoryEvent.Stopped;
import io.seriatim.verification.Report.Rule;
import io.seriatim.verification.Report.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says whether a history keeps what the contract {@code fast} promises on one node: see {@link Report.Rule}.
 * Knows nothing of the engine. Takes one event after another; not safe for use by several threads.
 */
final class HistoryChecker {

    /** What has to happen before a history proves anything. */
    record Demand(long answered, long crashes) {}

    private static final int MAX_VIOLATIONS = 20;

    /** A call under way, and the greatest value of its sequence that was returned before it began. */
    private record Open(
            SequenceTrack track, Invoked call, @Nullable Long floor) {}

    private final Demand demand;
    private final Map<String, SequenceTrack> tracks = new HashMap<>();
    private final Map<Long, Open> open = new HashMap<>();
    private final List<Violation> violations = new ArrayList<>();
    private long violationCount;
    private long events;
    private long lives;
    private long crashes;
    private long stops;
    private long answered;
    private long unanswered;
    private long values;

    HistoryChecker(Demand demand) {
        this.demand = demand;
    }

    void accept(HistoryEvent event) {
        events++;
        if (event instanceof Answered answer) {
            answered(answer);
        } else if (event instanceof Invoked call) {
            invoked(call);
        } else if (event instanceof Failed failed) {
            if (open.remove(failed.call()) == null) {
                complain(Rule.ANSWER, "-", "call " + failed.call() + " failed and is not under way");
            }
        } else if (event instanceof Started) {
            giveUpOpenCalls();
            lives++;
            tracks.values().forEach(SequenceTrack::beginLife);
        } else if (event instanceof Crashed) {
            crashes++;
            tracks.values().forEach(track -> track.endLife(SequenceTrack.End.KILLED));
        } else if (event instanceof Stopped) {
            stops++;
            tracks.values().forEach(track -> track.endLife(SequenceTrack.End.STOPPED));
        } else if (event instanceof Defined defined) {
            define(defined);
        }
    }

    private void define(Defined defined) {
        SequenceTrack track = new SequenceTrack(defined);
        if (tracks.putIfAbsent(defined.sequence(), track) != null) {
            complain(Rule.ANSWER, defined.sequence(), "is defined twice");
        } else if (lives > 0) {
            track.beginLife();
        }
    }

    private void invoked(Invoked call) {
        SequenceTrack track = tracks.get(call.sequence());
        if (track == null || lives == 0) {
            complain(
                    Rule.ANSWER,
                    call.sequence(),
                    "call " + call.call() + " is for nothing that was defined and started");
        } else if (open.putIfAbsent(call.call(), new Open(track, call, track.greatest())) != null) {
            complain(Rule.ANSWER, call.sequence(), "call " + call.call() + " is in the history twice");
        }
    }

    private void answered(Answered answer) {
        Open asked = open.remove(answer.call());
        if (asked == null) {
            complain(Rule.ANSWER, "-", "call " + answer.call() + " is answered and not under way");
            return;
        }
        answered++;
        values += asked.track()
                .answered(
                        asked.call(),
                        asked.floor(),
                        answer,
                        (rule, text) -> complain(rule, asked.track().name(), text));
    }

    private void giveUpOpenCalls() {
        unanswered += open.size();
        open.values().forEach(call -> call.track().unanswered(call.call()));
        open.clear();
    }

    private void complain(Rule rule, String sequence, String text) {
        violationCount++;
        if (violations.size() < MAX_VIOLATIONS) {
            violations.add(new Violation(rule, sequence, events, text));
        }
    }

    /** Ends the history. To be called once. */
    Report report() {
        giveUpOpenCalls();
        long missingAtCrash = 0;
        long missingAtStop = 0;
        for (SequenceTrack track : tracks.values()) {
            SequenceTrack.Missing missing = track.checkHoles((rule, text) -> complain(rule, track.name(), text));
            missingAtCrash += missing.atCrash();
            missingAtStop += missing.atStop();
        }
        return new Report(
                violations,
                violationCount,
                lacks(),
                crashes,
                stops,
                answered,
                unanswered,
                values,
                missingAtCrash,
                missingAtStop);
    }

    private List<String> lacks() {
        List<String> lacks = new ArrayList<>();
        if (answered < demand.answered()) {
            lacks.add("only " + answered + " of at least " + demand.answered() + " calls were answered");
        }
        if (crashes < demand.crashes()) {
            lacks.add("only " + crashes + " of at least " + demand.crashes() + " kills happened");
        }
        return lacks;
    }
}
