package io.seriatim.store;

/**
 * Which event was written under an idempotency key.
 *
 * @param key unique in its workspace
 * @param plogOffset of the event
 */
public record KeyRow(long workspace, String key, long plogOffset) implements LogRow {

    public KeyRow {
        Text.requireWellFormed("key", key);
    }
}
