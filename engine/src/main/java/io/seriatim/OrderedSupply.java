package io.seriatim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the values of one sequence under the contract {@code ordered}: every value is durable before it is
 * returned, and lies behind every value that was returned, by whatever process, before its call began.
 */
final class OrderedSupply extends Supply {

    /*
     * Calls wait in a queue. A write takes the calls that wait when it is sent, gives each its values and moves
     * the mark behind the last of them; calls that come later wait for the next write. So calls share the price
     * of a write, and nothing is ever taken that nobody has asked for.
     *
     * Why values rise in real time. A call that begins after a value v was returned enters the queue after the
     * write that took v had landed. Its own write is sent later still, over a revision at least as new, so its
     * values lie behind v. That holds over all processes, for they meet in the counter row. A write that was
     * refused, or whose outcome stayed unknown, is planned anew from what the store holds then, for the same
     * calls: no value of the lost plan was shown to anyone, and the row lets only one of the two plans in.
     *
     * Callers that were just answered mostly call again at once. Were the next write sent to those who happen to
     * be back first, two halves would take turns, and each write would serve only one of them. So a write is
     * held back until as many calls wait as the last one served and left behind, but no longer than half of what
     * a write takes; if they do not come, fewer are expected the next time.
     *
     * A caller that gives up takes itself out of the queue. If its values were already on their way they are
     * burnt: later calls may have got later ones.
     */

    /** So many calls wait for one sequence before the next is turned away; each is a caller's thread. */
    private static final int MAX_WAITING = 10_000;

    private static final long LONGEST_GATHERING_NANOS = 2_000_000;

    /** A thread of the environment writes so many groups in a row before it lets other sequences have a turn. */
    private static final int GROUPS_IN_A_ROW = 8;

    /** A call that waits for its values. */
    private static final class Waiting {
        final Group.Wish wish;
        /** Completed once: by the write, or by the caller who gives up. */
        final CompletableFuture<Draw> answer = new CompletableFuture<>();

        Waiting(Group.Wish wish) {
            this.wish = wish;
        }
    }

    private final AtomicLong issued = new AtomicLong();

    // Guarded by the lock:

    private final Deque<Waiting> queue = new ArrayDeque<>();
    /** The calls of the write under way. Read without the lock by the thread that writes. */
    private List<Waiting> sent = List.of();
    /** How many calls are likely to wait soon. */
    private int expected = 1;

    private long lastWriteNanos;
    /** What the counter was at the last look of {@link #isIdle()}. */
    private @Nullable Position lastLook;

    OrderedSupply(
            Stored stored,
            CounterWriter writer,
            Environment environment,
            long maxWaitNanos,
            Skipped skipped,
            Runnable ended) {
        super(stored, writer, environment, maxWaitNanos, skipped, ended);
    }

    // ---- callers

    @Override
    long next() {
        return draw(1, Shape.ACROSS_WRAPS).blocks().get(0).first();
    }

    @Override
    Draw draw(long count, Shape shape) {
        return draw(new Group.Wish(count, shape, Optional.empty()));
    }

    @Override
    Draw drawOnce(Request request) {
        return draw(new Group.Wish(request.count(), request.shape(), Optional.of(request)));
    }

