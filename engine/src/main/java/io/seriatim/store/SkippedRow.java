package io.seriatim.store;

/**
 * An event that an operator has let pass without one of its projectors.
 *
 * @param plogOffset of the event, from 1
 * @param projector its name
 * @param who asked for it, empty if that is not known
 * @param epochMillis when
 */
public record SkippedRow(long plogOffset, String projector, String who, String reason, long epochMillis)
        implements LogRow {

    public SkippedRow {
        if (plogOffset < 1) {
            throw new IllegalArgumentException("offsets start at 1: plogOffset=" + plogOffset);
        }
        Text.requireWellFormed("projector", projector);
        Text.requireWellFormed("who", who);
        Text.requireWellFormed("reason", reason);
    }
}
