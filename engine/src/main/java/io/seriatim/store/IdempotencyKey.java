package io.seriatim.store;

/**
 * Names one request of one caller to one sequence.
 *
 * @param caller who asked, empty where callers are not told apart
 * @param key the key that the caller chose
 */
public record IdempotencyKey(long sequenceId, String caller, String key) {

    public IdempotencyKey {
        Text.requireWellFormed("caller", caller);
        Text.requireWellFormed("key", key);
    }
}
