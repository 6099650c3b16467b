package io.seriatim;

import io.seriatim.store.CounterKey;
import io.seriatim.store.DefinitionRow;

/**
 * Names a counter for as long as the process knows nothing of its sequence but the name.
 *
 * @param scope scope values in their normal form, empty for none
 * @param period period key, empty for none
 */
record CounterName(String sequence, String scope, String period) {

    /** The one counter of a sequence without scopes and periods. */
    static CounterName of(String sequence) {
        return new CounterName(sequence, "", "");
    }

    static CounterName of(String sequence, CounterKey key) {
        return new CounterName(sequence, key.scope(), key.period());
    }

    CounterKey key(long sequenceId) {
        return new CounterKey(sequenceId, scope, period);
    }

    boolean isOnly() {
        return scope.isEmpty() && period.isEmpty();
    }

    /** The same for names that differ only by case. */
    CounterName folded() {
        return new CounterName(DefinitionRow.fold(sequence), scope, period);
    }
}
