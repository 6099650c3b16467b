package io.seriatim.eventlog.application;

import io.seriatim.eventlog.SequencerState;
import java.util.List;
import java.util.Optional;

/**
 * What a partition tells of itself; figures of different moments may stand side by side.
 *
 * @param durableOffset of the last event that readers see; 0 where there is none or none is known yet
 * @param appliedOffset the first offset whose rows are not all written
 * @param waiting commands that wait
 * @param trouble what is in the way, where something is
 * @param differences what a quarantined partition has found, the first hundred
 */
public record PartitionState(
        PartitionStatus status,
        SequencerState sequencer,
        long durableOffset,
        long appliedOffset,
        int waiting,
        TrustLevel trustLevel,
        Optional<String> trouble,
        List<Difference> differences) {

    public PartitionState {
        differences = List.copyOf(differences);
    }
}
