package io.seriatim.verification;

import io.seriatim.verification.HistoryEvent.Answered;
import io.seriatim.verification.HistoryEvent.Changed;
import io.seriatim.verification.HistoryEvent.Changing;
import io.seriatim.verification.HistoryEvent.Crashed;
import io.seriatim.verification.HistoryEvent.Defined;
import io.seriatim.verification.HistoryEvent.Failed;
import io.seriatim.verification.HistoryEvent.Invoked;
import io.seriatim.verification.HistoryEvent.Started;
import io.seriatim.verification.HistoryEvent.Stopped;
import io.seriatim.verification.HistoryEvent.Varying;
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
    record Demand(long answered, long crashes, long changes) {
        Demand(long answered, long crashes) {
            this(answered, crashes, 0);
        }
    }

    private static final int MAX_VIOLATIONS = 20;

    private final Demand demand;
    private final Map<String, Track> tracks = new HashMap<>();
    private final Map<Long, Track.Call> open = new HashMap<>();
    private final Map<Long, VaryingTrack.Pending> changing = new HashMap<>();
    private final Set<Integer> started = new HashSet<>();
    private final List<Violation> violations = new ArrayList<>();
    private long violationCount;
    private long events;
    private long crashes;
    private long stops;
    private long answered;
    private long changes;
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
            tracks.values().forEach(track -> track.endLife(it.process(), Track.End.KILLED));
        } else if (event instanceof Stopped it) {
            stops++;
            tracks.values().forEach(track -> track.endLife(it.process(), Track.End.STOPPED));
        } else if (event instanceof Defined defined) {
            define(defined);
        } else if (event instanceof Varying varying) {
            String name = varying.sequence();
            add(name, new VaryingTrack(name, (rule, text) -> complain(rule, name, text)));
        } else if (event instanceof Changing change) {
            changing(change);
        } else if (event instanceof Changed change) {
            changed(change);
        }
    }

    private void define(Defined defined) {
        String name = defined.sequence();
        add(name, new SequenceTrack(defined, (rule, text) -> complain(rule, name, text)));
    }

    private void add(String name, Track track) {
        if (tracks.putIfAbsent(name, track) != null) {
            complain(Rule.ANSWER, name, "is defined twice");
        } else {
            started.forEach(track::beginLife);
        }
    }

    private void invoked(Invoked call) {
        Track track = tracks.get(call.sequence());
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
        Track.Call asked = open.remove(answer.call());
        if (asked == null) {
            complain(Rule.ANSWER, "-", "call " + answer.call() + " is answered and not under way");
            return;
        }
        answered++;
        asked.answered(answer);
    }

    private void changing(Changing change) {
        if (tracks.get(change.sequence()) instanceof VaryingTrack track && started.contains(change.process())) {
            changing.put(change.call(), track.changing(change));
        } else {
            complain(
                    Rule.ANSWER,
                    change.sequence(),
                    "change " + change.call() + " is of nothing that varies and was started");
        }
    }

    private void changed(Changed change) {
        VaryingTrack.Pending asked = changing.remove(change.call());
        if (asked == null) {
            complain(Rule.ANSWER, "-", "change " + change.call() + " is answered and not under way");
            return;
        }
        changes++;
        asked.changed(change);
    }

    private void failed(Failed failed) {
        if (changing.remove(failed.call()) != null) {
            return;
        }
        Track.Call asked = open.remove(failed.call());
        if (asked == null) {
            complain(Rule.ANSWER, "-", "call " + failed.call() + " failed and is not under way");
        } else {
            asked.failed(failed.code());
        }
    }

    private void giveUpOpenCalls(int process) {
        List<Track.Call> lost =
                open.values().stream().filter(call -> call.process() == process).toList();
        unanswered += lost.size();
        lost.forEach(Track.Call::unanswered);
        open.values().removeAll(lost);
        changing.values().removeIf(change -> change.process() == process);
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
        Track.Sums sums = Track.Sums.NOTHING;
        for (Track track : tracks.values()) {
            sums = sums.plus(track.end());
        }
        return new Report(
                violations,
                violationCount,
                lacks(),
                crashes,
                stops,
                changes,
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
        if (changes < demand.changes()) {
            lacks.add("only " + changes + " of at least " + demand.changes() + " changes were made");
        }
        return lacks;
    }
}
