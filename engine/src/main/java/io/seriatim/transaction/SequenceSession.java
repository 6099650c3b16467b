package io.seriatim.transaction;

import io.seriatim.ErrorCode;
import io.seriatim.store.Transaction;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One user's use of sequences: NEXT VALUE FOR, and the value that it came to.
 *
 * <p>SQL wants one value of a sequence for each row, however often the row's statement says NEXT VALUE FOR: the engine calls
 * {@link #nextValue} once for a row and uses what it got. The current value is that of this session, whatever others draw,
 * and is not undone by an abort, as the draw is not.
 *
 * <p>Used by one thread at a time.
 */
public final class SequenceSession {

    /** Of how many sequences a session remembers its value: the ones drawn from last. */
    private static final int REMEMBERED = 10_000;

    private final SequenceCatalogue catalogue;

    /** By id of the sequence, in order of use. */
    private final Map<Long, Long> current = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
            return size() > REMEMBERED;
        }
    };

    SequenceSession(SequenceCatalogue catalogue) {
        this.catalogue = catalogue;
    }

    /**
     * NEXT VALUE FOR: draws the next value and registers with the transaction that it is drawn.
     *
     * <p>Nothing is durable on return. When the transaction is, the value does not come again; after an abort it is a gap
     * while the process lives, and after a crash it may come again.
     *
     * @throws io.seriatim.SequenceExhaustedException at the limit, without cycle; nothing was drawn; final
     * @throws TransactionException NOT_FOUND (final), or as {@link SequenceGenerator#next(Transaction)}
     */
    public long nextValue(Transaction transaction, String name) {
        SequenceGenerator generator = catalogue.generator(transaction, name);
        long value = generator.next(transaction);
        current.put(generator.id(), value);
        return value;
    }

    /**
     * The value that this session drew last from a sequence. Changes nothing.
     *
     * @throws TransactionException NOT_FOUND (final), NO_CURRENT_VALUE if this session has drawn none of this sequence (final)
     */
    public long currentValue(Transaction transaction, String name) {
        long id = catalogue
                .find(transaction, name)
                .orElseThrow(() -> TransactionalSequences.notFound(name))
                .id();
        Long value = current.get(id);
        if (value == null) {
            throw new TransactionException(
                    ErrorCode.NO_CURRENT_VALUE, "this session has drawn no value of sequence " + name);
        }
        return value;
    }
}
