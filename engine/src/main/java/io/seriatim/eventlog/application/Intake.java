package io.seriatim.eventlog.application;

import io.seriatim.Environment;
import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.Refusal;
import io.seriatim.eventlog.Sequencer;
import io.seriatim.eventlog.SequencingTransaction;
import io.seriatim.eventlog.Start;
import io.seriatim.eventlog.WrongKindException;
import io.seriatim.eventlog.application.Group.Member;
import io.seriatim.eventlog.application.Group.Waiting;
import io.seriatim.eventlog.application.Schema.KindEntry;
import io.seriatim.store.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The commands that wait, and how they come into a group: each gets its numbers there, or its answer.
 *
 * <p>{@link #offer}, {@link #size}, {@link #refuseQueued} and {@link #answerAll} are safe for use by many threads; the rest is
 * for the turns of a processor.
 */
final class Intake {

    /*
     * A command that asks for something which one before it in the group does, a record or a key, waits for the next group:
     * there it finds it applied. It is carried over, and so it stays in front of all that came later.
     *
     * Most callers of a group are back a moment after they were answered. A group that left as soon as the first of them
     * comes would leave the others to the next one, and half of all syncs would carry nobody. So a group waits until as
     * many have come as in the one before, for half the time of a sync at most; a single caller waits for nobody.
     */

    /** How long a command waits for numbers to be stored, where too many are not. */
    private static final Duration BACKLOG_WAIT = Duration.ofMillis(100);

    private static final long MOST_FILL_NANOS = 1_000_000;

    private final ArrayBlockingQueue<Waiting> queue;
    private final Past past;
    private final Schema.Index schema;
    private final ApplicationSettings settings;
    private final Environment environment;

    /** The command in hand: in no queue, and not yet in a group. */
    private volatile @Nullable Waiting joining;

    /** The answer to all that comes, once nobody waits for the turns any more. */
    private volatile @Nullable EventLogException over;

    private @Nullable Waiting carried;
    /** Commands that are likely to come together, by the group before. */
    private int expected;
    /** How long a group waits for them. */
    private long fillNanos;

    Intake(Past past, Schema.Index schema, ApplicationSettings settings, Environment environment) {
        this.schema = schema;
        queue = new ArrayBlockingQueue<>(settings.mostWaiting());
        this.past = past;
        this.settings = settings;
        this.environment = environment;
    }

    /** Lets a command wait; false if too many do. */
    boolean offer(Waiting waiting) {
        return queue.offer(waiting);
    }

    int size() {
        return queue.size();
    }

    boolean isEmpty() {
        return carried == null && queue.isEmpty();
    }

    /** Answers those that wait in the queue. */
    void refuseQueued(EventLogException reason) {
        for (Waiting each = queue.poll(); each != null; each = queue.poll()) {
            each.answer().completeExceptionally(reason);
        }
    }

    /** Answers all that wait. */
    void refuseAll(EventLogException reason) {
        Waiting first = carried;
        carried = null;
        if (first != null) {
            first.answer().completeExceptionally(reason);
        }
        refuseQueued(reason);
    }

    /**
     * A turn hangs: answers those that wait, and the command that it has in hand.
     *
     * @param refusal for a command that nothing was done for
     * @param unknown for the one of which nobody can say what was done
     */
    void answerAll(EventLogException refusal, EventLogException unknown) {
        over = refusal;
        refuseQueued(refusal);
        Waiting inHand = joining;
        if (inHand != null) {
            inHand.answer().completeExceptionally(unknown);
        }
    }

    /** A group is over, whatever became of it. */
    void groupIsOver() {
        joining = carried;
    }

    /** A group was written, and its sync took so long. */
    void sent(int commands, long nanos) {
        expected = commands;
        fillNanos = Math.min(MOST_FILL_NANOS, nanos / 2);
    }

    /**
     * Fills a group with what waits.
     *
     * @return why the sequencer gives no numbers; empty if it does
     */
    Optional<Refusal> fill(Group group, Sequencer sequencer) {
        long deadline = environment.nanoTime() + fillNanos;
        while (!group.isFull()) {
            Waiting next = carried != null ? carried : queue.poll();
            carried = null;
            if (next == null && group.size() < expected) {
                next = await(deadline - environment.nanoTime());
            }
            if (next == null) {
                break;
            }
            joining = next;
            EventLogException refused = over;
            if (refused != null) { // it may have been in no place when the others were answered
                next.answer().completeExceptionally(refused);
                break;
            }
            if (group.meets(next.checked())) {
                carried = next;
                break;
            }
            Optional<Refusal> refusal = joinOrAnswer(group, next, sequencer);
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        return Optional.empty();
    }

    private @Nullable Waiting await(long nanos) {
        try {
            return queue.poll(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private Optional<Refusal> joinOrAnswer(Group group, Waiting waiting, Sequencer sequencer) {
        try {
            return join(group, waiting, sequencer);
        } catch (RuntimeException | Error e) {
            waiting.answer().completeExceptionally(e);
            throw e;
        }
    }

    /** Gives a command its numbers, or an answer; says why others cannot follow it into the group. */
    private Optional<Refusal> join(Group group, Waiting waiting, Sequencer sequencer) {
        Map<Long, RecordUpdate> updates;
        Start start;
        try {
            Optional<Appended> earlier = past.earlierAnswer(waiting.checked());
            if (earlier.isPresent()) {
                waiting.answer().complete(earlier.get());
                return Optional.empty();
            }
            updates = past.requireRecords(waiting.checked());
            start = start(waiting, sequencer, Duration.ZERO);
        } catch (EventLogException e) {
            waiting.answer().completeExceptionally(e);
            return Optional.empty();
        } catch (StoreException e) {
            waiting.answer().completeExceptionally(nothingHappened(e));
            return Optional.empty();
        }
        if (start == Refusal.BACKLOG && !group.isEmpty()) {
            carried = waiting; // the group goes first, and numbers are stored meanwhile
            return Optional.of(Refusal.BACKLOG);
        }
        if (start == Refusal.BACKLOG) {
            start = start(waiting, sequencer, BACKLOG_WAIT);
        }
        if (start instanceof Refusal refusal) {
            EventLogException refused = new EventLogException(refusal.code(), "nothing happened: " + refusal);
            waiting.answer().completeExceptionally(refused);
            if (refusal == Refusal.BACKLOG) {
                refuseAll(refused); // they would wait as long, one after another
            }
            return Optional.of(refusal);
        }
        draw(group, waiting, updates, start.orThrow());
        return Optional.empty();
    }

    private static Start start(Waiting waiting, Sequencer sequencer, Duration wait) {
        int kind = waiting.checked().kind().id();
        long workspace = waiting.checked().command().workspace();
        return wait.isZero() ? sequencer.start(kind, workspace) : sequencer.start(kind, workspace, wait);
    }

    @SuppressWarnings("CatchingUnchecked") // whatever it is, the transaction must not stay open
    private void draw(
            Group group, Waiting waiting, Map<Long, RecordUpdate> updates, SequencingTransaction transaction) {
        try (transaction) {
            Draft draft;
            try {
                draft = Draft.of(waiting.checked(), updates, transaction, group.time(), settings.maxJump());
            } catch (WrongKindException e) {
                transaction.discard();
                waiting.answer().completeExceptionally(named(e, waiting.checked()));
                return;
            } catch (RuntimeException | Error e) {
                transaction.discard();
                waiting.answer().completeExceptionally(e);
                return;
            }
            long epoch = transaction.epoch();
            group.add(new Member(waiting, draft), epoch, transaction.seal());
        }
    }

    /** The same with names in the place of ids. */
    private EventLogException named(WrongKindException e, CheckedCommand checked) {
        String bound = schema.kind(e.bound()).map(KindEntry::name).orElse(Integer.toString(e.bound()));
        return new EventLogException(
                ErrorCode.WRONG_KIND,
                "workspace " + checked.command().workspace() + " is of kind " + bound + ", not "
                        + checked.kind().name(),
                e);
    }

    /** What a command is told that a store kept from being begun. */
    static EventLogException nothingHappened(StoreException e) {
        return new EventLogException(ErrorCode.of(e.kind()), "nothing happened: " + e.getMessage(), e);
    }
}
