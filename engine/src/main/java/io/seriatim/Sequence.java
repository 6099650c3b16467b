package io.seriatim;

import io.seriatim.store.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Hands out the values of one sequence. A handle: {@link Sequences} gives as many of it as one likes, and all
 * of one name hand out from the same values.
 *
 * <p>Safe for use by many threads. Every method that hands out, shows or changes something throws
 * {@link SequenceNotFoundException} once the sequence was dropped, also after a new one was created under its name,
 * {@link StoreUnavailableException} when the store does not do its part within the wait that {@link Sequences} was
 * opened with, and {@link IllegalStateException} after {@link Sequences#close()}. {@link #tryDraw} is empty then, and
 * {@link #name}, {@link #by} and {@link #lease} do not look.
 */
public final class Sequence {

    private static final int LONGEST_NOTE = 1_000;
    private static final int MOST_RUNS = 10_000;

    private final Sequences sequences;
    private final CounterName counter;
    private final long sequenceId;
    /** Whose name stands under changes made through this handle. */
    private final Author author;
    /** What prints the values taken through this handle. */
    private final long definition;
    /** Replaced when the one at hand was closed to make room for others. */
    private volatile Supply supply;

    Sequence(Sequences sequences, CounterName counter, Supply supply) {
        this(sequences, counter, supply.sequenceId(), supply, Author.NOBODY, Supply.ANY_DEFINITION);
    }

    private Sequence(
            Sequences sequences, CounterName counter, long sequenceId, Supply supply, Author author, long definition) {
        this.sequences = sequences;
        this.counter = counter;
        this.sequenceId = sequenceId;
        this.author = author;
        this.definition = definition;
        this.supply = supply;
    }

    long sequenceId() {
        return sequenceId;
    }

    Supply supply() {
        return supply;
    }

    public String name() {
        return counter.sequence();
    }

    /**
     * Returns the counter of a scope and period of this sequence, for formats: it has the definition of the sequence
     * and hands out values of its own, from start on. It comes into being with its first value. To alter and drop is for
     * the sequence; a restart is of the counter alone.
     *
     * @param scope scope values in their normal form, empty for none
     * @param period period key, empty for none
     * @throws IllegalStateException if the sequence has no format
     */
    public Sequence counter(String scope, String period) {
        if (!hasFormat()) {
            throw new IllegalStateException("a sequence without a format has one counter: name=" + name());
        }
        return ask(current -> find(scope, period)).by(author).printedBy(definition);
    }

    private Sequence find(String scope, String period) {
        return sequences
                .find(new CounterName(name(), scope, period), sequenceId)
                .orElseThrow(() -> new SequenceNotFoundException(name()));
    }

    /**
     * Returns a handle of the same sequence whose changes (alter, restart, drop, declaring a node gone) are signed: the
     * audit trail says who made them, and why. What it hands out is the same.
     */
    public Sequence by(Author signing) {
        return new Sequence(sequences, counter, sequenceId, supply, signing, definition);
    }

    /**
     * Returns a handle of the same sequence whose values are printed by the definition of a generation: the ledger keeps
     * which one. What it hands out is the same; under contract fast a draw, where this process has learnt of a newer one
     * meanwhile, is refused with a {@link NumberRefusedException} BUSY, and has taken nothing.
     */
    public Sequence printedBy(long generation) {
        return new Sequence(sequences, counter, sequenceId, supply, author, generation);
    }

    /** Learns what others have changed. */
    public void refresh() {
        Supply known = supply;
        if (known.isOver()) {
            reopen(known);
        }
        ask(current -> {
            current.meetChange();
            return true;
        });
    }

    /**
     * Returns the next value: unique, and later than every value that this process returned before the call
     * began.
     *
     * <p>The value is durable before this returns, as docs/promises.md P2 has it: whatever happens to the
     * process, it does not come again.
     *
     * @throws SequenceExhaustedException at the limit, without cycle; nothing was consumed; final
     */
    public long next() {
        for (; ; ) {
            Supply current = supply;
            try {
                return current.next();
            } catch (Supply.Gone e) {
                reopen(current);
            }
        }
    }

    /**
     * Takes the next value with a transaction of the user, under contract gapless: it is confirmed when the transaction is
     * durable, and after an abort it is the next value still, so that no number is missing and none is used twice.
     *
     * <p>Nothing is durable on return. The transaction holds the counter until its end, and whoever else wants a value of it
     * waits: draw last, and commit soon. A crash before the transaction is durable leaves no trace of the value; one while
     * its commit is under way leaves the value used, with its entry in the ledger, if the transaction is there, and not used
     * otherwise.
     *
     * @param wait at most, for another transaction that holds the counter; positive
     * @throws SequenceExhaustedException at the limit; nothing was taken; final
     * @throws NumberRefusedException PERIOD_CLOSED or PERIOD_BACKWARDS; final
     * @throws StoreUnavailableException BUSY if the counter was held for longer, or a reservation must end first: the
     *     transaction goes on without the value, and the call may be retried; RETRY_TRANSACTION if the transaction has failed
     *     (deadlock, serialization): roll it back and run it again
     * @throws IllegalStateException under another contract, if the store has no transactions of the user, or if this one has
     *     ended
     */
    public long next(Transaction transaction, Duration wait) {
        if (wait.isNegative() || wait.isZero()) {
            throw new IllegalArgumentException("wait must be positive: wait=" + wait);
        }
        DrawInTransaction draws = sequences
                .inTransactions()
                .orElseThrow(() -> new IllegalStateException("the store has no transactions of the user"));
        return draws.next(transaction, name(), counter.key(sequenceId), definition, wait);
    }

    /**
     * Takes {@code count} values, one increment apart. Values of the present block that are too few for it
     * are passed over, unless the next block goes on where it ends.
     *
     * @param count at least 1
     * @throws SequenceExhaustedException if fewer are left, without cycle; nothing was consumed; final
     * @throws BadDefinitionException OUT_OF_RANGE if a round of a cycling sequence holds fewer values; final
     */
    public Block next(long count) {
        return block(count, Shape.CONTIGUOUS);
    }

    /**
     * Takes up to {@code count} values, one increment apart; fewer where a limit or wrap ends them.
     *
     * @param count at least 1
     * @throws SequenceExhaustedException if none is left, without cycle; final
     */
    public Block nextBlock(long count) {
        return block(count, Shape.CONTIGUOUS_OR_SHORTER);
    }

    private Block block(long count, Shape shape) {
        requireCount(count);
        for (; ; ) {
            Supply current = supply;
            try {
                return current.block(count, shape);
            } catch (Supply.Gone e) {
                reopen(current);
            }
        }
    }

    /**
     * Takes {@code count} values in order, all or nothing; they may pass wraps. One call takes the values of 10,000
     * rounds at most.
     *
     * @param count at least 1
     * @throws SequenceExhaustedException if fewer are left, without cycle; nothing was consumed; final
     * @throws BadDefinitionException OUT_OF_RANGE if 10,000 rounds of a cycling sequence hold fewer; nothing was
     *     consumed; final
     */
    public Draw draw(long count) {
        return draw(count, Shape.ACROSS_WRAPS);
    }

    /**
     * Takes values as {@link #draw(long)} does, once for a key: a call with the same key and count returns the same
     * values for 24 hours, whatever processes, crashes and restarts there are between them. The answer is durable
     * before this returns. Costs a store write of its own.
     *
     * @param count at least 1
     * @throws SequenceExhaustedException as {@link #draw(long)}; no answer is kept
     * @throws BadDefinitionException as {@link #draw(long)}; no answer is kept
     * @throws RequestKeyException if the key belongs to another request, or cannot be served now
     * @throws StoreUnavailableException also OUTCOME_UNKNOWN: the same call with the same key settles it
     */
    public Draw draw(long count, RequestKey key) {
        return draw(count, key, RequestNote.NONE);
    }

    /**
     * The same, for a request that says more than its count.
     *
     * @throws RequestKeyException also KEY_REUSED if {@code note} asks for something else than the first request did
     */
    public Draw draw(long count, RequestKey key, RequestNote note) {
        return once(count, Shape.ACROSS_WRAPS, key, note);
    }

    // ---- reservations, under contract gapless

    /**
     * Holds a value until it is confirmed or cancelled, or expires; durable on return. A released value comes first.
     * Under policy strict it waits until no other reservation is open.
     *
     * @param note one line of at most 1,000 characters to be known of it later; {@link Reservation#note} tells it
     * @throws SequenceExhaustedException at the limit; nothing was consumed; final
     * @throws ReservationException TOO_MANY or BUSY; may be retried
     * @throws NumberRefusedException PERIOD_CLOSED or PERIOD_BACKWARDS; final
     * @throws BadDefinitionException under another contract; final
     */
    public Reservation reserve(String note) {
        Author.requirePlain("note", note, LONGEST_NOTE);
        return ask(current -> current.reserve(note, Optional.empty(), definition));
    }

    /**
     * Holds a value as {@link #reserve(String)} does, once for a key: a call with the same key returns the same reservation in
     * its present state. Its note is what {@code note} has to be kept.
     *
     * @throws RequestKeyException if the key belongs to another request, or cannot be served now
     */
    public Reservation reserve(RequestKey key, RequestNote note) {
        Author.requirePlain("note", note.kept(), LONGEST_NOTE);
        return ask(current -> sequences
                .keys()
                .once(
                        sequenceId,
                        key,
                        Shape.RESERVED,
                        1,
                        note,
                        (request, row) -> current.find(new ReservationId(
                                request.answerIn(row).blocks().get(0).first(), row.mark())),
                        request -> current.reserve(note.kept(), Optional.of(request), definition)));
    }

    /**
     * Returns a reservation as it is now.
     *
     * @throws ReservationException NOT_FOUND if there never was one of this name; final
     */
    public Reservation reservation(String id) {
        return ask(current -> current.find(reservationId(id)));
    }

    /**
     * Confirms a reservation: its number may leave for the world once this has returned; durable on return.
     *
     * @throws ReservationException RESERVATION_GONE, with the state in which it ended: {@code confirmed} is as good as a
     *     success for whoever holds it; NOT_FOUND if there never was one of this name; final
     * @throws StoreUnavailableException also OUTCOME_UNKNOWN or BUSY: the same call settles it
     */
    public Reservation confirm(String id) {
        return ask(current -> current.end(reservationId(id), true, author));
    }

    /**
     * Gives a reserved number back; durable on return. What becomes of it is for the policy to say.
     *
     * @throws ReservationException as {@link #confirm}
     */
    public Reservation cancel(String id) {
        return ask(current -> current.end(reservationId(id), false, author));
    }

    private static ReservationId reservationId(String id) {
        return ReservationId.parse(id)
                .orElseThrow(
                        () -> new ReservationException(ErrorCode.NOT_FOUND, "there is no such reservation: id=" + id));
    }

    // ---- what became of the values, with a format

    /**
     * Voids a value that was handed out: it stays out of use for good, and the ledger and the audit trail say why.
     * Durable on return. To be called on a handle {@link #by} somebody who gives a reason.
     *
     * @throws NumberRefusedException REASON_REQUIRED, NUMBER_UNKNOWN if it was never handed out, ALREADY_VOID; final
     * @throws ReservationException RESERVATIONS_OPEN if it is reserved; may be retried when that has ended
     * @throws StoreUnavailableException also BUSY while other nodes may have values in memory, under contract fast
     */
    public void voidValue(long value) {
        requireReason();
        ask(current -> {
            current.post(new Voiding(value, author, current.writer), AuditEntry.Action.VOID, author);
            return true;
        });
    }

    /**
     * Closes the period of this counter for good: it gives no number any more, and released ones are voided. Durable on
     * return. To be called on a handle {@link #by} somebody who gives a reason.
     *
     * @throws NumberRefusedException REASON_REQUIRED, PERIOD_CLOSED if it is closed already; final
     * @throws ReservationException RESERVATIONS_OPEN; may be retried when they have ended
     * @throws StoreUnavailableException also BUSY while other nodes may have values in memory
     */
    public void closePeriod() {
        requireReason();
        SequenceState unused = ask(current -> current.alter(new PeriodClosing(author), author));
    }

    /**
     * Makes a period the latest of this scope, so that no number of an earlier one is given any more; durable on return.
     * To be called on the counter of the scope without a period.
     *
     * @param firstDay of the period, in ISO 8601
     * @param period its key
     * @throws NumberRefusedException PERIOD_BACKWARDS if a later one has begun; final
     */
    public void beginPeriod(String firstDay, String period) {
        String wanted = firstDay + "/" + period;
        Account.Periods periods = supply.periods();
        while (!periods.equals(new Account.Periods(wanted, ""))) {
            periods = ask(current -> current.stand(new Group.Rise(wanted)));
            String leaving = periods.leaving();
            if (!leaving.isEmpty()) {
                String left = leaving.substring(leaving.indexOf('/') + 1);
                find(counter.scope(), left).leave();
                periods = ask(current -> current.stand(new Group.Settle(leaving)));
            }
        }
    }

    /** A later period of the scope has begun. Does nothing if the period is over already. */
    void leave() {
        Account.Periods unused = ask(current -> current.stand(new Group.Leave()));
    }

    /**
     * Looks at all counters of the sequence, one after another; one that is reserved of meanwhile may be missed.
     *
     * @throws ReservationException RESERVATIONS_OPEN if one has open reservations; may be retried when they have ended
     */
    public void requireNoReservations() {
        sequences.requireNoReservations(this);
    }

    /**
     * Refuses a handle that is not signed with a reason.
     *
     * @throws NumberRefusedException REASON_REQUIRED; final
     */
    public void requireReason() {
        if (author.why().isEmpty()) {
            throw new NumberRefusedException(ErrorCode.REASON_REQUIRED, "a reason is required");
        }
    }

    /**
     * Returns counters of the sequence, in an order of the store's own that never changes.
     *
     * @param after the counter behind which to begin; nothing to begin with the first
     * @param limit most to return, at least 1
     */
    public List<CounterState> counters(Optional<CounterState> after, int limit) {
        return ask(current -> sequences.counters(this, after, limit));
    }

    /**
     * Enters values that were used before this sequence was there: the counter goes on behind the last of them, and the
     * ledger has them as imported, and those that are missing between them as voided (gapless) or lost. Durable on return,
     * all or nothing.
     *
     * @param runs in the direction of the increment, each by the increment, at most 10,000
     * @throws SequenceConflictException BEHIND unless all of them lie behind every value that is there; final
     * @throws BadDefinitionException OUT_OF_RANGE outside min … max; final
     * @throws NumberRefusedException PERIOD_CLOSED or PERIOD_BACKWARDS; final
     */
    public SequenceState importValues(List<Block> runs) {
        Importing importing = importing(runs);
        return ask(current -> current.alter(importing, author));
    }

    private Importing importing(List<Block> runs) {
        if (runs.isEmpty() || runs.size() > MOST_RUNS) {
            throw new IllegalArgumentException("runs must be 1 to " + MOST_RUNS + ": runs=" + runs.size());
        }
        return new Importing(List.copyOf(runs), author);
    }

    /** Refuses values that {@link #importValues} would refuse now; enters nothing. */
    public void requireImportable(List<Block> runs) {
        Importing importing = importing(runs);
        ask(current -> {
            current.requirePossible(importing);
            return true;
        });
    }

    /** Returns the one counter of this handle, as the store has it. */
    public CounterState counterState() {
        return ask(Supply::counterState);
    }

    /** Returns all that the ledger tells of a value, in order; nothing if it was never handed out. */
    public List<LedgerEntry> history(long value) {
        return ask(current -> current.told((ledger, account) -> ledger.of(value, account.head())));
    }

    /**
     * Returns entries of the ledger in order.
     *
     * @param afterIndex the index behind which to begin; 0 to begin with the first
     * @param limit most to return, at least 1
     */
    public List<LedgerEntry> ledger(long afterIndex, int limit) {
        if (afterIndex < 0 || limit < 1) {
            throw new IllegalArgumentException(
                    "afterIndex must be at least 0, limit at least 1: afterIndex=" + afterIndex + " limit=" + limit);
        }
        return ask(current -> current.told((ledger, account) -> ledger.list(afterIndex, limit)));
    }

    /**
     * Returns the values between the first and the last that was handed out of which the ledger does not say what became
     * of them. Reads the whole ledger.
     *
     * @param all also those that it explains: reserved, released, voided and lost ones
     */
    public GapReport gaps(boolean all) {
        return ask(current -> {
            Account account = current.told((ledger, now) -> now);
            GapSearch search = new GapSearch();
            current.readLedger(account, search);
            return search.report(all, account);
        });
    }

    /**
     * Checks that the ledger is whole. Reads all of it.
     *
     * @param keptHead a head that {@link #gaps} has shown earlier
     */
    public LedgerReport verify(Optional<String> keptHead) {
        return ask(current -> {
            Account account = current.told((ledger, now) -> now);
            LedgerCheck check = new LedgerCheck(account, keptHead);
            current.readLedger(account, check);
            return check.report();
        });
    }

    /** What was kept with the answer to a key; nothing if the key has no answer. */
    public Optional<String> noteOf(RequestKey key) {
        return sequences.keys().noteOf(sequenceId, key);
    }

    /**
     * Takes values as {@link #nextBlock(long)} does, once for a key, as {@link #draw(long, RequestKey)}.
     *
     * @param count at least 1
     * @throws SequenceExhaustedException if none is left, without cycle; no answer is kept; final
     * @throws RequestKeyException if the key belongs to another request, or cannot be served now
     * @throws StoreUnavailableException also OUTCOME_UNKNOWN: the same call with the same key settles it
     */
    public Block nextBlock(long count, RequestKey key) {
        return once(count, Shape.CONTIGUOUS_OR_SHORTER, key, RequestNote.NONE)
                .blocks()
                .get(0);
    }

    private Draw once(long count, Shape shape, RequestKey key, RequestNote note) {
        requireCount(count);
        return ask(current -> sequences
                .keys()
                .once(
                        sequenceId,
                        key,
                        shape,
                        count,
                        note,
                        Request::answerIn,
                        request -> current.drawOnce(request, definition)));
    }

    private Draw draw(long count, Shape shape) {
        requireCount(count);
        return ask(current -> current.draw(count, shape, definition));
    }

    /**
     * Takes {@code count} values as {@link #draw} does, but only out of memory: empty if the call would have
     * to wait for the store.
     *
     * @param count at least 1
     */
    public Optional<Draw> tryDraw(long count) {
        requireCount(count);
        return supply.tryDraw(count);
    }

    /**
     * Returns a lease, which hands out the values of this sequence to one thread faster than {@link #next()} can.
     * Nothing is taken before its first call. Contract fast only.
     *
     * @param count how many values the lease takes at a time, at least 1; a crash, or a lease that is not
     *     closed, skips as many at most
     * @throws IllegalStateException under another contract, whose values come one by one
     */
    public SequenceLease lease(long count) {
        requireCount(count);
        if (supply.contract() != Contract.FAST) {
            throw new IllegalStateException(
                    "a lease needs contract fast: contract=" + supply.contract().text());
        }
        return new SequenceLease(this, count);
    }

    Draw drawUpTo(long count) {
        return draw(count, Shape.CONTIGUOUS_OR_SHORTER);
    }

    void giveBack(Draw rest) {
        supply.giveBack(rest);
    }

    private static void requireCount(long count) {
        if (count < 1) {
            throw new IllegalArgumentException("count must be at least 1: count=" + count);
        }
    }

    /**
     * Returns the value that comes next if nobody else takes one before; it is not reserved and nothing is
     * written.
     *
     * @throws SequenceExhaustedException if none is left, without cycle; final
     */
    public long peek() {
        return ask(Supply::peek);
    }

    /** Returns the definition as this process knows it, with every option decided; never waits for the store. */
    public SequenceDefinition definition() {
        return supply.shown().definition();
    }

    /** Whether the values are printed as numbers; never waits for the store. */
    public boolean hasFormat() {
        return supply.shown().hasFormat();
    }

    /** Returns the generation of the definition as this process knows it; never waits for the store. */
    public long generation() {
        return supply.shown().row().generation();
    }

    /** Returns what there is to know of the sequence. */
    public SequenceState state() {
        return ask(Supply::state);
    }

    /**
     * Changes the options that {@code changes} names, from the last value returned on; all or nothing, and
     * durable on return. Starts a new generation.
     *
     * @throws BadDefinitionException if an option is bad or the last value would lie outside min … max
     *     (PostgreSQL 15, ALTER SEQUENCE); final
     * @throws StoreUnavailableException also OUTCOME_UNKNOWN: the change may or may not be in force
     */
    public SequenceState alter(SequenceDefinition changes) {
        return alter(now -> changes, Optional.empty());
    }

    /**
     * Changes the options that {@code decide} names, as {@link #alter(SequenceDefinition)}.
     *
     * @param decide is shown the sequence as it is, again if it turns out to have changed meanwhile, and may refuse by a
     *     {@link SequenceException}; it must not call this sequence
     */
    public SequenceState alter(Function<SequenceState, SequenceDefinition> decide) {
        return alter(decide, Optional.empty());
    }

    private SequenceState alter(Function<SequenceState, SequenceDefinition> decide, Optional<Restart> restart) {
        requireWhole();
        Author signing = author.because(restart.flatMap(Restart::reuseReason));
        return ask(current -> {
            SequenceState state = current.alter(new Alteration(name(), decide, restart, signing), signing);
            sequences.closeOtherCounters(current);
            return state;
        });
    }

    private void requireWhole() {
        if (!counter.isOnly()) {
            throw new IllegalStateException("to alter and drop is for the sequence, not for one of its counters");
        }
    }

    /**
     * Changes options and goes on elsewhere, in one step.
     *
     * @throws BadDefinitionException as {@link #alter(SequenceDefinition)}, also if the restart lies outside
     *     min … max; final
     * @throws SequenceConflictException BEHIND if values could come again and the restart does not allow it;
     *     final
     */
    public SequenceState alter(SequenceDefinition changes, Restart restart) {
        return alter(now -> changes, Optional.of(restart));
    }

    /**
     * Goes on elsewhere; durable on return. Starts a new generation.
     *
     * @throws BadDefinitionException OUT_OF_RANGE outside min … max; final
     * @throws SequenceConflictException BEHIND if values could come again and the restart does not allow it;
     *     final
     * @throws StoreUnavailableException also BUSY while other nodes may have values in memory that could come again;
     *     may be retried once they have stopped or were declared gone
     */
    public SequenceState restart(Restart restart) {
        Author signing = author.because(restart.reuseReason());
        return ask(current -> current.alter(new Repositioning(name(), restart, signing), signing));
    }

    /**
     * Goes on behind everything that may have been handed out since the store was copied, in a store that is such a copy.
     * Open reservations and released values do not come again. Durable on return. Starts a new generation.
     *
     * @throws BadDefinitionException OUT_OF_RANGE if a value used is not from min to max, BAD_OPTION if the sequence cycles
     *     and values are given; final
     */
    public SequenceState restore(UsedSince since) {
        return ask(current -> current.alter(new Restoring(since, author), author));
    }

    /**
     * Returns the last value that would count as handed out behind {@link #restore}; empty if none would. Changes nothing.
     *
     * @throws BadDefinitionException as {@link #restore}
     */
    public OptionalLong lastAfterRestore(UsedSince since) {
        Position moved = ask(current -> current.positionAfter(new Restoring(since, author)));
        return moved.fresh() ? OptionalLong.empty() : OptionalLong.of(moved.value());
    }

    /**
     * Says that a node has ended for good: what it had in memory of this sequence will not come out any more. To be
     * said of nodes that were killed, before a change after which values could come again. Wrong, it lets values come
     * twice.
     *
     * @param node as BUSY names it
     * @throws IllegalArgumentException if it is {@link Sequences#node()} itself, which lives
     * @throws StoreUnavailableException also OUTCOME_UNKNOWN: the node may or may not be listed still
     */
    public SequenceState declareGone(String node) {
        if (node.equals(sequences.node())) {
            throw new IllegalArgumentException("a node must not declare itself gone: node=" + node);
        }
        return ask(current -> current.declareGone(node, author));
    }

    /**
     * Drops the sequence for good; durable on return. One created later under the name starts anew.
     *
     * @throws ReservationException RESERVATIONS_OPEN if one of its counters has any; may be retried when they have ended
     * @throws StoreUnavailableException also BUSY while other nodes may have values in memory, which could come again
     *     from a sequence created anew; may be retried once they have stopped or were declared gone
     */
    public void drop() {
        requireWhole();
        requireNoReservations();
        ask(current -> {
            current.drop(author);
            sequences.closeOtherCounters(current);
            return true;
        });
    }

    private <T> T ask(Function<Supply, T> question) {
        for (; ; ) {
            Supply current = supply;
            try {
                return question.apply(current);
            } catch (Supply.Gone e) {
                reopen(current);
            } catch (Supply.OtherDefinition e) {
                if (e.isNewer) {
                    throw new NumberRefusedException(ErrorCode.BUSY, "the definition was changed meanwhile");
                }
                current.meetChange();
            } catch (SequenceNotFoundException e) {
                sequences.endDropped(current); // there may be a new one of this name, which this supply is not of
                throw e;
            }
        }
    }

    private void reopen(Supply gone) {
        supply = sequences.supplyAfter(gone, counter, sequenceId);
    }
}
