package io.seriatim.numbering;

import io.seriatim.LedgerEntry;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What is known of a number that was handed out.
 *
 * @param value of the counter of its period and scope
 * @param period the period's key
 * @param entries all that the ledger tells of it, in order, at least one
 * @param before the value before it in its counter, if the ledger knows it
 * @param behind the value behind it in its counter, if the ledger knows it
 */
public record KnownNumber(
        String text,
        long value,
        String period,
        Map<String, String> scope,
        List<LedgerEntry> entries,
        OptionalLong before,
        OptionalLong behind) {

    public KnownNumber {
        scope = Map.copyOf(scope);
        entries = List.copyOf(entries);
    }

    /** What became of it at last. */
    public LedgerEntry.State state() {
        return entries.get(entries.size() - 1).state();
    }
}
