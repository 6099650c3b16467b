package io.seriatim.store;

/**
 * Which event was written under an idempotency key.
 *
 * @param key unique in its workspace
 * @param plogOffset of the event, from 1
 */
public record KeyRow(long workspace, String key, long plogOffset) implements LogRow {

    public KeyRow {
        Text.requireWellFormed("key", key);
        if (plogOffset < 1) {
            throw new IllegalArgumentException("offsets start at 1: plogOffset=" + plogOffset);
        }
    }
}
