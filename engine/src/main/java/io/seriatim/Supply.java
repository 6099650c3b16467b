package io.seriatim;

import io.seriatim.ExclusiveOperation.Outcome;
import io.seriatim.store.CounterKey;
import io.seriatim.store.DefinitionRow;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One sequence as this process has it open: who may talk with the store about it, and how its life ends. How
 * values are handed out is the business of the contract, in the subclasses.
 *
 * <p>Safe for use by many threads. No caller waits longer than {@code maxWait} for one answer of the store, whatever
 * the store does, and no call needs more than three; a caller that waits in vain gets an exception and no value.
 */
abstract sealed class Supply permits FastSupply, OrderedSupply {

    /*
     * A state machine under one lock. At most one operation with the store is under way at a time; it owns the
     * dialogue with the store from the moment that `operation` is set until it is NONE again. It calls the store
     * without the lock, on a thread of the environment, and takes the lock only to hand in what came of it.
     *
     *   TAKE       takes values from the store while callers go on.
     *   EXCLUSIVE  alter, drop, give back, and taking many values at once. It first takes everything in memory
     *              into its hands, so that it alone knows the last value returned; callers wait until it has put
     *              back what is left.
     *
     * Nothing is lost by an error: an exclusive operation that fails puts back exactly what it took in hand,
     * and what it has taken from the store since. The one exception is a change whose outcome is unknown: it
     * may have set the mark back below values that are still in memory, so these are burnt.
     *
     * A caller that gives up takes nothing with it: values taken for a caller that is gone are put back.
     */

    /** For values that nobody prints, or by whatever definition there is. */
    static final long ANY_DEFINITION = 0;

