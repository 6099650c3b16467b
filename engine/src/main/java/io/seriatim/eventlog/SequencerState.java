package io.seriatim.eventlog;

import java.util.Optional;

/**
 * What a sequencer tells of itself.
 *
 * @param epoch 0 before it has taken its partition
 * @param nextOffset the offset of the next transaction, or of the next event to replay
 * @param checkpoint the first offset that the stored numbers do not cover, as far as is known here
 * @param unflushedValues numbers that are not stored yet
 * @param unflushedEvents events whose numbers are not all stored yet
 * @param cachedWorkspaces workspaces in memory
 * @param storeFailures calls to the store that failed, since it was opened
 * @param lastFailure what the last of them, or what makes the log corrupt, said
 * @param replay of the last or the present reading of the log
 */
public record SequencerState(
        SequencerStatus status,
        long epoch,
        long nextOffset,
        long checkpoint,
        int unflushedValues,
        int unflushedEvents,
        int cachedWorkspaces,
        long storeFailures,
        Optional<String> lastFailure,
        ReplayProgress replay) {}
