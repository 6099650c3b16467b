package io.seriatim;

import io.seriatim.store.IdempotencyRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the values of one sequence under the contract {@code fast}: unique, and in strict order within
 * the process.
 */
final class FastSupply extends Supply {

    /*
     * Two halves. The hot half is one volatile read of the open block and one atomic add in it. The cold half
     * keeps runs that were fetched and wait (ahead), and fetches the next one, as the one operation with the
     * store, while callers go on with the open block; they wait only when it is used up.
     *
     * Order: `open` is replaced only when its cursor is past its end or fenced, and only by the head of
     * `ahead`, whose runs are in the order in which they were taken from the store.
     *
     * While a caller waits it holds no valid ticket.
     */

    /** Larger calls go by the lock: so the cursor of a block cannot overflow. */
    private static final long LARGEST_BY_TICKET = 1L << 20;

    /** Written under the lock. */
    private volatile OpenBlock open = OpenBlock.NONE;

    // Guarded by the lock:

    private final Deque<Run> ahead = new ArrayDeque<>();
    private BlockSize blockSize;
    /** Where the counter stands for callers while no block is open. */
    private Position position;

    /** How many values were handed out before the open block. */
    private long issuedBefore;
    /** Counts fetches that failed, so that a waiting caller can tell a failure that came after it. */
    private long failedFetches;
    /** Where the open block stood at the last look of {@link #isIdle()}. */
    private @Nullable Position lastLook;

    FastSupply(
            Stored stored,
            CounterWriter writer,
            Environment environment,
            long maxWaitNanos,
            Skipped skipped,
            Runnable ended) {
        super(stored, writer, environment, maxWaitNanos, skipped, ended);
        this.position = stored.position();
        this.blockSize = new BlockSize(stored.definition().cache());
    }

    // ---- the hot half