    /** Between two tries of a change that waits for other nodes. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    enum Operation {
        NONE,
        TAKE,
        EXCLUSIVE
    }

    enum Life {
        OPEN,
        DROPPED,
        /** No calls any more; unused values are on their way back to the store. */
        CLOSING,
        CLOSED
    }

    /** Thrown to callers of a supply that was closed while its sequence lives on. */
    static final class Gone extends RuntimeException {
        private static final long serialVersionUID = 1;

        Gone() {
            super("supply closed", null, false, false);
        }
    }

    /** Thrown where values in memory were taken under another definition than the one that is to print them. */
    static final class OtherDefinition extends RuntimeException {
        private static final long serialVersionUID = 1;

        final boolean isNewer;

        /** @param isNewer whether that of the values is newer */
        OtherDefinition(boolean isNewer) {
            super("another definition", null, false, false);
            this.isNewer = isNewer;
        }
    }

    /** The end of an exclusive operation on its way to the caller; guarded by the lock. */
    private static final class Pending<T> {
        private @Nullable Outcome<T> outcome;
        private boolean abandoned;
    }

    final CounterWriter writer;
    final StoreCalls calls;
    final Environment environment;
    final long maxWaitNanos;
    final Skipped skipped;
    private final Runnable ended;
    private final String name;
    private final CounterKey key;
    private final Contract contract;

    final ReentrantLock lock = new ReentrantLock();
    /** Signalled whenever anything below changes. */
    private final Condition changed = lock.newCondition();

    // Guarded by the lock:

    /** Read without the lock where only the definition is asked. */
    private volatile Stored stored;

    private volatile @Nullable Shown shown;
    private final Pace pace;
    private Operation operation = Operation.NONE;
    private Life life = Life.OPEN;
    /** How many callers wait for their exclusive operation to begin. */
    private int turnsWanted;

    private @Nullable SequenceException lastFailure;

    /**
     * @param ended told when this supply has come to its end and writes nothing more; may be called with the lock
     */
    Supply(
            Stored stored,
            CounterWriter writer,
            Environment environment,
            long maxWaitNanos,
            Skipped skipped,
            Runnable ended) {
        this.name = stored.row().name();
        this.key = stored.counter().key();
        this.contract = stored.definition().contract();
        this.stored = stored;
        this.writer = writer;
        this.calls = new StoreCalls(environment, Duration.ofNanos(maxWaitNanos));
        this.environment = environment;
        this.pace = new Pace(environment.nanoTime(), stored.position());
        this.maxWaitNanos = maxWaitNanos;
        this.skipped = skipped;
        this.ended = ended;
    }

    /** Opens a sequence by its contract. */
    static Supply of(
            Stored stored,
            CounterWriter writer,
            Environment environment,
            long maxWaitNanos,
            Skipped skipped,
            Runnable ended) {
        return switch (stored.definition().contract()) {
            case FAST -> new FastSupply(stored, writer, environment, maxWaitNanos, skipped, ended);
            case ORDERED, GAPLESS -> new OrderedSupply(stored, writer, environment, maxWaitNanos, skipped, ended);
        };
    }

    // ---- what each contract does in its own way

    /** The next value. */
    abstract long next();

    /**
     * Takes {@code count} values in the given shape, all or nothing.
     *
     * @param definition the generation of the one that prints them, or {@link #ANY_DEFINITION}: the ledger keeps it
     * @throws OtherDefinition if they would not be of that one
     */
    abstract Draw draw(long count, Shape shape, long definition);

    /** Takes the values of a request and keeps the answer, or returns the answer that another call has kept. */
    abstract Draw drawOnce(Request request, long definition);

    /**
     * Holds a value for somebody.
     *
     * @param note to be known of it later
     */
    Reservation reserve(String note, Optional<Request> request, long definition) {
        throw noReservations();
    }

    /** Ends a reservation. */
    Reservation end(ReservationId id, boolean confirmed, Author author) {
        throw noReservations();
    }

    /** A reservation as it is. */
    Reservation find(ReservationId id) {
        throw noReservations();
    }

    /** Changes which period is the latest. */
    Account.Periods stand(Group.Wish wish) {
        throw new BadDefinitionException(
                ErrorCode.BAD_OPTION,
                SequenceDefinition.CONTRACT,
                "under contract fast other nodes may have values of any period: contract=" + contract.text());
    }

    /** Which period is the latest, as this process knows it. */
    final Account.Periods periods() {
        return stored.account().periods();
    }

    private SequenceException noReservations() {
        return new BadDefinitionException(
                ErrorCode.BAD_OPTION,
                SequenceDefinition.CONTRACT,
                "reservations need contract gapless: contract=" + contract.text());
    }

    /** Takes values in one run. */
    Block block(long count, Shape shape) {
        return draw(count, shape, ANY_DEFINITION).blocks().get(0);
    }

    /** Takes back values of one run that were drawn and not used, if none behind them is out; else skips them. */
    void giveBack(Draw rest) {
        skipped.add(rest.count());
    }

    /** Takes {@code count} values if they lie in memory; never waits. */
    abstract Optional<Draw> tryDraw(long count);

    /** How many values were handed out here. */
    abstract long issued();

    abstract SequenceState state();

    /** The value that comes next if nobody else takes one before. Writes nothing. */
    abstract long peek();

    /** Where the counter stands for callers, as far as this process knows. Holds the lock. */
    abstract Position positionNow();

    /** Whether nothing was asked of this supply since the last look. */
    abstract boolean isIdle();

    /** Takes everything out of memory. Holds the lock. */
    abstract Held takeInHand();

    /** Goes on with what an exclusive operation has left. Holds the lock. */
    abstract void putBack(Held left);

    /** The operation is over, and calls may be waiting for the next. Holds the lock. */
    abstract void goOn();

    /** Calls that wait for a write to begin get nothing more from here. Holds the lock. */
    abstract void refuseWaiting(RuntimeException reason);

    /** Tells the calls that the last write was for why it has brought nothing. Holds the lock. */
    abstract void failed(RuntimeException reason);

    final String name() {
        return name;
    }

    final long sequenceId() {
        return key.sequenceId();
    }

    final Contract contract() {
        return contract;
    }

    /** The definition as it was last read or written. */
    final Shown shown() {
        Stored now = stored;
        Shown last = shown;
        if (last == null || !last.row().mark().equals(now.row().mark())) {
            last = new Shown(
                    now.row(),
                    now.definition().asWish(),
                    !now.definition().format().isEmpty());
            shown = last;
        }
        return last;
    }

    /** A definition row and the definition that it says, made once for many who ask. */
    record Shown(DefinitionRow row, SequenceDefinition definition, boolean hasFormat) {}

    /** How many values were passed over: rests too short for a call, and what could not be given back. */
    final long skipped() {
        return skipped.here();
    }

    /** Whether the sequence was dropped, or this supply closed. */
    final boolean isOver() {
        return locked(() -> life != Life.OPEN);
    }

    /** Whether this supply has come to its end: nothing that it had is on its way to the store any more. */
    final boolean isClosed() {
        return locked(() -> life == Life.DROPPED || life == Life.CLOSED);
    }

    /** What there is to know, given the position of the last value returned. */
    final SequenceState state(Stored now, Position position) {
        return now.state(position).withDaysLeft(locked(() -> pace.daysLeft(environment.nanoTime(), now, position)));
    }

    /** What there is to warn of, from what is in memory; needs no lock where warnAt is not given. */
    final Optional<Warning> warning() {
        return stored.definition().warnAt().isEmpty() ? Optional.empty() : locked(this::warningNow);
    }

    private Optional<Warning> warningNow() {
        Position position = positionNow();
        OptionalLong warnAt = stored.definition().warnAt();
        return stored.remaining(position)
                .filter(left -> life == Life.OPEN
                        && warnAt.isPresent()
                        && left.compareTo(BigInteger.valueOf(warnAt.getAsLong())) <= 0)
                .map(left -> new Warning(
                        name,
                        key.scope(),
                        key.period(),
                        left.longValueExact(),
                        warnAt.getAsLong(),
                        pace.daysLeft(environment.nanoTime(), stored, position)));
    }

    // ---- everything that needs the sequence to itself

    /** Changes definition and position; the edit is shown the position of the last value returned. */
    final SequenceState alter(CounterWriter.Edit edit, Author author) {
        Stored altered = patiently(held -> outcome(writer.alter(held.stored(), held.lowest(), edit, author), held));
        return state(altered, altered.position());
    }

    /** Says something of single numbers; what is in memory goes back first, for it is none that was handed out. */
    final void post(CounterWriter.PostingEdit edit, AuditEntry.Action action, Author author) {
        Stored unused =
                patiently(held -> outcome(writer.post(held.stored(), held.lowest(), edit, action, author), held));
    }

    /** Of a change that empties the memory. */
    private Outcome<CounterWriter.Changed> outcome(CounterWriter.Changed changed, Held held) {
        if (!(changed instanceof CounterWriter.Done done)) {
            return Outcome.answered(asOf(changed, held), changed);
        }
        skipped.add(done.fromLast() ? held.countBelowLowest() : held.count());
        return Outcome.answered(new Held(done.stored(), done.stored().position(), List.of()), changed);
    }

    /** What the ledger says. */
    final <T> T told(BiFunction<Ledger, Account, T> question) {
        Stored known = locked(this::stored);
        return calls.read(() -> {
            Stored now = writer.reread(known);
            return question.apply(writer.ledger(now), now.account());
        });
    }

    /**
     * Shows every entry of the ledger in order, up to the end that the account knows. Each page is a call to the store
     * of its own, for a ledger of any length has to be read, and a call has only so long.
     */
    final void readLedger(Account account, Consumer<LedgerEntry> visitor) {
        Ledger ledger = writer.ledger(locked(this::stored));
        long end = account.head().entries();
        long index = 0;
        while (index < end) {
            long after = index;
            int limit = (int) Math.min(Ledger.PAGE, end - after);
            List<LedgerEntry> page = calls.read(() -> ledger.list(after, limit));
            page.stream().filter(entry -> entry.index() <= end).forEach(visitor);
            index = page.isEmpty() ? end : page.get(page.size() - 1).index();
        }
    }

    /** The counter as the store has it. */
    final CounterState counterState() {
        Stored known = locked(this::stored);
        return calls.read(() -> CounterState.of(writer.reread(known)));
    }

    /** Refuses an edit that the counter as the store has it would refuse; changes nothing. */
    final void requirePossible(CounterWriter.Edit edit) {
        Position unused = positionAfter(edit);
    }

    /** Where an edit would put the counter as the store has it; changes nothing. */
    final Position positionAfter(CounterWriter.Edit edit) {
        Stored known = locked(this::stored);
        return calls.read(() -> {
            Stored now = writer.reread(known);
            return edit.edit(now, now.position()).position();
        });
    }

    /** Takes a node off the list of those that may have values in memory. */
    final SequenceState declareGone(String node, Author author) {
        return exclusively(ErrorCode.OUTCOME_UNKNOWN, held -> {
            Stored now = writer.declareGone(held.stored(), node, author);
            Held left = asOf(now, held);
            return Outcome.answered(left, state(now, left.position()));
        });
    }

    /** Leaves a tombstone. */
    final void drop(Author author) {
        patiently(held -> {
            CounterWriter.Changed changed = writer.drop(held.stored(), held.lowest(), author);
            return changed instanceof CounterWriter.Done done
                    ? Outcome.dropped(new Held(done.stored(), done.stored().position(), List.of()), changed)
                    : Outcome.answered(asOf(changed, held), changed);
        });
    }

    /**
     * Tries a change again until the other nodes have given back what they have, as long as a call may wait. Each try
     * has its own wait for the store: one that begins late must not be broken off in the middle, and leave a recall
     * behind that keeps everybody from taking values until it lapses.
     */
    private Stored patiently(ExclusiveOperation<CounterWriter.Changed> change) {
        long deadline = deadline();
        for (; ; ) {
            CounterWriter.Changed changed = exclusively(ErrorCode.OUTCOME_UNKNOWN, change);
            if (changed instanceof CounterWriter.Done done) {
                return done.stored();
            }
            if (changed instanceof CounterWriter.WaitsFor waits && environment.nanoTime() >= deadline) {
                exclusively(ErrorCode.BUSY, held -> {
                    Stored now = writer.withdrawRecall(held.stored());
                    return Outcome.answered(asOf(now, held), now);
                });
                throw writer.heldBy(waits.others());
            }
            pause(deadline);
        }
    }

    private Held asOf(CounterWriter.Changed changed, Held held) {
        return changed instanceof CounterWriter.WaitsFor waits ? asOf(waits.stored(), held) : held;
    }

    /**
     * What is in hand, with what is known of the store now; values of a generation that is over, or
     * printed by another definition, are burnt.
     */
    private Held asOf(Stored now, Held held) {
        boolean sameGeneration =
                now.counter().generation() == held.stored().counter().generation();
        if (sameGeneration && isOfOneDefinition(now, held.stored())) {
            return new Held(now, held.position(), held.runs());
        }
        lose(held);
        return new Held(now, sameGeneration ? held.position() : now.position(), List.of());
    }

    /** Whether the values taken under one are printed like those taken under the other. */
    static boolean isOfOneDefinition(Stored one, Stored other) {
        return one.row().generation() == other.row().generation();
    }

    private void pause(long deadline) {
        inLock(() -> {
            long until = Math.min(deadline, environment.nanoTime() + PAUSE_NANOS);
            while (awaitMore(until)) {}
        });
    }

    /**
     * Gives back what is in memory if the sequence was changed elsewhere, or is about to be. Waits for the store.
     *
     * @throws SequenceException if that could not be found out, or not be done
     */
    final void meetChange() {
        Optional<Stored> at = locked(() -> life == Life.OPEN ? Optional.of(stored) : Optional.empty());
        if (at.isEmpty()) {
            return;
        }
        if (contract == Contract.FAST && (!locked(this::isFree) || writer.isListed(at.get()))) {
            giveBackIfWanted(at.get());
        } else {
            learnDefinition(at.get());
        }
    }

    /**
     * A change of a sequence is seen by the next write of its own counter, whose row it writes. Where there is a format,
     * that counter may never be written, and the others have rows of their own: they would go on for ever by the definition
     * that they were opened with.
     */
    private void learnDefinition(Stored known) {
        if (!writer.hasDefinition(known)) {
            exclusively(ErrorCode.BUSY, held -> Outcome.answered(asOf(writer.reread(held.stored()), held), true));
        }
    }

    private void giveBackIfWanted(Stored known) {
        if (locked(this::isFree) && !writer.isWantedBack(known)) {
            return;
        }
        exclusively(ErrorCode.BUSY, held -> {
            if (!writer.isWantedBack(held.stored())) {
                return Outcome.answered(held, true);
            }
            CounterWriter.GivenBack back = writer.giveBack(held);
            skipped.add(back.returned() ? held.countBelowLowest() : held.count());
            Stored now = learned(back.stored());
            boolean sameGeneration =
                    now.counter().generation() == held.position().generation();
            Position position = sameGeneration ? held.position() : now.position();
            return Outcome.answered(new Held(now, position, List.of()), true);
        });
    }

    /** With the definition as it is now. If it cannot be read the values are given back all the same; the next call asks. */
    private Stored learned(Stored known) {
        try {
            return writer.reread(known);
        } catch (SequenceException e) {
            inLock(() -> lastFailure = e);
            return known;
        }
    }

    /** Ends this supply, of whose sequence a call has found out that another process has dropped it. */
    final void endDropped() {
        inLock(() -> {
            if (life == Life.OPEN && isFree()) { // else what is under way finds out too
                end(Life.DROPPED);
                lose(takeInHand());
                wake();
            }
        });
    }

    /**
     * Runs an operation that has the sequence to itself.
     *
     * @param whenLate what to tell a caller who has waited in vain for an operation that was begun
     */
    final <T> T exclusively(ErrorCode whenLate, ExclusiveOperation<T> task) {
        long deadline = deadline();
        lock.lock();
        try {
            awaitTurn(deadline);
            operation = Operation.EXCLUSIVE;
            Held held = takeInHand();
            Pending<T> pending = new Pending<>();
            try {
                environment.executor().execute(() -> runExclusive(task, held, pending));
            } catch (RejectedExecutionException e) {
                endExclusive(held);
                throw noTurn(e);
            }
            while (pending.outcome == null) {
                try {
                    await(deadline);
                } catch (StoreUnavailableException e) {
                    if (pending.outcome == null) { // else it came in the moment in which the wait was broken off
                        pending.abandoned = true;
                        throw new StoreUnavailableException(whenLate, String.valueOf(e.getMessage()), e);
                    }
                }
            }
            return pending.outcome.answerOrThrow();
        } finally {
            lock.unlock();
        }
    }

    private void awaitTurn(long deadline) {
        requireOpen();
        turnsWanted++;
        wake();
        boolean granted = false;
        try {
            while (operation != Operation.NONE) {
                await(deadline);
                requireOpen();
            }
            granted = true;
        } finally {
            turnsWanted--;
            if (!granted && isFree() && isOpen()) {
                goOn(); // nothing was begun for those who wait, because of the turn that was wanted
            }
        }
    }

    private <T> void runExclusive(ExclusiveOperation<T> task, Held held, Pending<T> pending) {
        Outcome<T> outcome;
        try {
            outcome = task.run(held);
        } catch (RuntimeException | Error e) {
            outcome = Outcome.failed(burntIfInDoubt(held, e), expected(e));
        }
        lock.lock();
        try {
            if (pending.abandoned) {
                outcome = task.undone(outcome);
            }
            pending.outcome = outcome;
            if (life == Life.OPEN && outcome.dropped()) {
                end(Life.DROPPED);
            }
            endExclusive(outcome.left());
        } finally {
            lock.unlock();
        }
    }

    /** After a change that may or may not be in force, nor may the values in memory come out. */
    private Held burntIfInDoubt(Held held, Throwable failure) {
        boolean certain = failure instanceof SequenceException e && e.code() != ErrorCode.OUTCOME_UNKNOWN;
        if (certain) {
            return held;
        }
        lose(held);
        return new Held(held.stored(), held.position(), List.of());
    }

    private void endExclusive(Held left) {
        adopt(left.stored());
        if (life == Life.OPEN && stored.definition().contract() != contract) {
            end(Life.CLOSING);
        }
        putBack(left);
        endOperation();
    }

    // ---- the end

    /** Refuses new calls and begins to give unused values back; does not wait. */
    final void beginClose() {
        inLock(() -> {
            if (life == Life.OPEN) {
                end(Life.CLOSING);
                if (operation == Operation.NONE) {
                    beginGiveBack();
                }
                wake();
            } else if (life == Life.DROPPED) {
                ended(Life.CLOSED);
            }
        });
    }

    /**
     * Begins to close if nothing was asked since the last look and no call is under way.
     *
     * @param evenIfUsed whether to do so as well if something was asked since
     */
    final boolean beginCloseAtRest(boolean evenIfUsed) {
        return locked(() -> {
            boolean rests = isIdle();
            if (life != Life.OPEN || !rests && !(evenIfUsed && isFree() && turnsWanted == 0)) {
                return false;
            }
            beginClose();
            return true;
        });
    }

    /**
     * Waits until unused values are back in the store.
     *
     * @throws StoreUnavailableException BUSY at the deadline: it is on its way to its end still. Another supply in its
     *     place could be struck off the list of holders by what this one has under way
     */
    final void awaitClosed(long deadlineNanos) {
        inLock(() -> {
            while (life == Life.CLOSING) {
                await(deadlineNanos);
            }
        });
    }

    /** Waits like {@link #awaitClosed}, and says whether the end has come. */
    final boolean isClosedBy(long deadlineNanos) {
        try {
            awaitClosed(deadlineNanos);
            return true;
        } catch (StoreUnavailableException late) {
            return false;
        }
    }

    /**
     * Waits at the end of the process's work, when no other supply takes the place of this one. Past the deadline unused
     * values are skipped, as after a crash. May be called twice.
     */
    final void closeBy(long deadlineNanos) {
        if (!isClosedBy(deadlineNanos)) {
            inLock(() -> {
                lose(takeInHand());
                ended(Life.CLOSED);
            });
        }
    }

    private void beginGiveBack() {
        operation = Operation.EXCLUSIVE;
        Held held = takeInHand();
        if (held.runs().isEmpty() && !writer.isListed(held.stored())) {
            closed();
            return;
        }
        try {
            environment.executor().execute(() -> giveBack(held));
        } catch (RejectedExecutionException e) {
            lose(held);
            closed();
        }
    }

    private void giveBack(Held held) {
        boolean returned = false;
        try {
            returned = writer.giveBack(held).returned();
        } catch (SequenceException e) {
            inLock(() -> lastFailure = e);
        } finally {
            long lost = returned ? held.countBelowLowest() : held.count();
            inLock(() -> {
                skipped.add(lost);
                closed();
            });
        }
    }

    private void closed() {
        operation = Operation.NONE;
        ended(Life.CLOSED);
        wake();
    }

    private void ended(Life now) {
        life = now;
        ended.run();
    }

    // ---- for the subclasses; all of it holds the lock

    final void lose(Held held) {
        skipped.add(held.count());
    }

    final Stored stored() {
        return stored;
    }

    /** Takes over what the store holds now. */
    void adopt(Stored now) {
        stored = now;
    }

    final boolean isOpen() {
        return life == Life.OPEN;
    }

    final boolean isFree() {
        return operation == Operation.NONE;
    }

    final boolean isTurnWanted() {
        return turnsWanted > 0;
    }

    /** Begins to take values from the store. */
    final void beginTake(Runnable task) {
        operation = Operation.TAKE;
        try {
            environment.executor().execute(task);
        } catch (RejectedExecutionException e) {
            takeFailed(noTurn(e));
        }
    }

    /** Values could not be taken: those who wait are told, and a supply that no longer fits its sequence ends. */
    final void takeFailed(Throwable failure) {
        if (failure instanceof CounterWriter.OtherContract) {
            if (life == Life.OPEN) {
                end(Life.CLOSING);
            }
            failed(new Gone());
        } else {
            lastFailure = expected(failure);
            if (life == Life.OPEN && failure instanceof SequenceNotFoundException) {
                end(Life.DROPPED);
                lose(takeInHand()); // no value of a dropped sequence after this
            }
            failed(lastFailure);
        }
        endOperation();
    }

    final void endOperation() {
        operation = Operation.NONE;
        if (life == Life.CLOSING) {
            beginGiveBack();
        } else if (life == Life.OPEN) {
            goOn();
        }
        wake();
    }

    private void end(Life now) {
        if (now == Life.DROPPED) {
            ended(now);
        }
        life = now;
        over().ifPresent(this::refuseWaiting);
    }

    final @Nullable SequenceException lastFailure() {
        return lastFailure;
    }

    final void requireOpen() {
        Optional<RuntimeException> over = over();
        if (over.isPresent()) {
            throw over.get();
        }
    }

    /** What calls are told once this supply hands out nothing more. */
    private Optional<RuntimeException> over() {
        return switch (life) {
            case OPEN -> Optional.empty();
            case DROPPED -> Optional.of(new SequenceNotFoundException(name));
            case CLOSING, CLOSED -> Optional.of(new Gone());
        };
    }

    /** Waits while an operation has the sequence to itself. */
    final void awaitCalm() {
        long deadline = deadline();
        requireOpen();
        while (operation == Operation.EXCLUSIVE) {
            await(deadline);
            requireOpen();
        }
    }

    final long deadline() {
        return environment.nanoTime() + maxWaitNanos;
    }

    /** Wakes those who wait for something to change. */
    final void wake() {
        changed.signalAll();
    }

    /** Waits for a change, without fail; says whether the time is not up. */
    @SuppressWarnings("WaitNotInLoop") // every caller loops over its own condition
    final boolean awaitMore(long deadline) {
        long left = deadline - environment.nanoTime();
        try {
            return left > 0 && changed.awaitNanos(left) > 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @SuppressWarnings("WaitNotInLoop") // every caller loops over its own condition
    final void await(long deadline) {
        long left = deadline - environment.nanoTime();
        if (left <= 0) {
            throw late();
        }
        try {
            long unused = changed.awaitNanos(left);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    // ---- needs no lock

    final StoreUnavailableException late() {
        return new StoreUnavailableException(
                ErrorCode.BUSY,
                "the store has not answered for sequence " + name + " within "
                        + TimeUnit.NANOSECONDS.toMillis(maxWaitNanos) + " ms");
    }

    final StoreUnavailableException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new StoreUnavailableException(
                ErrorCode.BUSY, "interrupted while waiting for the store of sequence " + name, e);
    }

    private StoreUnavailableException noTurn(RejectedExecutionException e) {
        return new StoreUnavailableException(
                ErrorCode.BUSY, "too many calls wait for the store; sequence " + name + " got no turn", e);
    }

    private SequenceException expected(Throwable e) {
        return e instanceof SequenceException already
                ? already
                : new StoreUnavailableException(
                        ErrorCode.STORE_UNAVAILABLE, "the store failed unexpectedly for sequence " + name, e);
    }

    final <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    final void inLock(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }
}
