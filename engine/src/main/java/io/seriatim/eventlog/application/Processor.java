package io.seriatim.eventlog.application;

import io.seriatim.Environment;
import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.Refusal;
import io.seriatim.eventlog.Sequencer;
import io.seriatim.eventlog.SequencerStatus;
import io.seriatim.eventlog.SequencingTransaction;
import io.seriatim.eventlog.Start;
import io.seriatim.eventlog.application.Group.Member;
import io.seriatim.eventlog.application.Group.Waiting;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the commands of one partition, one after another: numbers, the log, what follows from it, the answer.
 *
 * <p>{@link #submit} and what tells of it are safe for use by many threads; everything else happens in its turns, one at
 * a time.
 */
final class Processor implements Turns.Work {

    /*
     * Commands wait in a bounded queue. A turn takes what waits, gives each its numbers (a sealed transaction), writes all
     * events with one append, and only when that is durable flushes the numbers, writes the rows that follow, and answers.
     *
     * What can go wrong, and what the callers of the group are told:
     *
     *   the append failed            nothing happened; 503
     *   the append is unknown        the sequencer takes a new epoch, so that it has landed or never will; then the log is
     *                                asked (settle): own mark there, the normal answer; absent, nothing happened
     *   the rows could not be        the event is there and will be applied before anything else is (recover):
     *   written                      REPAIR_PENDING, with the offsets; if it is unknown, under a new epoch, so that they
     *                                never come later
     *
     * What it is doing meanwhile is its Condition: only from READY on is a command begun. A turn that cannot go on answers
     * all that wait: nobody waits for something that may never come.
     */

    /** Groups of one turn; then others have the thread for once. */
    private static final int GROUPS_A_TURN = 16;

    /** How long an operator's act waits for numbers to be stored, where too many are not. */
    private static final Duration BACKLOG_WAIT = Duration.ofMillis(100);

    private static final Duration FIRST_LOOK = Duration.ofMillis(1);
    private static final Duration LONGEST_LOOK = Duration.ofMillis(50);

    private final int partition;
    private final PartitionStore store;
    private final Schema.Index schema;
    private final ApplicationSettings settings;
    private final Environment environment;
    private final Marks marks;
    private final Applying applying;

    private final Condition condition = new Condition();
    private final Operations operations = new Operations();
    private final Turns turns;
    private final Intake intake;

    private final LongAdder commands = new LongAdder();
    private final LongAdder groups = new LongAdder();
    private final LongAdder events = new LongAdder();
    private final LongAdder brokenTurns = new LongAdder();

    private volatile Sequencer sequencer;

    // of the turns
    /** Its callers are told so by a close that this group, hanging, keeps waiting. */
    private volatile @Nullable Group current;

    private @Nullable Group unsettled;
    private long settleDeadline;
    private Duration look = FIRST_LOOK;
    private boolean overwriting;

    Processor(
            int partition,
            PartitionStore store,
            Sequencer sequencer,
            Schema.Index schema,
            ApplicationSettings settings,
            Environment environment,
            Marks marks,
            Projectors projectors) {
        this.partition = partition;
        this.store = store;
        this.sequencer = sequencer;
        this.schema = schema;
        this.settings = settings;
        this.environment = environment;
        this.marks = marks;
        turns = new Turns(environment, settings.retry(), this);
        intake = new Intake(new Past(store, schema), schema, settings, environment);
        applying = new Applying(partition, store, schema, settings.trustLevel(), marks, projectors);
    }

    // ---- from any thread

    /** Lets a command wait for its turn, or refuses it at once. */
    CompletableFuture<Appended> submit(CheckedCommand checked) {
        CompletableFuture<Appended> answer = new CompletableFuture<>();
        Optional<EventLogException> refusal = condition.refusal();
        if (refusal.isPresent()) {
            answer.completeExceptionally(refusal.get());
        } else if (!intake.offer(new Waiting(checked, answer))) {
            answer.completeExceptionally(new EventLogException(
                    ErrorCode.BUSY, settings.mostWaiting() + " commands wait already, nothing happened"));
        } else {
            commands.increment();
            wake();
            if (condition.isClosing()) {
                intake.refuseQueued(refused()); // it may have come when nobody looks any more
            }
        }
        return answer;
    }

    /** Hands an act of an operator to the next turn; only one can wait. */
    void submit(Operation wanted) {
        if (condition.isClosing()) {
            wanted.refuse(refused());
        } else if (!operations.offer(wanted)) {
            wanted.refuse(new EventLogException(ErrorCode.BUSY, "another operation is under way"));
        } else {
            wake();
            if (condition.isClosing()) {
                operations.refuseWaiting(refused()); // it may have come when nobody looks any more
            }
        }
    }

    /** The answer to a command that nothing was done for, by what the partition is doing. */
    EventLogException refused() {
        return condition.refused();
    }

    Condition condition() {
        return condition;
    }

    /** What it is doing; that another owner has come is known to the sequencer first. */
    PartitionStatus status() {
        if (condition.isClosing()) {
            return PartitionStatus.CLOSED;
        }
        PartitionStatus now = condition.status();
        if (now == PartitionStatus.READY || now == PartitionStatus.BEHIND) {
            return switch (sequencer.status()) {
                case FENCED -> PartitionStatus.FENCED;
                case CORRUPT -> PartitionStatus.CORRUPT;
                default -> now;
            };
        }
        if (now == PartitionStatus.QUARANTINED && sequencer.status() == SequencerStatus.FENCED) {
            return PartitionStatus.FENCED; // it is the next owner's to wait for an operator
        }
        return now;
    }

    Sequencer sequencer() {
        return sequencer;
    }

    PartitionStatistics statistics() {
        return new PartitionStatistics(commands.sum(), groups.sum(), events.sum(), brokenTurns.sum());
    }

    int waiting() {
        return intake.size();
    }

    /** Takes no more commands; those that wait are refused by a last turn, or here where no turn comes. */
    void close() {
        condition.close();
        wake();
    }

    /** After close: waits until the last turn is over, or time is. Then nobody waits for an answer any more. */
    void awaitEnd(Duration wait) {
        long deadline = environment.nanoTime() + wait.toNanos();
        while (!condition.isEnded() && environment.nanoTime() - deadline < 0) {
            marks.awaitChange(Duration.ofMillis(5).toNanos());
        }
        if (!condition.isEnded()) {
            answerAll();
        }
    }

    /** A turn hangs in the store. What it has begun it may still do; it begins nothing more. */
    private void answerAll() {
        EventLogException unknown = new EventLogException(
                ErrorCode.OUTCOME_UNKNOWN, "the partition was closed while the store did not answer");
        intake.answerAll(refused(), unknown);
        Group group = current;
        if (group != null) {
            group.waiting().forEach(each -> each.answer().completeExceptionally(unknown));
        }
        operations.refuseAll(refused(), unknown);
    }

    // ---- turns

    void wake() {
        turns.wake();
    }

    @Override
    public void broken(Throwable thrown) {
        brokenTurns.increment();
        condition.broke(thrown);
        intake.refuseAll(refused());
    }

    @Override
    public void noThread(Throwable none) {
        intake.refuseAll(new EventLogException(ErrorCode.BUSY, "no thread is free, nothing happened", none));
    }

    @Override
    public boolean turn() {
        if (condition.isClosing()) {
            end();
            return false;
        }
        operations.run();
        if (unsettled != null && !settle(unsettled)) {
            return false;
        }
        if (!condition.isReady() && !recover()) {
            return false;
        }
        for (int i = 0; i < GROUPS_A_TURN; i++) {
            if (!carryOut()) {
                return !condition.isReady() || !intake.isEmpty();
            }
            if (!condition.isReady() || condition.isClosing()) {
                return true;
            }
        }
        return true;
    }

    /** Carries out a group of those that wait; says whether there was one. Whatever is thrown, its callers get an answer. */
    private boolean carryOut() {
        Group group = new Group(Draft.Time.of(environment.now()));
        current = group;
        boolean isOver = false;
        try {
            if (intake.fill(group, sequencer)
                    .filter(why -> why != Refusal.BACKLOG)
                    .isPresent()) {
                condition.become(PartitionStatus.RECOVERING);
            }
            if (!group.isEmpty()) {
                send(group);
            }
            isOver = true;
        } finally {
            if (!isOver && group.isEmpty()) {
                actualize(); // numbers may be drawn that are of no group
            } else if (!isOver) {
                unsettled(group);
            }
            intake.groupIsOver();
            current = unsettled;
        }
        return !group.isEmpty();
    }

    private void end() {
        operations.refuseWaiting(refused());
        Group group = unsettled;
        if (group != null) {
            refuseAll(group, ErrorCode.OUTCOME_UNKNOWN, "the partition was closed before the log could be asked");
            unsettled = null;
        }
        notRecovered();
        condition.end(); // who closes waits for this
        marks.close();
    }

    // ---- a group: into the log

    private void send(Group group) {
        LogOutcome outcome;
        long began = environment.nanoTime();
        try {
            outcome = store.append(group.epoch(), settings.trustLevel().eventMode(), group.events());
        } catch (StoreException e) {
            actualize();
            group.members().forEach(each -> each.waiting().answer().completeExceptionally(Intake.nothingHappened(e)));
            return;
        }
        if (!(outcome instanceof LogOutcome.Applied)) {
            unsettled(group);
            return;
        }
        intake.sent(group.size(), environment.nanoTime() - began);
        var unused = group.last().flush();
        marks.setDurable(group.lastOffset());
        groups.increment();
        events.add(group.members().size());
        apply(group);
    }

    private void unsettled(Group group) {
        unsettled = group;
        settleDeadline = environment.nanoTime() + settings.sequencer().maxWait().toNanos();
        actualize();
    }

    /** Lets the sequencer find out what is in the log. */
    private void actualize() {
        condition.become(PartitionStatus.RECOVERING);
        try {
            sequencer.actualize();
        } catch (IllegalStateException ended) {
            condition.become(PartitionStatus.RECOVERING, "the sequencer is " + sequencer.status());
        }
    }

    private void apply(Group group) {
        Applying.Result result = applying.group(group);
        for (int i = 0; i < group.members().size(); i++) {
            answer(group.members().get(i), i < result.applied(), result.trouble());
        }
        if (result.applied() < group.members().size()) {
            condition.become(PartitionStatus.BEHIND, result.trouble());
            turns.retryLater();
        }
    }

    /** The answer to a command whose event is in the log. */
    private void answer(Member member, boolean applied, String whyNot) {
        Appended appended = member.appended(partition);
        if (applied) {
            member.waiting().answer().complete(appended);
        } else {
            member.waiting().answer().completeExceptionally(new RepairPendingException(appended, whyNot));
        }
    }

    // ---- after trouble

    /** Asks the log what became of a group; says whether it is known, or given up. */
    private boolean settle(Group group) {
        Start start = sequencer.start(anyKind(), 0);
        boolean certain = start == Refusal.FENCED;
        if (start instanceof SequencingTransaction transaction) {
            transaction.discard();
            certain = true;
        }
        if (!certain && ((Refusal) start).code().mayBeRetried() && start != Refusal.CORRUPT) {
            return settleLater(group, "the log is still being read");
        }
        Map<Long, LogEvent> there;
        try {
            there = group.readFrom(store);
        } catch (StoreException e) {
            return settleLater(group, String.valueOf(e.getMessage()));
        }
        unsettled = null;
        List<Member> landed = new ArrayList<>();
        for (Member each : group.members()) {
            LogEvent present = there.get(each.event().offset());
            if (present != null
                    && present.header().mark().equals(each.event().header().mark())) {
                landed.add(each);
            } else {
                refuse(
                        each,
                        certain ? ErrorCode.STORE_UNAVAILABLE : ErrorCode.OUTCOME_UNKNOWN,
                        certain
                                ? "the event was not written, nothing happened"
                                : "the log could not be read to its end");
            }
        }
        boolean recovered = false;
        try {
            recovered = landed.isEmpty() || recover();
        } finally {
            for (Member each : landed) {
                answer(each, recovered, condition.trouble().orElse("the partition is not ready"));
            }
        }
        return true;
    }

    /** Asks again in a moment; past the time for that it is given up. Says whether it is. */
    private boolean settleLater(Group group, String why) {
        if (environment.nanoTime() - settleDeadline < 0) {
            intake.refuseAll(refused());
            lookAgain();
            return false;
        }
        unsettled = null;
        refuseAll(group, ErrorCode.OUTCOME_UNKNOWN, "whether the event was written cannot be known yet: " + why);
        return true;
    }

    private static void refuseAll(Group group, ErrorCode code, String message) {
        group.members().forEach(each -> refuse(each, code, message));
    }

    private static void refuse(Member member, ErrorCode code, String message) {
        member.waiting().answer().completeExceptionally(new EventLogException(code, message));
    }

    private void lookAgain() {
        turns.lookLater(look);
        Duration longer = look.multipliedBy(2);
        look = longer.compareTo(LONGEST_LOOK) < 0 ? longer : LONGEST_LOOK;
    }

    private int anyKind() {
        return schema.schema().kinds().get(0).id();
    }

    /** Waits for the sequencer, then applies what is not applied; says whether commands can be carried out. */
    private boolean recover() {
        Start start = sequencer.start(anyKind(), 0);
        if (start instanceof SequencingTransaction transaction && applying.needsNewEpoch()) {
            transaction.actualize();
            start = sequencer.start(anyKind(), 0);
        }
        if (start instanceof Refusal refusal) {
            condition.become(statusOf(refusal));
            if (refusal == Refusal.ACTUALIZING || refusal == Refusal.BACKLOG) {
                lookAgain();
                intake.refuseAll(refused());
            } else {
                notRecovered();
            }
            return false;
        }
        look = FIRST_LOOK;
        SequencingTransaction transaction = start.orThrow();
        long epoch = transaction.epoch();
        long end = transaction.plogOffset();
        transaction.discard();
        marks.setDurable(Math.max(marks.durable(), end - 1));
        Applying.Recovery recovery = applying.upTo(end, epoch, overwriting);
        if (recovery.goesOn()) {
            intake.refuseAll(refused());
            wake();
            return false;
        }
        condition.recovered(recovery);
        if (recovery.isDone()) {
            overwriting = false;
            recovered();
            return true;
        }
        if (recovery.mayBeRetried()) {
            turns.retryLater();
        }
        notRecovered();
        return false;
    }

    private void notRecovered() {
        intake.refuseAll(refused());
        recovered();
    }

    private void recovered() {
        marks.tell();
        operations.recovered();
    }

    private static PartitionStatus statusOf(Refusal refusal) {
        return switch (refusal) {
            case ACTUALIZING, BACKLOG -> PartitionStatus.RECOVERING;
            case CORRUPT -> PartitionStatus.CORRUPT;
            case FENCED -> PartitionStatus.FENCED;
            case CLOSED -> PartitionStatus.CLOSED;
        };
    }

    // ---- acts of an operator, in a turn

    /** Reads the log again from the checkpoint, and tries again what could not be applied; then that is done. */
    void readAgain(Operation ofWhom) {
        Start start = sequencer.start(anyKind(), 0, BACKLOG_WAIT);
        if (start instanceof SequencingTransaction transaction) {
            transaction.actualize();
        } else if (start == Refusal.BACKLOG) {
            throw new EventLogException(ErrorCode.BACKLOG, "numbers are being stored; nothing happened");
        }
        tryAgain(ofWhom);
    }

    /** Tries again what could not be applied; then that is done. */
    void tryAgain(Operation ofWhom) {
        operations.awaitRecovery(ofWhom);
        look = FIRST_LOOK;
        condition.become(PartitionStatus.RECOVERING);
    }

    /** Refuses commands while an operator's act takes its time, those that wait too. */
    void pause() {
        condition.become(PartitionStatus.RECOVERING);
        intake.refuseAll(refused());
    }

    /**
     * Goes on with another sequencer, unless it is closed; then that is done. That one takes the partition, perhaps from an
     * owner who has come meanwhile: so nothing that was known of the log before is shown before it is found out again.
     *
     * @param overwrite whether everything that follows from the log is written over what is there
     */
    void beginAnew(Supplier<Sequencer> anew, boolean overwrite, Operation ofWhom) {
        condition.outOfDate();
        marks.forgetDurable();
        if (!condition.isClosing()) { // else nobody would close it, and it would take the partition from its next owner
            sequencer = anew.get();
            if (condition.isClosing()) {
                Sequencer.closeAll(List.of(sequencer), Duration.ZERO); // who closes may have looked just before
            }
        }
        overwriting |= overwrite;
        tryAgain(ofWhom);
    }

    /** Lets everything that follows from events be applied again; until then nobody is shown any of it. */
    void applyAnew(long epoch) {
        condition.outOfDate();
        applying.forget(epoch);
    }

    Applying applying() {
        return applying;
    }
}
