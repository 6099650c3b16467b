package io.seriatim.store;

/**
 * One entry of a counter's ledger.
 *
 * @param counter whose ledger
 * @param index counts the entries of the counter from 1
 * @param entry the entry as text; the engine gives it its meaning
 */
public record LedgerRow(CounterKey counter, long index, String entry) {

    public LedgerRow {
        if (index < 1) {
            throw new IllegalArgumentException("index starts at 1: index=" + index);
        }
        Text.requireWellFormed("entry", entry);
    }
}
