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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Says whether a history keeps what the contracts {@code fast} and {@code ordered} promise, on one server or on
 * several that share a store: see {@link Report.Rule}. Knows nothing of the engine. Takes one event after another;
 * not safe for use by several threads.
 */
final class HistoryChecker {

    /** What has to happen before a history proves anything. */
    record Demand(long answered, long crashes) {}

    private static final int MAX_VIOLATIONS = 20;

    private final Demand demand;
    private final Map<String, SequenceTrack> tracks = new HashMap<>();
    private final Map<Long, SequenceTrack.Call> open = new HashMap<>();
    private final Set<Integer> started = new HashSet<>();
    private final List<Violation> violations = new ArrayList<>();
    private long violationCount;
    private long events;
    private long crashes;
    private long stops;
    private long answered;
    private long unanswered;

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
            failed(failed);
        } else if (event instanceof Started it) {
            giveUpOpenCalls(it.process());
            started.add(it.process());
            tracks.values().forEach(track -> track.beginLife(it.process()));
        } else if (event instanceof Crashed it) {
            crashes++;
            tracks.values().forEach(track -> track.endLife(it.process(), SequenceTrack.End.KILLED));
        } else if (event instanceof Stopped it) {
            stops++;
            tracks.values().forEach(track -> track.endLife(it.process(), SequenceTrack.End.STOPPED));
        } else if (event instanceof Defined defined) {
            define(defined);
        }
    }

    private void define(Defined defined) {
        String name = defined.sequence();
        SequenceTrack track = new SequenceTrack(defined, (rule, text) -> complain(rule, name, text));
        if (tracks.putIfAbsent(name, track) != null) {
            complain(Rule.ANSWER, name, "is defined twice");
        } else {
            started.forEach(track::beginLife);
        }
    }

    private void invoked(Invoked call) {
        SequenceTrack track = tracks.get(call.sequence());
        if (track == null || !started.contains(call.process())) {
            complain(
                    Rule.ANSWER,
                    call.sequence(),
                    "call " + call.call() + " is for nothing that was defined and started");
        } else if (open.containsKey(call.call())) {
            complain(Rule.ANSWER, call.sequence(), "call " + call.call() + " is in the history twice");
        } else {
            open.put(call.call(), track.invoked(call));
        }
    }

    private void answered(Answered answer) {
        SequenceTrack.Call asked = open.remove(answer.call());
        if (asked == null) {
            complain(Rule.ANSWER, "-", "call " + answer.call() + " is answered and not under way");
            return;
        }
        answered++;
        asked.answered(answer);
    }

    private void failed(Failed failed) {
        SequenceTrack.Call asked = open.remove(failed.call());
        if (asked == null) {
            complain(Rule.ANSWER, "-", "call " + failed.call() + " failed and is not under way");
        } else {
            asked.failed(failed.code());
        }
    }

    private void giveUpOpenCalls(int process) {
        List<SequenceTrack.Call> lost = open.values().stream()
                .filter(call -> call.asked().process() == process)
                .toList();
        unanswered += lost.size();
        lost.forEach(SequenceTrack.Call::unanswered);
        open.values().removeAll(lost);
    }

    private void complain(Rule rule, String sequence, String text) {
        violationCount++;
        if (violations.size() < MAX_VIOLATIONS) {
            violations.add(new Violation(rule, sequence, events, text));
        }
    }

    /** Ends the history. To be called once. */
    Report report() {
        started.forEach(this::giveUpOpenCalls);
        SequenceTrack.Sums sums = SequenceTrack.Sums.NOTHING;
        for (SequenceTrack track : tracks.values()) {
            sums = sums.plus(track.end());
        }
        return new Report(
                violations,
                violationCount,
                lacks(),
                crashes,
                stops,
                answered,
                unanswered,
                sums.repeated(),
                sums.settled(),
                sums.values(),
                sums.missingAtCrash(),
                sums.missingAtStop());
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
