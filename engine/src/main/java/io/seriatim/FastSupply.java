package io.seriatim;

import io.seriatim.ExclusiveOperation.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the values of one sequence under the contract {@code fast}: unique, and in strict order within
 * the process.
 *
 * <p>Safe for use by many threads. No caller waits longer than {@code maxWait} for the store, whatever the
 * store does; a caller that waits in vain gets an exception and no value.
 */
final class FastSupply {

    /*
     * Two halves. The hot half is one volatile read of the open block and one atomic add in it. The cold half
     * is a state machine under one lock: runs that were fetched and wait (ahead), and at most one operation
     * with the store at a time.
     *
     * An operation owns the dialogue with the store from the moment that `operation` is set until it is NONE
     * again; it calls the store without the lock, on a thread of the environment, and takes the lock only to
     * hand in what came of it. There are two kinds:
     *
     *   FETCH      takes the next run while callers go on with the open block; they wait only when it is
     *              used up. Its run joins the end of `ahead`.
     *   EXCLUSIVE  alter, drop, give back, and taking many values at once. It first fences the open block and
     *              takes everything in memory into its hands, so that it alone knows the last value returned;
     *              callers wait until it has put back what is left.
     *
     * Order: `open` is replaced only when its cursor is past its end or fenced, and only by the head of
     * `ahead`, whose runs are in the order in which they were taken from the store.
     *
     * Nothing is lost by an error: an exclusive operation that fails puts back exactly what it took in hand,
     * and what it has taken from the store since. The one exception is a change whose outcome is unknown: it
     * may have set the mark back below values that are still in memory, so these are burnt.
     *
     * A caller that gives up takes nothing with it: while it waits it holds no valid ticket, and values taken
     * for a caller that is gone are put back.
     */

    private enum Operation {
        NONE,
        FETCH,
        EXCLUSIVE
    }

    private enum Life {
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

    /** The end of an exclusive operation on its way to the caller; guarded by the lock. */
    private static final class Pending<T> {
        private @Nullable Outcome<T> outcome;
        private boolean abandoned;
    }

    /** Larger calls go by the lock: so the cursor of a block cannot overflow. */
    private static final long LARGEST_BY_TICKET = 1L << 20;

    private final String name;
    private final long sequenceId;
    private final CounterWriter writer;
    private final Environment environment;
    private final long maxWaitNanos;
    private final AtomicLong skipped = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();
    /** Signalled whenever anything below changes. */
    private final Condition changed = lock.newCondition();

    /** Written under the lock. */
    private volatile OpenBlock open = OpenBlock.NONE;

    // Guarded by the lock:

    private final Deque<Run> ahead = new ArrayDeque<>();
    private Stored stored;
    private BlockSize blockSize;
    /** Where the counter stands for callers while no block is open. */
    private Position position;

    /** How many values were handed out before the open block. */
    private long issuedBefore;

    private Operation operation = Operation.NONE;
    private Life life = Life.OPEN;
    /** Counts fetches that failed, so that a waiting caller can tell a failure that came after it. */
    private long failedFetches;

    private @Nullable SequenceException lastFailure;
    /** Where the open block stood at the last look of {@link #isIdle()}. */
    private @Nullable Position lastLook;

    FastSupply(Stored stored, CounterWriter writer, Environment environment, long maxWaitNanos) {
        this.name = stored.row().name();
        this.sequenceId = stored.row().sequenceId();
        this.stored = stored;
        this.position = stored.position();
        this.blockSize = new BlockSize(stored.definition().cache());
        this.writer = writer;
        this.environment = environment;
        this.maxWaitNanos = maxWaitNanos;
    }

    // ---- the hot half

    long next() {
        OpenBlock block = open;
        long ticket = block.take(1);
        if (ticket < block.softCount()) {
            return block.valueAt(ticket);
        }
        if (ticket < block.count()) {
            seeToNextBlock(block);
            return block.valueAt(ticket);
        }
        return awaitDraw(1, Shape.ACROSS_WRAPS).blocks().get(0).first();
    }

