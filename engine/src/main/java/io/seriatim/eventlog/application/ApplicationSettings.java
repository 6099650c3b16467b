package io.seriatim.eventlog.application;

import io.seriatim.eventlog.SequencerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a process runs the applications of a store.
 *
 * @param trustLevel what its writes look for
 * @param sequencer settings of each partition's sequencer
 * @param mostWaiting commands of a partition that wait at most; from 1 to 100,000. Past it they are refused
 * @param maxJump how far an id from outside may be above the last one of its sequence, or above initial − 1 where it has
 *     given none: just as far is allowed, one more is not; at least 1
 * @param projectors by the name of their application, in the order in which they are called
 */
public record ApplicationSettings(
        TrustLevel trustLevel,
        SequencerSettings sequencer,
        int mostWaiting,
        long maxJump,
        Map<String, List<Projector>> projectors) {

    private static final int MOST_WAITING = 100_000;

    public ApplicationSettings {
        if (mostWaiting < 1 || mostWaiting > MOST_WAITING || maxJump < 1) {
            throw new IllegalArgumentException("mostWaiting is from 1 to " + MOST_WAITING
                    + ", maxJump at least 1: mostWaiting=" + mostWaiting + " maxJump=" + maxJump);
        }
        Map<String, List<Projector>> copy = new LinkedHashMap<>();
        projectors.forEach((application, its) -> {
            if (its.stream().map(Projector::name).distinct().count() < its.size()) {
                throw new IllegalArgumentException(
                        "projectors of an application have names of their own: " + application);
            }
            copy.put(application, List.copyOf(its));
        });
        projectors = Map.copyOf(copy);
    }

    /** Everything verified, 4,096 commands waiting at most, jumps of 1,000,000,000, no projectors. */
    public static ApplicationSettings usual() {
        return new ApplicationSettings(
                TrustLevel.VERIFY_ALL, SequencerSettings.usual(), 4_096, 1_000_000_000, Map.of());
    }

    public ApplicationSettings withTrustLevel(TrustLevel level) {
        return new ApplicationSettings(level, sequencer, mostWaiting, maxJump, projectors);
    }

    public ApplicationSettings withSequencer(SequencerSettings settings) {
        return new ApplicationSettings(trustLevel, settings, mostWaiting, maxJump, projectors);
    }

    public ApplicationSettings withMostWaiting(int commands) {
        return new ApplicationSettings(trustLevel, sequencer, commands, maxJump, projectors);
    }

    public ApplicationSettings withMaxJump(long jump) {
        return new ApplicationSettings(trustLevel, sequencer, mostWaiting, jump, projectors);
    }

    /**
     * The same with one more projector of an application, called behind those that it has. It is shown the events that are
     * not applied yet, not those before. Its name is stored with the application; from then on a process without it, the
     * command line on a folder too, shows the log and applies nothing, until {@link Applications#giveUp} says that it is not wanted any more.
     */
    public ApplicationSettings withProjector(String application, Projector projector) {
        Map<String, List<Projector>> more = new LinkedHashMap<>(projectors);
        List<Projector> its = new ArrayList<>(more.getOrDefault(application, List.of()));
        its.add(projector);
        more.put(application, its);
        return new ApplicationSettings(trustLevel, sequencer, mostWaiting, maxJump, more);
    }

    Duration retry() {
        return sequencer.retry();
    }
}
