package io.seriatim.transaction;

import io.seriatim.ErrorCode;
import io.seriatim.SequenceDefinition;
import io.seriatim.Succession;
import io.seriatim.store.CatalogueRow;
import io.seriatim.store.Transaction;
import io.seriatim.store.TransactionalStore;
import io.seriatim.store.VersionedValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Transactional sequences with names: what a database engine needs for CREATE and DROP SEQUENCE and for identity columns.
 *
 * <p>Names and definitions live in rows of the store, apart from what is put to the sequences. They are written with the
 * transaction given, and seen as it sees them: an aborted create leaves nothing, an aborted drop has dropped nothing. The
 * generators live in this object, one for each sequence; so there is one catalogue for a store, in one process.
 *
 * <p>Safe for use by many threads; each transaction by one at a time. No call makes anything durable: the transaction does.
 * An error of the store is a {@link TransactionException}: BUSY and STORE_UNAVAILABLE may be retried, RETRY_TRANSACTION by
 * running the transaction again, STORE_CORRUPT is final.
 */
public final class SequenceCatalogue {

    /** A generator takes some 200 bytes, and nobody knows when the last transaction that drew from it has ended. */
    private static final int MOST_GENERATORS = 1_000_000;

    private final TransactionalSequences sequences;
    private final TransactionalStore store;
    private final Map<Long, SequenceGenerator> generators = new ConcurrentHashMap<>();

    private SequenceCatalogue(TransactionalSequences sequences) {
        this.sequences = sequences;
        this.store = sequences.store();
    }

    /** The catalogue of a store; make one. */
    public static SequenceCatalogue on(TransactionalSequences sequences) {
        return new SequenceCatalogue(sequences);
    }

    /** A session of one user, which remembers the values that it has drawn. */
    public SequenceSession session() {
        return new SequenceSession(this);
    }

    /**
     * Makes a sequence with a name, CREATE SEQUENCE.
     *
     * <p>With the transaction: it sees the sequence at once, others when it is durable, and after an abort or a crash before
     * that nothing is left of it. May be called beside any transactions; of two that make one name, the later one waits for
     * a bounded time (BUSY) or fails at its commit (RETRY_TRANSACTION), as the store has it.
     *
     * @param name 1 to 255 characters, compared as they are
     * @param definition of type, start, min, max, increment and cycle
     * @throws io.seriatim.BadDefinitionException if an option is bad, or another one than those; final
     * @throws IllegalArgumentException if the name is not one
     * @throws TransactionException ALREADY_EXISTS (final), TOO_MANY if a million sequences are in use
     */
    public CatalogueEntry define(Transaction transaction, String name, SequenceDefinition definition) {
        CatalogueRow.requireName(name);
        SequenceDefinition whole = Succession.of(definition).definition();
        requireRoom(); // before anything is written that the caller commits
        return StoreCalls.of(() -> {
            CatalogueRow row = new CatalogueRow(name, store.reserveId(), whole.options());
            if (!store.define(transaction, row)) {
                throw new TransactionException(ErrorCode.ALREADY_EXISTS, "there is a sequence " + name + " already");
            }
            CatalogueEntry entry = new CatalogueEntry(name, row.sequenceId(), whole);
            SequenceGenerator unused = keep(entry, VersionedValue.NONE); // nobody can have put to it
            return entry;
        });
    }

    /** The sequence of a name, as the transaction sees it. Changes nothing. */
    public Optional<CatalogueEntry> find(Transaction transaction, String name) {
        CatalogueRow.requireName(name);
        return StoreCalls.of(() -> store.findEntry(transaction, name)).map(SequenceCatalogue::entry);
    }

    /** The sequence of an id, as the transaction sees it; empty for one without a name. Changes nothing. */
    public Optional<CatalogueEntry> find(Transaction transaction, long id) {
        return StoreCalls.of(() -> store.findEntry(transaction, id)).map(SequenceCatalogue::entry);
    }

    /**
     * Sequences in order of the code points of their names, as the transaction sees them. Changes nothing.
     *
     * @param after only names behind this one; empty for the first
     * @param limit at least 1
     */
    public List<CatalogueEntry> list(Transaction transaction, String after, int limit) {
        return StoreCalls.of(() -> store.listEntries(transaction, after, limit)).stream()
                .map(SequenceCatalogue::entry)
                .toList();
    }