    /** Takes {@code count} values in the given shape, all or nothing. */
    Draw draw(long count, Shape shape) {
        OpenBlock block = open;
        if (count <= Math.min(LARGEST_BY_TICKET, block.count())) {
            long ticket = block.take(count);
            if (ticket < block.count()) {
                if (count <= block.count() - ticket) {
                    return drawn(block, ticket, count);
                }
                reopenRest(block, ticket);
            }
        }
        return awaitDraw(count, shape);
    }

    /** Takes {@code count} values if they lie in memory in one block; never waits. */
    Optional<Draw> tryDraw(long count) {
        OpenBlock block = open;
        OptionalLong ticket = block.tryTake(count);
        return ticket.isPresent() ? Optional.of(drawn(block, ticket.getAsLong(), count)) : Optional.empty();
    }

    private Draw drawn(OpenBlock block, long ticket, long count) {
        if (ticket + count > block.softCount()) {
            seeToNextBlock(block);
        }
        return new Draw(block.generation(), List.of(block.block(ticket, count)));
    }

    // ---- the cold half: waiting for values

    private Draw awaitDraw(long count, Shape shape) {
        long deadline = environment.nanoTime() + maxWaitNanos;
        lock.lock();
        try {
            long failuresSeen = failedFetches;
            for (; ; ) {
                requireOpen();
                Optional<Draw> draw = tryDraw(count);
                if (draw.isPresent()) {
                    return draw.get();
                }
                boolean usedUp = open.taken() == open.count();
                if (usedUp && openNext()) {
                    continue;
                }
                if (failedFetches != failuresSeen && lastFailure != null) {
                    throw lastFailure.again();
                }
                if (operation != Operation.NONE) {
                    await(deadline);
                } else if (usedUp) {
                    beginFetch(count);
                } else { // too few values are left here: this needs what lies behind them as well
                    Draw gathered = exclusively(ErrorCode.BUSY, drawFromStore(count, shape));
                    issuedBefore += gathered.count();
                    return gathered;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private DrawFromStore drawFromStore(long count, Shape shape) {
        return new DrawFromStore(name, writer, count, shape, sizeOfNextBlock(), skipped);
    }

    /** Replaces the used-up block by the next run, if there is one. Holds the lock. */
    private boolean openNext() {
        Run next = ahead.poll();
        if (next == null) {
            return false;
        }
        open(next);
        return true;
    }

    private void open(Run run) {
        issuedBefore += open.taken();
        OpenBlock block = new OpenBlock(run, blockSize.refillAt(run.block().count()));
        if (!ahead.isEmpty()) {
            block.refillSeenTo();
        }
        open = block;
    }

    /** Called by whoever draws a ticket near the end. Never waits: if the lock is taken, a later caller comes by. */
    private void seeToNextBlock(OpenBlock block) {
        if (lock.tryLock()) {
            try {
                if (block == open && life == Life.OPEN) {
                    block.refillSeenTo();
                    if (operation == Operation.NONE && ahead.isEmpty()) {
                        beginFetch(1);
                    }
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private long sizeOfNextBlock() {
        return blockSize.next(environment.nanoTime(), issuedBefore + open.taken());
    }

    /**
     * Holds the lock.
     *
     * @param least how many values someone waits for
     */
    private void beginFetch(long least) {
        operation = Operation.FETCH;
        Stored from = stored;
        long count = Math.max(least, sizeOfNextBlock());
        try {
            environment.executor().execute(() -> fetch(from, count));
        } catch (RejectedExecutionException e) {
            fetchFailed(noTurn(e));
        }
    }

    private void fetch(Stored from, long count) {
        try {
            CounterWriter.Claim claim = writer.claim(from, 1, count);
            inLock(() -> {
                adopt(claim.stored());
                ahead.addAll(claim.runs());
                endOperation();
            });
        } catch (RuntimeException | Error e) {
            inLock(() -> fetchFailed(expected(e)));
        }
    }

    private void fetchFailed(SequenceException failure) {
        failedFetches++;
        lastFailure = failure;
        if (failure instanceof SequenceNotFoundException && life == Life.OPEN) {
            life = Life.DROPPED;
            loseInHand(takeInHand()); // no value of a dropped sequence after this
        }
        endOperation();
    }

    /** Takes over what the store holds now. Holds the lock. */
    private void adopt(Stored now) {
        if (!now.definition().cache().equals(stored.definition().cache())) {
            blockSize = new BlockSize(now.definition().cache());
        }
        stored = now;
    }

    /** Holds the lock. */
    private void endOperation() {
        operation = Operation.NONE;
        if (life == Life.CLOSING) {
            beginGiveBack();
        }
        changed.signalAll();
    }

    // ---- the cold half: everything that needs the sequence to itself

    /** Gives the end of a used-up block back to those who come, if no later value is out yet. */
    private void reopenRest(OpenBlock block, long ticket) {
        inLock(() -> {
            if (block == open) {
                issuedBefore -= block.count() - ticket; // these only seem to be taken
                open(block.run().from(ticket));
            } else {
                skipped.addAndGet(block.count() - ticket);
            }
        });
    }

    /** Changes definition and position; the edit is shown the position of the last value returned. */
    SequenceState alter(CounterWriter.Edit edit) {
        return exclusively(ErrorCode.OUTCOME_UNKNOWN, held -> {
            Stored now = writer.alter(held.stored(), held.position(), edit);
            return Outcome.answered(new Held(now, now.position(), List.of()), now.state(now.position()));
        });
    }

    /** Leaves a tombstone. */
    void drop() {
        exclusively(ErrorCode.OUTCOME_UNKNOWN, held -> {
            Stored now = writer.drop(held.stored(), held.position());
            return Outcome.dropped(new Held(now, now.position(), List.of()), now.row());
        });
    }

    /**
     * Runs an operation that has the sequence to itself.
     *
     * @param whenLate what to tell a caller who has waited in vain for an operation that was begun
     */
    private <T> T exclusively(ErrorCode whenLate, ExclusiveOperation<T> task) {
        long deadline = environment.nanoTime() + maxWaitNanos;
        lock.lock();
        try {
            requireOpen();
            while (operation != Operation.NONE) {
                await(deadline);
                requireOpen();
            }
            operation = Operation.EXCLUSIVE;
            Held held = takeInHand();
            Pending<T> pending = new Pending<>();
            try {
                environment.executor().execute(() -> runExclusive(task, held, pending));
            } catch (RejectedExecutionException e) {
                putBack(held);
                throw noTurn(e);
            }
            while (pending.outcome == null) {
                try {
                    await(deadline);
                } catch (StoreUnavailableException e) {
                    pending.abandoned = true;
                    throw new StoreUnavailableException(whenLate, String.valueOf(e.getMessage()), e);
                }
            }
            return pending.outcome.answerOrThrow();
        } finally {
            lock.unlock();
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
                life = Life.DROPPED;
            }
            putBack(outcome.left());
        } finally {
            lock.unlock();
        }
    }

    /** After a change that may or may not be in force, nor may the values in memory come out. */
    private static Held burntIfInDoubt(Held held, Throwable failure) {
        boolean certain = failure instanceof SequenceException e && e.code() != ErrorCode.OUTCOME_UNKNOWN;
        return certain ? held : new Held(held.stored(), held.position(), List.of());
    }

    /** Fences the open block and empties the memory. Holds the lock. */
    private Held takeInHand() {
        OpenBlock block = open;
        long taken = block.fence();
        List<Run> runs = new ArrayList<>();
        if (!block.isNone()) {
            position = block.run().after(taken);
            if (taken < block.count()) {
                runs.add(block.run().from(taken));
            }
        }
        runs.addAll(ahead);
        ahead.clear();
        issuedBefore += taken;
        open = OpenBlock.NONE;
        return new Held(stored, position, runs);
    }

    /** Ends an exclusive operation. Holds the lock. */
    private void putBack(Held left) {
        adopt(left.stored());
        position = left.position();
        ahead.addAll(left.runs());
        if (life == Life.OPEN) {
            openNext();
        }
        endOperation();
    }

    // ---- the end

    /** Refuses new calls and begins to give unused values back; does not wait. */
    void beginClose() {
        inLock(() -> {
            if (life == Life.OPEN) {
                life = Life.CLOSING;
                if (operation == Operation.NONE) {
                    beginGiveBack();
                }
                changed.signalAll();
            } else if (life == Life.DROPPED) {
                life = Life.CLOSED;
            }
        });
    }

    /**
     * Waits until unused values are back in the store, at most until the deadline; past it they are skipped, as
     * after a crash. May be called twice.
     */
    void awaitClosed(long deadlineNanos) {
        lock.lock();
        try {
            while (life == Life.CLOSING) {
                await(deadlineNanos);
            }
        } catch (StoreUnavailableException e) {
            life = Life.CLOSED;
            loseInHand(takeInHand());
        } finally {
            lock.unlock();
        }
    }

    /** Holds the lock. */
    private void beginGiveBack() {
        operation = Operation.EXCLUSIVE;
        Held held = takeInHand();
        if (held.position().equals(held.stored().position())) {
            closed();
            return;
        }
        try {
            environment.executor().execute(() -> giveBack(held));
        } catch (RejectedExecutionException e) {
            loseInHand(held);
            closed();
        }
    }

    private void giveBack(Held held) {
        boolean returned = false;
        try {
            returned = writer.giveBack(held.stored(), held.position());
        } catch (SequenceException e) {
            inLock(() -> lastFailure = e);
        } finally {
            long lost = returned ? 0 : held.count();
            inLock(() -> {
                skipped.addAndGet(lost);
                closed();
            });
        }
    }

    private void loseInHand(Held held) {
        skipped.addAndGet(held.count());
    }

    private void closed() {
        operation = Operation.NONE;
        life = Life.CLOSED;
        changed.signalAll();
    }

    // ---- looking

    SequenceState state() {
        return locked(() -> {
            awaitCalm();
            return stored.state(positionNow());
        });
    }

    /** The value that comes next if nobody else takes one before. Writes nothing. */
    long peek() {
        return locked(() -> {
            awaitCalm();
            OpenBlock block = open;
            long taken = block.taken();
            if (taken < block.count()) {
                return block.valueAt(taken);
            }
            Run next = ahead.peek();
            if (next != null) {
                return next.block().first();
            }
            Progression progression = stored.definition().progression();
            return progression
                    .after(stored.position(), 1)
                    .orElseThrow(
                            () -> new SequenceExhaustedException(name, progression.limit(), progression.limitValue()))
                    .block()
                    .first();
        });
    }

    /** How many values were passed over: rests too short for a call, and what could not be given back. */
    long skipped() {
        return skipped.get();
    }

    String name() {
        return name;
    }

    long sequenceId() {
        return sequenceId;
    }

    /** Whether nothing was handed out since the last look. */
    boolean isIdle() {
        return locked(() -> {
            Position now = positionNow();
            boolean idle = operation == Operation.NONE && now.equals(lastLook);
            lastLook = now;
            return idle;
        });
    }

    /** Whether the sequence was dropped, or this supply closed. */
    boolean isOver() {
        return locked(() -> life != Life.OPEN);
    }

    private Position positionNow() {
        OpenBlock block = open;
        return block.isNone() ? position : block.run().after(block.taken());
    }

    private void awaitCalm() {
        long deadline = environment.nanoTime() + maxWaitNanos;
        requireOpen();
        while (operation == Operation.EXCLUSIVE) {
            await(deadline);
            requireOpen();
        }
    }

    // ---- waiting and failing

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    private void inLock(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    // The rest holds the lock.

    private void requireOpen() {
        switch (life) {
            case OPEN -> {}
            case DROPPED -> throw new SequenceNotFoundException(name);
            case CLOSING, CLOSED -> throw new Gone();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // every caller loops over its own condition
    private void await(long deadline) {
        long left = deadline - environment.nanoTime();
        if (left <= 0) {
            throw new StoreUnavailableException(
                    ErrorCode.BUSY,
                    "the store has not answered for sequence " + name + " within "
                            + TimeUnit.NANOSECONDS.toMillis(maxWaitNanos) + " ms");
        }
        try {
            long unused = changed.awaitNanos(left);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException(
                    ErrorCode.BUSY, "interrupted while waiting for the store of sequence " + name, e);
        }
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
}