    @Override
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
        return awaitDraw(1, Shape.ACROSS_WRAPS, ANY_DEFINITION).blocks().get(0).first();
    }

    @Override
    Block block(long count, Shape shape) {
        Block values = take(open, count);
        return values != null
                ? values
                : awaitDraw(count, shape, ANY_DEFINITION).blocks().get(0);
    }

    @Override
    Draw draw(long count, Shape shape, long definition) {
        OpenBlock block = open;
        requireDefinition(definition); // read behind the block: it ends before another definition is known
        Block values = take(block, count);
        return values != null ? block.draw(values) : awaitDraw(count, shape, definition);
    }

    private void requireDefinition(long definition) {
        long known = stored().row().generation();
        if (definition != ANY_DEFINITION && definition != known) {
            throw new OtherDefinition(known > definition);
        }
    }

    /** Takes values if the block holds enough; null if not. */
    private @Nullable Block take(OpenBlock block, long count) {
        if (count > Math.min(LARGEST_BY_TICKET, block.count())) {
            return null;
        }
        long ticket = block.take(count);
        if (count <= block.count() - ticket) {
            return taken(block, ticket, count);
        }
        if (ticket < block.count()) {
            reopenRest(block, ticket);
        }
        return null;
    }

    @Override
    Optional<Draw> tryDraw(long count) {
        Optional<Draw> draw = drawFromOpenBlock(count);
        if (draw.isPresent() || !lock.tryLock()) {
            return draw;
        }
        try {
            return isOpen() && isUsedUp() && openNext() ? drawFromOpenBlock(count) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private Optional<Draw> drawFromOpenBlock(long count) {
        OpenBlock block = open;
        OptionalLong ticket = block.tryTake(count);
        return ticket.isPresent() ? Optional.of(block.draw(taken(block, ticket.getAsLong(), count))) : Optional.empty();
    }

    private Block taken(OpenBlock block, long ticket, long count) {
        if (ticket + count > block.softCount()) {
            seeToNextBlock(block);
        }
        return block.block(ticket, count);
    }

    /** The values are taken first: whoever then finds another answer kept gives them back. */
    @Override
    Draw drawOnce(Request request, long definition) {
        Draw draw = draw(request.count(), request.shape(), definition);
        try {
            IdempotencyRow kept =
                    calls.write("answer to a key of sequence " + name(), () -> writer.keep(request, draw));
            Draw answer = request.answerIn(kept);
            if (!answer.equals(draw)) {
                giveBack(draw);
            }
            return answer;
        } catch (SequenceException e) {
            if (e.code() == ErrorCode.OUTCOME_UNKNOWN) {
                skipped.add(draw.count()); // the answer may be kept: then these values are for its repetition
            } else {
                giveBack(draw);
            }
            throw e;
        }
    }

    @Override
    void giveBack(Draw rest) {
        if (!open.tryGiveBack(rest)) {
            inLock(() -> issuedBefore -= rest.count());
            super.giveBack(rest);
        }
    }

    // ---- the cold half: waiting for values

    private Draw awaitDraw(long count, Shape shape, long definition) {
        long deadline = deadline();
        lock.lock();
        try {
            long failuresSeen = failedFetches;
            for (; ; ) {
                requireOpen();
                requireDefinition(definition);
                Optional<Draw> draw = drawFromOpenBlock(count);
                if (draw.isPresent()) {
                    return draw.get();
                }
                boolean usedUp = isUsedUp();
                if (usedUp && openNext()) {
                    continue;
                }
                SequenceException failure = lastFailure();
                if (failedFetches != failuresSeen && failure != null) {
                    throw failure.again();
                }
                if (!isFree()) {
                    await(deadline);
                } else if (usedUp) {
                    beginFetch(count);
                } else { // too few values are left here: this needs what lies behind them as well
                    Draw gathered = exclusively(ErrorCode.BUSY, drawFromStore(count, shape));
                    return printable(gathered, definition);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** What was gathered may have been taken under more than one definition. */
    private Draw printable(Draw gathered, long definition) {
        try {
            requireDefinition(definition);
        } catch (OtherDefinition e) {
            skipped.add(gathered.count());
            throw e;
        }
        issuedBefore += gathered.count();
        return gathered;
    }

    private DrawFromStore drawFromStore(long count, Shape shape) {
        return new DrawFromStore(name(), writer, count, shape, sizeOfNextBlock(), skipped);
    }

    private boolean isUsedUp() {
        return open.taken() == open.count();
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

    /** The old block is fenced: a lease that is closed in this moment may have made its last tickets void again. */
    private void open(Run run) {
        long taken = open.fence();
        issuedBefore += taken;
        skipped.add(open.count() - taken);
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
                if (block == open && isOpen()) {
                    block.refillSeenTo();
                    if (isFree() && ahead.isEmpty()) {
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
        Stored from = stored();
        long count = Math.max(least, sizeOfNextBlock());
        beginTake(() -> fetch(from, count));
    }

    private void fetch(Stored from, long count) {
        try {
            CounterWriter.Claim<List<Run>> claim = writer.claim(from, CounterWriter.runs(1, count));
            inLock(() -> {
                if (claim.stored().counter().generation() != stored().counter().generation()
                        || !isOfOneDefinition(claim.stored(), stored())) {
                    lose(takeInHand()); // of a generation that is over, or printed by another definition
                }
                adopt(claim.stored());
                ahead.addAll(claim.values());
                endOperation();
            });
        } catch (RuntimeException | Error e) {
            inLock(() -> takeFailed(e));
        }
    }

    @Override
    void failed(RuntimeException reason) {
        failedFetches++;
    }

    @Override
    void adopt(Stored now) {
        if (!now.definition().cache().equals(stored().definition().cache())) {
            blockSize = new BlockSize(now.definition().cache());
        }
        super.adopt(now);
    }

    /** Those who wait look for themselves. */
    @Override
    void goOn() {}

    @Override
    void refuseWaiting(RuntimeException reason) {}

    /** Gives the end of a used-up block back to those who come, if no later value is out yet. */
    private void reopenRest(OpenBlock block, long ticket) {
        inLock(() -> {
            issuedBefore -= block.count() - ticket; // these only seem to be taken
            if (block == open) {
                open(block.run().from(ticket));
            } else {
                skipped.add(block.count() - ticket);
            }
        });
    }

    // ---- the cold half: in the hands of an exclusive operation

    /** Fences the open block and empties the memory. */
    @Override
    Held takeInHand() {
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
        return new Held(stored(), position, runs);
    }

    @Override
    void putBack(Held left) {
        position = left.position();
        ahead.addAll(left.runs());
        if (isOpen()) {
            openNext();
        }
    }

    // ---- looking

    @Override
    long issued() {
        return locked(() -> issuedBefore + open.taken());
    }

    @Override
    SequenceState state() {
        return locked(() -> {
            awaitCalm();
            return state(stored(), positionNow());
        });
    }

    @Override
    long peek() {
        return locked(() -> {
            awaitCalm();
            stored().account().requireNotClosed();
            OpenBlock block = open;
            long taken = block.taken();
            if (taken < block.count()) {
                return block.valueAt(taken);
            }
            Run next = ahead.peek();
            return next != null ? next.block().first() : stored().next();
        });
    }

    @Override
    boolean isIdle() {
        return locked(() -> {
            Position now = positionNow();
            boolean idle = isFree() && now.equals(lastLook);
            lastLook = now;
            return idle;
        });
    }

    @Override
    Position positionNow() {
        OpenBlock block = open;
        return block.isNone() ? position : block.run().after(block.taken());
    }
}
