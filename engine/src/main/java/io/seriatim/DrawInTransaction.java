package io.seriatim;

import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.CounterTransactions;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.Transaction;
import java.time.Duration;
import java.util.Optional;

/** Takes a value of a gapless counter with a transaction of the user. Knows nothing of what is in memory. */
final class DrawInTransaction {

    /*
     * The counter's row is held from the look until the transaction ends, so what is computed from it is what is written,
     * and an abort leaves the row as it was: the value is the next one still, and no gap. Everybody else, in this process
     * too, finds the row moved when the transaction is durable, and builds on it as on any other writer's.
     *
     * The first value of a counter has no row to hold. Two transactions that take it both write a first row: the later one
     * waits for the earlier one's end, and where that is there looks again, at a row that it can hold then.
     */

    private static final int ATTEMPTS = 10;

    private final CounterTransactions store;
    private final Environment environment;
    private final WriterMarks marks;

    DrawInTransaction(CounterTransactions store, Environment environment, WriterMarks marks) {
        this.store = store;
        this.environment = environment;
        this.marks = marks;
    }

    /** @param definition the generation of the definition that prints the value */
    long next(Transaction transaction, String name, CounterKey key, long definition, Duration wait) {
        Group.Take wish = new Group.Take(1, Shape.ACROSS_WRAPS, Optional.empty(), definition);
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Stored stored = stored(name, key, store.findForUpdate(transaction, name, key, wait));
                Posting posting = new Posting(stored, stored.counter().generation(), marks.next(), environment.now());
                GaplessCounting counting = new GaplessCounting(stored, posting);
                long value = value(name, counting.share(wish));
                CounterRow row =
                        stored.counterAt(counting.position(), posting.mark(), stored.holders(), posting.account());
                if (store.write(transaction, row, posting.rows(), wait)) {
                    return value;
                }
            }
        } catch (StoreException e) {
            throw StoreTrouble.of(e);
        }
        throw new StoreUnavailableException(
                ErrorCode.BUSY, "sequence " + name + " was changed by others " + ATTEMPTS + " times in a row");
    }

    private static Stored stored(String name, CounterKey key, CounterTransactions.Found found) {
        DefinitionRow row = found.definition()
                .filter(there -> !there.dropped() && there.sequenceId() == key.sequenceId())
                .orElseThrow(() -> new SequenceNotFoundException(name));
        Stored stored = Stored.of(row, key, found.counter());
        if (stored.definition().contract() != Contract.GAPLESS) {
            throw new IllegalStateException("a number is drawn in a transaction under contract gapless only: contract="
                    + stored.definition().contract().text());
        }
        if (stored.holders().recall().isPresent()) {
            throw new StoreUnavailableException(
                    ErrorCode.BUSY, "sequence " + name + " is being changed; nobody takes values until that is done");
        }
        return stored;
    }

    private static long value(String name, Group.Share share) {
        if (share instanceof Group.Given given) {
            return given.draw().blocks().get(0).first();
        }
        if (share instanceof Group.Denied denied) {
            throw denied.reason();
        }
        throw new StoreUnavailableException(
                ErrorCode.BUSY, "sequence " + name + " has an open reservation, which must end first");
    }
}
