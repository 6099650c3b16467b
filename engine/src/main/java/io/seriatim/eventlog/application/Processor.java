package io.seriatim.eventlog.application;

import io.seriatim.Environment;
import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.Refusal;
import io.seriatim.eventlog.Sequencer;
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
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
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
     * The phases: RECOVERING until the sequencer can start and every event is applied; READY; BEHIND when an event is not
     * applied; QUARANTINED when its rows are not what it says. Only from READY on is a command begun. A turn that cannot go
     * on answers all that wait: nobody waits for something that may never come.
     */

    /** Groups of one turn; then others have the thread for once. */
    private static final int GROUPS_A_TURN = 16;

    private static final Duration FIRST_LOOK = Duration.ofMillis(1);
    private static final Duration LONGEST_LOOK = Duration.ofMillis(50);

    /** An act of an operator, done in a turn. The first answer counts. */
    interface Operation {
        void run();

        /** It is over, however it went. */
        void done();

        void refuse(EventLogException reason);
    }

    private final int partition;
    private final PartitionStore store;
    private final Schema.Index schema;
    private final ApplicationSettings settings;
    private final Environment environment;
    private final Marks marks;
    private final Applying applying;

    /** The operation that waits for a turn. */
    private final AtomicReference<@Nullable Operation> operation = new AtomicReference<>();
    /** Operations that a recovery ends, however it ends. */
    private final Queue<Operation> recovering = new ConcurrentLinkedQueue<>();

    private final Turns turns;
    private final Intake intake;

    private final LongAdder commands = new LongAdder();
    private final LongAdder groups = new LongAdder();
    private final LongAdder events = new LongAdder();

    private volatile Sequencer sequencer;
    private volatile PartitionStatus phase = PartitionStatus.RECOVERING;
    private volatile Optional<String> trouble = Optional.empty();
    private volatile List<Difference> differences = List.of();
    private volatile boolean closed;
    /** Whether what follows from events has ever been up to date. */
    private volatile boolean everReady;

    // of the turns; those who wait for an answer to these are told so by a close that a hanging turn keeps waiting
    private volatile @Nullable Group current;
    private volatile @Nullable Operation begun;
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
        Optional<EventLogException> refusal = refusal();
        if (refusal.isPresent()) {
            answer.completeExceptionally(refusal.get());
        } else if (!intake.offer(new Waiting(checked, answer))) {
            answer.completeExceptionally(new EventLogException(
                    ErrorCode.BUSY, settings.mostWaiting() + " commands wait already, nothing happened"));
        } else {
            commands.increment();
            wake();
            if (closed) {
                intake.refuseQueued(refused()); // it may have come when nobody looks any more
            }
        }
        return answer;
    }

    /** Why a command cannot even wait. */
    private Optional<EventLogException> refusal() {
        return switch (phase) {
            case READY, BEHIND -> closed ? Optional.of(refused()) : Optional.empty();
            default -> Optional.of(refused());
        };
    }

    /** The answer to a command that nothing was done for, by what the partition is doing. */
    EventLogException refused() {
        if (closed) {
            return new EventLogException(ErrorCode.CLOSED, "the partition is closed");
        }
        String why = trouble.map(its -> ": " + its).orElse("");
        return switch (phase) {
            case QUARANTINED ->
                new EventLogException(
                        ErrorCode.QUARANTINED,
                        "what is stored is not what the log says, an operator has to decide: "
                                + differences.stream()
                                        .findFirst()
                                        .map(Difference::what)
                                        .orElse(""));
            case CORRUPT ->
                new EventLogException(ErrorCode.STORE_CORRUPT, "log and stored numbers do not belong together");
            case FENCED -> new EventLogException(ErrorCode.FENCED, "another owner has the partition");
            case CLOSED -> new EventLogException(ErrorCode.CLOSED, "the partition is closed");
            case RECOVERING -> new EventLogException(ErrorCode.RECOVERING, "the log is being read" + why);
            default -> new EventLogException(ErrorCode.RECOVERING, "an event waits to be applied" + why);
        };
    }

    /** Hands an act of an operator to the next turn; only one can wait. */
    void submit(Operation wanted) {
        if (closed) {
            wanted.refuse(refused());
        } else if (!operation.compareAndSet(null, wanted)) {
            wanted.refuse(new EventLogException(ErrorCode.BUSY, "another operation is under way"));
        } else {
            wake();
            if (closed) {
                refuseOperation(); // it may have come when nobody looks any more
            }
        }
    }

    /** Answers the operation that waits, if there is one. */
    private void refuseOperation() {
        Operation waiting = operation.getAndSet(null);
        if (waiting != null) {
            waiting.refuse(refused());
        }
    }

    /** What it is doing; that another owner has come is known to the sequencer first. */
    PartitionStatus phase() {
        PartitionStatus now = phase;
        if (closed) {
            return PartitionStatus.CLOSED;
        }
        if (now == PartitionStatus.READY || now == PartitionStatus.BEHIND) {
            return switch (sequencer.status()) {
                case FENCED -> PartitionStatus.FENCED;
                case CORRUPT -> PartitionStatus.CORRUPT;
                default -> now;
            };
        }
        return now;
    }

    Sequencer sequencer() {
        return sequencer;
    }

    Optional<String> trouble() {
        return trouble;
    }

    List<Difference> differences() {
        return differences;
    }

    PartitionStatistics statistics() {
        return new PartitionStatistics(commands.sum(), groups.sum(), events.sum());
    }

    int waiting() {
        return intake.size();
    }

    /** Takes no more commands; those that wait are refused by a last turn, or here where no turn comes. */
    void close() {
        closed = true;
        wake();
    }

    boolean wasEverReady() {
        return everReady;
    }

    /** After close: waits until the last turn is over, or time is. Then nobody waits for an answer any more. */
    void awaitEnd(Duration wait) {
        long deadline = environment.nanoTime() + wait.toNanos();
        while (phase != PartitionStatus.CLOSED && environment.nanoTime() - deadline < 0) {
            marks.awaitChange(Duration.ofMillis(5).toNanos());
        }
        if (phase != PartitionStatus.CLOSED) {
            abandon();
        }
    }

    /** A turn hangs in the store. What it has begun it may still do; it begins nothing more. */
    private void abandon() {
        EventLogException unknown = new EventLogException(
                ErrorCode.OUTCOME_UNKNOWN, "the partition was closed while the store did not answer");
        intake.abandon(refused(), unknown);
        Group group = current;
        if (group != null) {
            group.waiting().forEach(each -> each.answer().completeExceptionally(unknown));
        }
        refuseOperation();
        Operation underWay = begun;
        if (underWay != null) {
            underWay.refuse(unknown);
        }
        recovering.forEach(each -> each.refuse(unknown));
    }

    // ---- turns

    void wake() {
        turns.wake();
    }

    @Override
    public void broken(Throwable thrown) {
        trouble = Optional.of("something broke off: " + thrown.getClass().getName());
        phase = PartitionStatus.RECOVERING;
        intake.refuseAll(refused());
    }

    @Override
    public void noThread(Throwable none) {
        intake.refuseAll(new EventLogException(ErrorCode.BUSY, "no thread is free, nothing happened", none));
    }

    @Override
    public boolean turn() {
        if (closed) {
            end();
            return false;
        }
        operate();
        if (unsettled != null && !settle(unsettled)) {
            return false;
        }
        if (phase != PartitionStatus.READY && !recover()) {
            return false;
        }
        for (int i = 0; i < GROUPS_A_TURN; i++) {
            if (!carryOut()) {
                return phase != PartitionStatus.READY || !intake.isEmpty();
            }
            if (phase != PartitionStatus.READY || closed) {
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
                phase = PartitionStatus.RECOVERING;
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
        refuseOperation();
        Group group = unsettled;
        if (group != null) {
            refuseAll(group, ErrorCode.OUTCOME_UNKNOWN, "the partition was closed before the log could be asked");
            unsettled = null;
        }
        notRecovered();
        phase = PartitionStatus.CLOSED; // all have their answers: who closes waits for this
        marks.close();
    }

    private void operate() {
        Operation wanted = operation.get();
        if (wanted != null) {
            begun = wanted; // before it leaves its place, so that who looks for it finds it in one of the two
            if (operation.compareAndSet(wanted, null)) { // first, as whoever has its answer may ask for another one
                wanted.run();
            }
        }
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
        phase = PartitionStatus.RECOVERING;
        try {
            sequencer.actualize();
        } catch (IllegalStateException ended) {
            trouble = Optional.of("the sequencer is " + sequencer.status());
        }
    }

    private void apply(Group group) {
        Applying.Result result = applying.group(group);
        for (int i = 0; i < group.members().size(); i++) {
            answer(group.members().get(i), i < result.applied(), result.trouble());
        }
        if (result.applied() < group.members().size()) {
            behind(result.trouble());
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

    private void behind(String why) {
        phase = PartitionStatus.BEHIND;
        trouble = Optional.of(why);
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
                answer(each, recovered, trouble.orElse("the partition is not ready"));
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
            phase = phaseOf(refusal);
            if (phase == PartitionStatus.RECOVERING) {
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
        differences = recovery.differences();
        trouble = recovery.trouble();
        if (recovery.isDone()) {
            overwriting = false;
            everReady = true;
            phase = PartitionStatus.READY;
            recovered();
            return true;
        }
        phase = recovery.differences().isEmpty() ? PartitionStatus.BEHIND : PartitionStatus.QUARANTINED;
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
        for (Operation each = recovering.poll(); each != null; each = recovering.poll()) {
            each.done();
        }
    }

    private static PartitionStatus phaseOf(Refusal refusal) {
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
        Start start = sequencer.start(anyKind(), 0);
        if (start instanceof SequencingTransaction transaction) {
            transaction.actualize();
        }
        tryAgain(ofWhom);
    }

    /** Tries again what could not be applied; then that is done. */
    void tryAgain(Operation ofWhom) {
        recovering.add(ofWhom);
        look = FIRST_LOOK;
        phase = PartitionStatus.RECOVERING;
    }

    /** Refuses commands while an operator's act takes its time, those that wait too. */
    void pause() {
        phase = PartitionStatus.RECOVERING;
        intake.refuseAll(refused());
    }

    /**
     * Goes on with another sequencer, unless it is closed; then that is done.
     *
     * @param overwrite whether everything that follows from the log is written over what is there
     */
    void beginAnew(Supplier<Sequencer> anew, boolean overwrite, Operation ofWhom) {
        if (!closed) { // else nobody would close it, and it would take the partition from its next owner
            sequencer = anew.get();
            if (closed) {
                sequencer.close(Duration.ZERO); // who closes may have looked just before
            }
        }
        overwriting |= overwrite;
        tryAgain(ofWhom);
    }

    Applying applying() {
        return applying;
    }
}