    private Draw draw(Group.Wish wish) {
        long deadline = deadline();
        Waiting call = new Waiting(wish);
        join(call);
        try {
            return call.answer.get(deadline - environment.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return giveUp(call, late());
        } catch (InterruptedException e) {
            return giveUp(call, interrupted(e));
        } catch (ExecutionException e) {
            throw said(e);
        }
    }

    /** Each value costs a write, so there is never one in memory. */
    @Override
    Optional<Draw> tryDraw(long count) {
        return Optional.empty();
    }

    private void join(Waiting call) {
        inLock(() -> {
            requireOpen();
            call.wish.shape().requirePossible(name(), stored().definition().progression(), call.wish.count());
            if (queue.size() >= MAX_WAITING) {
                throw new StoreUnavailableException(
                        ErrorCode.BUSY, MAX_WAITING + " calls wait for sequence " + name() + " already");
            }
            queue.add(call);
            if (queue.size() >= expected) {
                wake();
            }
            goOn();
        });
    }

    /** Leaves the queue, or takes the answer that came in this moment after all. */
    private Draw giveUp(Waiting call, StoreUnavailableException reason) {
        return locked(() -> {
            if (call.answer.cancel(false)) {
                queue.remove(call);
                throw reason;
            }
            try {
                return call.answer.join();
            } catch (CompletionException e) {
                throw said(e);
            }
        });
    }

    private static RuntimeException said(Exception e) {
        return e.getCause() instanceof SequenceException expected ? expected.again() : new Gone();
    }

    // ---- writes

    @Override
    void goOn() {
        if (isFree() && isOpen() && !isTurnWanted() && !queue.isEmpty()) {
            beginTake(this::writeGroups);
        }
    }

    private void writeGroups() {
        try {
            boolean more = true;
            for (int i = 0; more && i < GROUPS_IN_A_ROW; i++) {
                more = gather();
                if (more) {
                    write();
                }
            }
            inLock(this::endOperation);
        } catch (RuntimeException | Error e) {
            inLock(() -> takeFailed(e));
        }
    }

    /** Puts those who wait into {@code sent}; says whether there is anyone. */
    private boolean gather() {
        return locked(() -> {
            long until = environment.nanoTime() + Math.min(lastWriteNanos / 2, LONGEST_GATHERING_NANOS);
            while (queue.size() < expected && isOpen() && !isTurnWanted() && awaitMore(until)) {}
            sent = isTurnWanted() ? List.of() : nextGroup();
            expected = Math.max(1, sent.size());
            return !sent.isEmpty();
        });
    }

    /** Those who wait, up to the second with a key: a write keeps one answer. */
    private List<Waiting> nextGroup() {
        List<Waiting> group = new ArrayList<>();
        boolean withKey = false;
        for (Waiting call = queue.peek(); call != null; call = queue.peek()) {
            boolean hasKey = call.wish.request().isPresent();
            if (hasKey && withKey) {
                break;
            }
            withKey |= hasKey;
            group.add(queue.remove());
        }
        return group;
    }

    private void write() {
        Group group = new Group(sent.stream().map(call -> call.wish).toList(), Optional.empty());
        Stored from = locked(this::stored);
        long begin = environment.nanoTime();
        CounterWriter.Claim<List<Group.Share>> claim = writer.claim(from, group);
        List<Waiting> answered = sent;
        inLock(() -> {
            lastWriteNanos = environment.nanoTime() - begin;
            adopt(claim.stored());
            expected += queue.size();
            sent = List.of();
        });
        for (int i = 0; i < answered.size(); i++) {
            answer(answered.get(i).answer, claim.values().get(i));
        }
    }

    private void answer(CompletableFuture<Draw> answer, Group.Share share) {
        if (share instanceof Group.Given given) {
            boolean taken = answer.complete(given.draw());
            long count = given.draw().count();
            issued.addAndGet(taken ? count : 0);
            skipped.add(given.passedOver() + (taken ? 0 : count));
        } else if (share instanceof Group.Denied denied) {
            answer.completeExceptionally(denied.reason());
        }
    }

    /** Ends the calls of a write that failed or, where there was no thread for it, those that wait. */
    @Override
    void failed(RuntimeException reason) {
        List<Waiting> over = sent.isEmpty() ? drained() : sent;
        over.forEach(call -> call.answer.completeExceptionally(reason));
        sent = List.of();
    }

    /** A write under way is still answered. */
    @Override
    void refuseWaiting(RuntimeException reason) {
        drained().forEach(call -> call.answer.completeExceptionally(reason));
    }

    private List<Waiting> drained() {
        List<Waiting> calls = List.copyOf(queue);
        queue.clear();
        return calls;
    }

    // ---- in the hands of an exclusive operation

    @Override
    Held takeInHand() {
        return new Held(stored(), stored().position(), List.of());
    }

    @Override
    void putBack(Held left) {}

    // ---- looking

    @Override
    long issued() {
        return issued.get();
    }

    /** As the store has it now, for any process may have taken the last value. */
    @Override
    SequenceState state() {
        Stored now = fromStore();
        return now.state(now.position());
    }

    @Override
    long peek() {
        return fromStore().next();
    }

    /** How many calls wait for a write to begin. */
    int waiting() {
        return locked(queue::size);
    }

    private Stored fromStore() {
        Stored known = locked(() -> {
            awaitCalm();
            return stored();
        });
        return calls.read(() -> writer.reread(known));
    }

    @Override
    boolean isIdle() {
        return locked(() -> {
            Position now = stored().position();
            boolean idle = isFree() && queue.isEmpty() && now.equals(lastLook);
            lastLook = now;
            return idle;
        });
    }
}
