package io.seriatim;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the values of one sequence under the contract {@code ordered}: every value is durable before it is
 * returned, and lies behind every value that was returned, by whatever process, before its call began. Under the
 * contract {@code gapless} too, where calls also make reservations and end them, and released values come first.
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

    /** So many calls share a write at most: under gapless each makes entries of its own. */
    private static final int MOST_TOGETHER = 1_000;

    /** How soon a call that waits for a reservation of another process asks again. */
    private static final long BETWEEN_TURNS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A call that waits for its values. */
    private static final class Waiting {
        final Group.Wish wish;
        /** Completed once: by the write, or by the caller who gives up. */
        final CompletableFuture<Group.Share> answer = new CompletableFuture<>();

        Waiting(Group.Wish wish) {
            this.wish = wish;
        }
    }

    private final AtomicLong issued = new AtomicLong();
    private final Deadlines deadlines;

    // Guarded by the lock:

    private final Deque<Waiting> queue = new ArrayDeque<>();
    /** The calls of the write under way. Read without the lock by the thread that writes. */
    private List<Waiting> sent = List.of();
    /** How many calls are likely to wait soon. */
    private int expected = 1;

    private long lastWriteNanos;
    /** Whether somebody will look for reservations that have expired. */
    private boolean watched;
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
        this.deadlines = new Deadlines(environment);
        inLock(this::watch);
    }

    // ---- callers

    @Override
    long next() {
        return draw(1, Shape.ACROSS_WRAPS, ANY_DEFINITION).blocks().get(0).first();
    }

    @Override
    Draw draw(long count, Shape shape, long definition) {
        return draw(new Group.Take(count, shape, Optional.empty(), definition));
    }

    @Override
    Draw drawOnce(Request request, long definition) {
        return draw(new Group.Take(request.count(), request.shape(), Optional.of(request), definition));
    }

    private Draw draw(Group.Take wish) {
        if (askInTurn(wish) instanceof Group.Given given) {
            return given.draw();
        }
        throw new IllegalStateException("values were asked for, and something else was given");
    }

    @Override
    Reservation reserve(String note, Optional<Request> request, long definition) {
        return contract() == Contract.GAPLESS
                ? reservation(askInTurn(new Group.Reserve(note, request, definition)))
                : super.reserve(note, request, definition);
    }

    @Override
    Reservation end(ReservationId id, boolean confirmed, Author author) {
        Group.Share share = ask(new Group.End(id, confirmed, author), deadline());
        if (share instanceof Group.Elsewhere) {
            throw new ReservationException(id, find(id).state());
        }
        return reservation(share);
    }

    @Override
    Account.Periods stand(Group.Wish wish) {
        if (ask(wish, deadline()) instanceof Group.Stand stand) {
            return stand.periods();
        }
        throw new IllegalStateException("periods were asked for, and something else was given");
    }

    private Reservation reservation(Group.Share share) {
        if (share instanceof Group.Reserved reserved) {
            return reserved.reservation();
        }
        if (share instanceof Group.Elsewhere elsewhere) {
            return find(elsewhere.id());
        }
        throw new IllegalStateException("a reservation was asked for, and something else was given");
    }

    /** As the store has it now. */
    @Override
    Reservation find(ReservationId id) {
        Stored known = locked(this::stored);
        return calls.read(() -> {
            Stored now = writer.reread(known);
            Optional<Account.Open> open = now.account().find(id);
            if (open.isPresent()) {
                inLock(() -> adoptIfNewer(now)); // from now on its time runs here too
                return Reservation.of(open.get());
            }
            return ended(id, writer.ledger(now).of(id.value(), now.account().head()));
        });
    }

    private static Reservation ended(ReservationId id, List<LedgerEntry> history) {
        String note = "";
        for (LedgerEntry entry : history) {
            if (entry.facts().reservation().equals(Optional.of(id.text()))) {
                note = entry.facts().note().orElse(note);
                Optional<Reservation.State> end = GaplessCounting.endTold(entry);
                if (end.isPresent()) {
                    return Reservation.ended(id, end.get(), note);
                }
            }
        }
        throw ReservationException.notFound(id.text());
    }

    private void adoptIfNewer(Stored now) {
        if (isFree() && isOpen() && now.isNewerThan(stored().counter())) {
            adopt(now);
        }
    }

    /** Asks until it is the call's turn: under policy strict that is when no reservation is open any more. */
    private Group.Share askInTurn(Group.Wish wish) {
        long deadline = deadline();
        for (; ; ) {
            Group.Share share = ask(wish, deadline()); // with a wait of its own: who waits for a turn must be told so
            if (!(share instanceof Group.Later)) {
                return share;
            }
            if (environment.nanoTime() >= deadline) {
                throw new ReservationException(
                        ErrorCode.BUSY, "another reservation of sequence " + name() + " is open, and policy is strict");
            }
            inLock(() -> {
                long until = Math.min(deadline, environment.nanoTime() + BETWEEN_TURNS_NANOS);
                while (isOpen() && !stored().account().open().isEmpty() && awaitMore(until)) {}
            });
        }
    }

    private Group.Share ask(Group.Wish wish, long deadline) {
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
            if (call.wish instanceof Group.Take take) {
                take.shape().requirePossible(name(), stored().definition().progression(), take.count());
            }
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
    private Group.Share giveUp(Waiting call, StoreUnavailableException reason) {
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
        for (Waiting call = queue.peek(); call != null && group.size() < MOST_TOGETHER; call = queue.peek()) {
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
        Group group = new Group(
                sent.stream().map(call -> call.wish).toList(),
                Optional.empty(),
                account -> account.open().isEmpty() ? Set.of() : deadlines.due(account));
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
            answer(answered.get(i), claim.values().get(i));
        }
    }

    private void answer(Waiting call, Group.Share share) {
        if (share instanceof Group.Denied denied) {
            call.answer.completeExceptionally(denied.reason());
            return;
        }
        boolean taken = call.answer.complete(share);
        if (!taken && share instanceof Group.Reserved reserved && call.wish instanceof Group.Reserve reserve) {
            nobodyHas(reserved.reservation(), reserve);
        }
        if (share instanceof Group.Given given) {
            long count = given.draw().count();
            issued.addAndGet(taken ? count : 0);
            skipped.add(given.passedOver() + (taken ? 0 : count));
        }
    }

    // ---- reservations that end by themselves

    /** Cancels a reservation whose caller gave up, for nobody knows its name but who has its key. */
    private void nobodyHas(Reservation reservation, Group.Reserve reserve) {
        if (reserve.request().isEmpty()) {
            ReservationId.parse(reservation.id())
                    .ifPresent(id -> inLock(() -> askForNobody(new Group.End(id, false, Author.NOBODY))));
        }
    }

    /** A call like any other, but that nobody waits for it. Holds the lock. */
    private void askForNobody(Group.Wish wish) {
        if (isOpen() && queue.size() < MAX_WAITING) {
            queue.add(new Waiting(wish));
            goOn();
        }
    }

    @Override
    void adopt(Stored now) {
        super.adopt(now);
        deadlines.see(now.account());
        watch();
    }

    /** Sees to it that somebody looks when the next reservation expires. Holds the lock. */
    private void watch() {
        if (!watched && isOpen() && !stored().account().open().isEmpty()) {
            deadlines.nanosToNext(stored().account()).ifPresent(nanos -> {
                watched = true;
                environment.after(Duration.ofNanos(Math.max(nanos, BETWEEN_TURNS_NANOS)), this::look);
            });
        }
    }

    /** One at a time, however long the store hangs; if the write fails, the next look tries again. */
    private void look() {
        inLock(() -> {
            watched = false;
            boolean asked =
                    Stream.concat(queue.stream(), sent.stream()).anyMatch(call -> call.wish instanceof Group.Expire);
            if (!asked && !deadlines.due(stored().account()).isEmpty()) {
                askForNobody(new Group.Expire());
            }
            watch();
        });
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
        return state(now, now.position());
    }

    @Override
    long peek() {
        Stored now = fromStore();
        now.account().requireNotClosed();
        return contract() == Contract.GAPLESS ? GaplessCounting.next(now) : now.next();
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
    Position positionNow() {
        return stored().position();
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
