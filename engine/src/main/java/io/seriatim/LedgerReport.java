package io.seriatim;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a check of a ledger has found.
 *
 * @param entries how many there are
 * @param head hash of the last one
 * @param broken the first entry that does not follow from the one before, or the last where the counter knows of another
 *     end; empty where the chain is whole
 * @param hasKeptHead whether an entry has the hash that was kept elsewhere; empty where none was given
 */
public record LedgerReport(long entries, String head, OptionalLong broken, Optional<Boolean> hasKeptHead) {

    /** Whether the ledger is whole, and the one that it was when the head was kept. */
    public boolean isSound() {
        return broken.isEmpty() && hasKeptHead.orElse(true);
    }
}
