package io.seriatim;

import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.WriterMark;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What was last read or written of a sequence: its two rows, of one generation, and the definition that they
 * say.
 *
 * @param account what the counter row says of single numbers
 */
record Stored(DefinitionRow row, Definition definition, CounterRow counter, Account account) {

    /** @throws StoreUnavailableException STORE_CORRUPT if the texts of the counter are not understood */
    Stored(DefinitionRow row, Definition definition, CounterRow counter) {
        this(row, definition, counter, accountIn(row, counter));
    }

    private static Account accountIn(DefinitionRow row, CounterRow counter) {
        try {
            Holders unused = Holders.parse(counter.openBlocks());
            return Account.parse(counter.account());
        } catch (StoreUnavailableException e) {
            throw new StoreUnavailableException(e.code(), "sequence " + row.name() + ": " + e.getMessage(), e);
        }
    }

    static Stored of(DefinitionRow row, CounterRow counter) {
        try {
            return new Stored(row, Definition.of(SequenceDefinition.of(row.options())), counter);
        } catch (BadDefinitionException e) {
            throw new StoreUnavailableException(
                    ErrorCode.STORE_CORRUPT,
                    "the stored definition of sequence " + row.name() + " is not understood",
                    e);
        }
    }

    /** With a counter that has no row yet: what it will begin with. */
    static Stored of(DefinitionRow row, CounterKey key, Optional<CounterRow> counter) {
        return of(row, counter.orElseGet(() -> new CounterRow(key, row.generation(), 0, 0, true, 0, row.mark())))
                .beginning();
    }

    private Stored beginning() {
        if (counter.revision() > 0) {
            return this;
        }
        return with(
                new CounterRow(counter.key(), counter.generation(), 0, definition.start(), true, 0, counter.mark()));
    }

    /**
     * Whether the two rows can be of one moment. A change of a definition writes the counter of a sequence that has
     * but one as well; the counters of a sequence with a format keep the generation in which they were last moved by
     * hand.
     */
    boolean belongTogether() {
        return belongTogether(row, definition, counter);
    }

    static boolean belongTogether(DefinitionRow row, Definition definition, CounterRow counter) {
        return definition.format().isEmpty()
                ? row.generation() == counter.generation()
                : row.generation() >= counter.generation();
    }

    Position position() {
        return new Position(counter.generation(), counter.round(), counter.highWaterMark(), counter.fresh());
    }

    /**
     * The value that comes next.
     *
     * @throws SequenceExhaustedException if there is none
     */
    long next() {
        return definition
                .progression()
                .after(position(), 1)
                .orElseThrow(this::exhausted)
                .block()
                .first();
    }

    SequenceExhaustedException exhausted() {
        Progression progression = definition.progression();
        return new SequenceExhaustedException(row.name(), progression.limit(), progression.limitValue());
    }

    /** The counter row that follows this one. */
    CounterRow counterAt(Position position, WriterMark mark) {
        return counterAt(position, mark, holders());
    }

    /** Who may have values in memory. */
    Holders holders() {
        return Holders.parse(counter.openBlocks());
    }

    /** The counter row that follows this one, with others who may have values in memory. */
    CounterRow counterAt(Position position, WriterMark mark, Holders holders) {
        return counterAt(position, mark, holders, account());
    }

    CounterRow counterAt(Position position, WriterMark mark, Holders holders, Account account) {
        return counterAt(position, counter.generation(), mark, holders, account);
    }

    private CounterRow counterAt(
            Position position, long generation, WriterMark mark, Holders holders, Account account) {
        return new CounterRow(
                counter.key(),
                generation,
                position.round(),
                position.value(),
                position.fresh(),
                counter.revision() + 1,
                mark,
                holders.text(),
                account.text());
    }

    Stored with(CounterRow next) {
        return new Stored(row, definition, next);
    }

    /** With a row that this process has written, and the account in it. */
    Stored with(CounterRow next, Account nextAccount) {
        return new Stored(row, definition, next, nextAccount);
    }

    /** Of the next generation. */
    Stored altered(Definition changed, Position position, Holders holders, Posting posting) {
        return next(changed, changed.options(), false, position, holders, posting);
    }

    Stored dropped(Position position, Posting posting) {
        return next(definition, row.options(), true, position, Holders.none(), posting);
    }

    /** The same generation with another account. */
    Stored posted(Position position, Holders holders, Posting posting) {
        DefinitionRow nextRow = rowAfter(row.generation(), row.options(), false, posting.at(), posting.mark());
        return new Stored(nextRow, definition, counterAt(position, posting.mark(), holders, posting.account()));
    }

    /** The same generation without a node that had values in memory. */
    Stored withoutHolder(String node, Instant now, WriterMark mark) {
        DefinitionRow nextRow = rowAfter(row.generation(), row.options(), false, now, mark);
        return new Stored(
                nextRow, definition, counterAt(position(), mark, holders().without(node)));
    }

    private Stored next(
            Definition changed,
            Map<String, String> options,
            boolean dropped,
            Position position,
            Holders holders,
            Posting posting) {
        long generation = row.generation() + 1;
        DefinitionRow nextRow = rowAfter(generation, options, dropped, posting.at(), posting.mark());
        return new Stored(
                nextRow, changed, counterAt(position, generation, posting.mark(), holders, posting.account()));
    }

    private DefinitionRow rowAfter(
            long generation, Map<String, String> options, boolean dropped, Instant now, WriterMark mark) {
        return new DefinitionRow(
                row.name(),
                row.sequenceId(),
                generation,
                row.revision() + 1,
                options,
                dropped,
                row.created(),
                now,
                mark);
    }

    /** What there is to know but the rate, given the position of the last value returned. */
    SequenceState state(Position position) {
        return new SequenceState(
                row.name(),
                definition.asWish(),
                lastOf(position),
                lastOf(position()),
                row.generation(),
                remaining(position),
                OptionalDouble.empty(),
                row.created(),
                row.modified());
    }

    /** How many values are left: those behind a position, and those that come again; empty where they come round. */
    Optional<BigInteger> remaining(Position position) {
        return definition.cycle()
                ? Optional.empty()
                : Optional.of(definition.progression().remaining(position).add(BigInteger.valueOf(comingAgain())));
    }

    private long comingAgain() {
        return account.released().stream().filter(definition::contains).count();
    }

    private static OptionalLong lastOf(Position position) {
        return position.fresh() ? OptionalLong.empty() : OptionalLong.of(position.value());
    }

    boolean isNewerThan(CounterRow other) {
        return other.revision() < counter.revision() || other.generation() < counter.generation();
    }

    /** The next row of a name: a first one, or one over a tombstone; a name never goes back to an old generation. */
    static DefinitionRow first(
            String name,
            long sequenceId,
            Optional<DefinitionRow> tombstone,
            Definition definition,
            Instant now,
            WriterMark mark) {
        return new DefinitionRow(
                name,
                sequenceId,
                tombstone.map(row -> row.generation() + 1).orElse(1L),
                tombstone.map(row -> row.revision() + 1).orElse(1L),
                definition.options(),
                false,
                now,
                now,
                mark);
    }
}
