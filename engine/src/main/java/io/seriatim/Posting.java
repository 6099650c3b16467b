package io.seriatim;

import io.seriatim.LedgerEntry.Facts;
import io.seriatim.LedgerEntry.State;
import io.seriatim.store.CounterKey;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.WriterMark;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What one write says of single numbers: the entries that go into the ledger with it, and the account that it leaves in
 * the counter row. Of a sequence without a format it says nothing. For one thread, and one write.
 */
final class Posting {

    private final CounterKey counter;
    private final boolean keepsLedger;
    private final long generation;
    private final WriterMark mark;
    private final Instant at;
    private final List<LedgerRow> rows = new ArrayList<>();
    private Account account;

    /** @param generation of the counter after the write */
    Posting(Stored from, long generation, WriterMark mark, Instant at) {
        this.counter = from.counter().key();
        this.keepsLedger = from.definition().keepsLedger();
        this.generation = generation;
        this.mark = mark;
        this.at = at;
        this.account = from.account();
    }

    /** Of the write itself. */
    WriterMark mark() {
        return mark;
    }

    Instant at() {
        return at;
    }

    Account account() {
        return account;
    }

    List<LedgerRow> rows() {
        return List.copyOf(rows);
    }

    void change(Account next) {
        account = next;
    }

    /** Adds an entry. */
    void post(State state, Block values, Facts facts) {
        if (!keepsLedger) {
            return;
        }
        Account.Head head = account.head();
        long index = head.entries() + 1;
        LedgerEntry entry = Ledger.entry(index, at, state, generation, values, facts, top(head, values), head.hash());
        rows.add(new LedgerRow(counter, index, Ledger.text(entry)));
        if (values.count() == 1 && !isNew(head, values)) {
            rows.add(new LedgerRow(Ledger.ofValue(counter, values.first()), index, ""));
        } else if (state == State.RELEASED) {
            rows.add(new LedgerRow(Ledger.ofReturns(counter), index, ""));
        }
        account = account.with(new Account.Head(index, entry.hash(), generation, entry.top()));
    }

    /** Adds an entry for the values behind a position up to another, if there are any. */
    void postBetween(State state, Progression progression, Position from, Position to, Facts facts) {
        if (keepsLedger) { // of others there is nothing to say, and their values may not even be countable
            progression.between(from, to).ifPresent(values -> post(state, values, facts));
        }
    }

    private long top(Account.Head head, Block values) {
        return isNew(head, values) ? values.last() : head.top();
    }

    /** Whether no entry of this generation has come so far: then the top leads to this one. */
    private boolean isNew(Account.Head head, Block values) {
        boolean beyond = values.increment() > 0 ? values.last() > head.top() : values.last() < head.top();
        return head.entries() == 0 || head.generation() != generation || beyond;
    }
}