    /**
     * Drops the sequence of a name, DROP SEQUENCE. With the transaction: after an abort, or a crash before it is durable, the
     * sequence is there and goes on where it was. Transactions that draw from it meanwhile are not disturbed. Once the drop
     * is durable, {@link #forget} frees its generator.
     *
     * @throws TransactionException NOT_FOUND (final)
     */
    public CatalogueEntry drop(Transaction transaction, String name) {
        return drop(transaction, name, find(transaction, name));
    }

    /**
     * Drops the sequence of an id, as {@link #drop(Transaction, String)} does.
     *
     * @throws TransactionException NOT_FOUND (final)
     */
    public CatalogueEntry drop(Transaction transaction, long id) {
        return drop(transaction, "with the id " + id, find(transaction, id));
    }

    private CatalogueEntry drop(Transaction transaction, String what, Optional<CatalogueEntry> found) {
        return found.filter(entry -> StoreCalls.of(() -> store.drop(transaction, row(entry))))
                .orElseThrow(() -> TransactionalSequences.notFound(what));
    }

    /**
     * Gives a name to a new sequence in place of its present one: ALTER SEQUENCE, whose new definition begins where the
     * caller says with {@code start}. With the transaction, as a drop and a define are. Values that others draw from the
     * present one until it is durable are not considered, so see to it that nobody draws: an engine locks the sequence for
     * ALTER anyway.
     *
     * @throws io.seriatim.BadDefinitionException as {@link #define}
     * @throws TransactionException NOT_FOUND (final)
     */
    public CatalogueEntry replace(Transaction transaction, String name, SequenceDefinition definition) {
        Succession unused = Succession.of(definition); // refused before anything is dropped
        CatalogueEntry dropped = drop(transaction, name);
        return define(transaction, dropped.name(), definition);
    }

    /**
     * The generator of a sequence, always the same one. The first call for a sequence in this process goes on behind the
     * durable pair of the greatest version. Changes nothing that is stored.
     *
     * @throws TransactionException NOT_FOUND (final), TOO_MANY if a million sequences are in use; BUSY if a transaction of an
     *     earlier process that drew from it has not ended yet (may be retried)
     */
    public SequenceGenerator generator(Transaction transaction, String name) {
        return generator(find(transaction, name).orElseThrow(() -> TransactionalSequences.notFound(name)));
    }

    /**
     * The generator of a sequence that the caller has found in a transaction that sees it; for engines that keep what they
     * have found.
     *
     * @throws TransactionException as {@link #generator(Transaction, String)}; NOT_FOUND also where it was dropped and its
     *     generator is {@link #forget forgotten}, though an older transaction still sees it
     */
    public SequenceGenerator generator(CatalogueEntry entry) {
        SequenceGenerator known = generators.get(entry.id());
        if (known != null) {
            return known;
        }
        requireRoom();
        return keep(
                entry,
                StoreCalls.of(() -> store.recover(entry.id()))
                        .orElseThrow(() -> TransactionalSequences.notFound(entry.name())));
    }

    private void requireRoom() {
        if (generators.size() >= MOST_GENERATORS) {
            throw new TransactionException(
                    ErrorCode.TOO_MANY, MOST_GENERATORS + " sequences are in use; forget those that were dropped");
        }
    }

    /** The first generator of a sequence is the one that stays. */
    private SequenceGenerator keep(CatalogueEntry entry, VersionedValue put) {
        SequenceGenerator recovered =
                SequenceGenerator.recover(sequences::put, entry.id(), entry.name(), entry.definition(), put);
        SequenceGenerator first = generators.putIfAbsent(entry.id(), recovered);
        return first == null ? recovered : first;
    }

    /**
     * Frees the generator of a sequence whose drop is durable, or whose create was aborted. For one that is still used it
     * must not be called: values that are drawn and not durable would be drawn again.
     */
    public void forget(long id) {
        generators.remove(id);
    }

    private static CatalogueEntry entry(CatalogueRow row) {
        SequenceDefinition definition = SequenceDefinition.ascending();
        for (Map.Entry<String, String> option : row.options().entrySet()) {
            definition = definition.with(option.getKey(), option.getValue());
        }
        return new CatalogueEntry(row.name(), row.sequenceId(), definition);
    }

    private static CatalogueRow row(CatalogueEntry entry) {
        return new CatalogueRow(entry.name(), entry.id(), entry.definition().options());
    }
}
