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
    private final long increment;
    private final long generation;
    private final long definition;
    private final WriterMark mark;
    private final Instant at;
    private final List<LedgerRow> rows = new ArrayList<>();
    private Account account;

    /** @param generation of the counter after the write */
    Posting(Stored from, long generation, WriterMark mark, Instant at) {
        this.counter = from.counter().key();
        this.keepsLedger = from.definition().keepsLedger();
        this.increment = from.definition().increment();
        this.generation = generation;
        this.definition = from.row().generation();
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

    /** Adds an entry of values that the write takes from behind the mark; printed by the definition that it knows. */
    void take(State state, Block values, Facts facts) {
        Account.Head head = account.head();
        Facts printed = facts.definition().isPresent() ? facts : facts.printedBy(definition);
        add(state, values, printed, generation, isNew(head, values) ? values.last() : head.top());
    }

    /** Adds an entry of a value that was taken before. */
    void post(State state, long value, Facts facts) {
        if (keepsLedger) {
            long index = add(state, new Block(value, increment, 1), facts);
            rows.add(new LedgerRow(Ledger.ofValue(counter, value), index, ""));
        }
    }

    /** Adds an entry of values that were taken before, and that nobody will get. */
    void lose(Block values, Facts facts) {
        if (keepsLedger) {
            long index = add(State.LOST, values, facts);
            rows.add(new LedgerRow(Ledger.ofReturns(counter), index, ""));
        }
    }

    /** Adds an entry of values over which the mark goes back. */
    private void giveBack(Block values, Facts facts) {
        long index = add(State.RELEASED, values, facts);
        rows.add(new LedgerRow(Ledger.ofReturns(counter), index, ""));
    }

    /** Takes the values behind a position up to another, if there are any. */
    void takeBetween(State state, Progression progression, Position from, Position to, Facts facts) {
        if (keepsLedger) { // of others there is nothing to say, and their values may not even be countable
            progression.between(from, to).ifPresent(values -> take(state, values, facts));
        }
    }

    /** Gives back the values behind a position up to another, if there are any. */
    void giveBackBetween(Progression progression, Position from, Position to, Facts facts) {
        if (keepsLedger) {
            progression.between(from, to).ifPresent(values -> giveBack(values, facts));
        }
    }

    private long add(State state, Block values, Facts facts) {
        Account.Head head = account.head();
        return head.entries() == 0
                ? add(state, values, facts, generation, values.last())
                : add(state, values, facts, head.generation(), head.top());
    }

    private long add(State state, Block values, Facts facts, long generationOfTop, long top) {
        Account.Head head = account.head();
        long index = head.entries() + 1;
        if (keepsLedger) {
            LedgerEntry entry = Ledger.entry(new LedgerEntry(
                    index, at, state, generationOfTop, values, facts, top, ReservationId.text(mark), head.hash(), ""));
            rows.add(new LedgerRow(counter, index, Ledger.text(entry)));
            account = account.with(new Account.Head(index, entry.hash(), generationOfTop, top));
        }
        return index;
    }

    /** Whether nothing that was taken in this generation lies so far: then the top leads to this entry. */
    private boolean isNew(Account.Head head, Block values) {
        boolean beyond = values.increment() > 0 ? values.last() > head.top() : values.last() < head.top();
        return head.entries() == 0 || head.generation() != generation || beyond;
    }
}
