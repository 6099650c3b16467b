package io.seriatim;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Follows the chain of a ledger from its first entry to its last. For one thread. */
final class LedgerCheck implements Consumer<LedgerEntry> {

    private final Account account;
    private final Optional<String> keptHead;
    private long entries;
    private String head = "";
    private OptionalLong broken = OptionalLong.empty();
    private boolean keptHeadSeen;

    /** @param account as it was read before the entries; those that came later are none of it */
    LedgerCheck(Account account, Optional<String> keptHead) {
        this.account = account;
        this.keptHead = keptHead;
    }

    @Override
    public void accept(LedgerEntry entry) {
        if (entries == account.head().entries()) {
            return;
        }
        entries++;
        boolean follows = entry.index() == entries && entry.previous().equals(head);
        if (!follows && broken.isEmpty()) {
            broken = OptionalLong.of(entries);
        }
        head = entry.hash();
        keptHeadSeen |= keptHead.equals(Optional.of(head));
    }

    LedgerReport report() {
        boolean ends =
                account.head().entries() == entries && account.head().hash().equals(head);
        OptionalLong place = broken.isEmpty() && !ends ? OptionalLong.of(entries) : broken;
        return new LedgerReport(entries, head, place, keptHead.map(unused -> keptHeadSeen));
    }
}
