package io.seriatim.store;

/**
 * Names one counter. A plain sequence has one, with empty scope and period.
 *
 * @param sequenceId the id of the sequence; a sequence created anew under an old name has another
 * @param scope scope values in their normal form, empty for none
 * @param period period key, for example {@code 2026-07}, empty for none
 */
public record CounterKey(long sequenceId, String scope, String period) {

    public CounterKey {
        Text.requireWellFormed("scope", scope);
        Text.requireWellFormed("period", period);
    }

    /** The one counter of a sequence without scopes and periods. */
    public static CounterKey of(long sequenceId) {
        return new CounterKey(sequenceId, "", "");
    }
}
