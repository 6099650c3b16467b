package io.seriatim.eventlog.application;

import io.seriatim.Environment;
import io.seriatim.ErrorCode;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.eventlog.LogReport;
import io.seriatim.eventlog.Rebuild;
import io.seriatim.eventlog.ReplayProgress;
import io.seriatim.eventlog.Sequencer;
import io.seriatim.eventlog.application.Schema.TypeEntry;
import io.seriatim.store.Checkpoint;
import io.seriatim.store.LogEvent;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RecordRow;
import io.seriatim.store.RegistryRow;
import io.seriatim.store.SkippedRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.WorkspaceEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One partition of a deployed application: it carries out the commands of its workspaces, and shows what has happened.
 *
 * <p>Safe for use by many threads. Readers of the log see events that are durable; readers of workspaces and records see
 * events whose command has been answered.
 */
public final class Partition {

    /** Most events of one page. */
    public static final int MOST_EVENTS = 1_000;

    private static final Duration LONGEST_WAIT = Duration.ofDays(365);
    private static final Duration APPLIED_WAIT = Duration.ofSeconds(1);

    private final int number;
    private final PartitionStore store;
    private final Schema.Index schema;
    private final ApplicationSettings settings;
    private final Environment environment;
    /** Shared by all partitions: a rebuild holds a thread, and needs others to come to its end. */
    private final Semaphore rebuilds;
    /** Whether another process can have taken the partition. */
    private final boolean shared;

    private final Marks marks = new Marks();
    private final Processor processor;

    private Partition(
            PartitionStore store,
            Schema.Index schema,
            ApplicationSettings settings,
            Environment environment,
            Semaphore rebuilds,
            Projectors projectors,
            boolean shared) {
        this.rebuilds = rebuilds;
        this.shared = shared;
        number = store.key().partition();
        this.store = store;
        this.schema = schema;
        this.settings = settings;
        this.environment = environment;
        processor = new Processor(number, store, newSequencer(), schema, settings, environment, marks, projectors);
    }

    /**
     * Takes a partition; its log is read in the background.
     *
     * @param shared whether other processes can take it
     */
    static Partition open(
            PartitionStore store,
            Schema.Index schema,
            ApplicationSettings settings,
            Environment environment,
            Semaphore rebuilds,
            Projectors projectors,
            boolean shared) {
        Partition partition = new Partition(store, schema, settings, environment, rebuilds, projectors, shared);
        partition.processor.wake();
        return partition;
    }

    private Sequencer newSequencer() {
        return Sequencer.on(store, schema.schema().workspaceKinds(), settings.sequencer(), environment);
    }

    public int number() {
        return number;
    }

    /** The sequencer, whose transactions are made here; others look at its state. A rebuild brings another one. */
    public Sequencer sequencer() {
        return processor.sequencer();
    }

    // ---- commands

    /**
     * Lets a command wait for its turn. The answer comes when its event is durable and applied.
     *
     * <p>It ends with an {@link EventLogException}: BAD_REQUEST, UNKNOWN_TYPE, BAD_RAW_ID, OUT_OF_RANGE, WRONG_KIND,
     * NOT_FOUND, ALREADY_EXISTS, KEY_REUSED, EXHAUSTED, FENCED, CLOSED: final; RECOVERING, BACKLOG, BUSY, STORE_UNAVAILABLE:
     * nothing happened, may be retried; QUARANTINED, STORE_CORRUPT: nothing happened, an operator has to act;
     * OUTCOME_UNKNOWN: may be retried under an idempotency key only; {@link RepairPendingException}: it has happened.
     *
     * @throws IllegalArgumentException if the workspace lies in another partition
     */
    public CompletableFuture<Appended> submit(Command command) {
        if (schema.schema().partitionOf(command.workspace()) != number) {
            throw new IllegalArgumentException("the workspace lies in partition "
                    + schema.schema().partitionOf(command.workspace()) + ": workspace=" + command.workspace());
        }
        try {
            return processor.submit(CheckedCommand.of(command, schema));
        } catch (EventLogException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Carries out a command, and tries again while the partition is busy or reads its log.
     *
     * @param wait at most; the last refusal is thrown when it is over
     * @throws EventLogException as {@link #submit}; OUTCOME_UNKNOWN also when there was no answer in time, or the thread was
     *     interrupted
     */
    public Appended append(Command command, Duration wait) {
        long deadline = environment.nanoTime() + (wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT).toNanos();
        while (true) {
            try {
                return answer(submit(command), deadline - environment.nanoTime());
            } catch (EventLogException e) {
                long left = deadline - environment.nanoTime();
                if (!isRefusal(e.code()) || left <= 0 || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                marks.awaitChange(Math.min(left, Duration.ofMillis(5).toNanos()));
            }
        }
    }

    /** Whether a command with this answer was never begun, and may be begun soon. */
    private static boolean isRefusal(ErrorCode code) {
        return code == ErrorCode.RECOVERING || code == ErrorCode.BACKLOG || code == ErrorCode.BUSY;
    }

    private static <T> T answer(CompletableFuture<T> future, long nanos) {
        try {
            return future.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof EventLogException known) {
                throw known;
            }
            throw new IllegalStateException("a command broke off", e.getCause());
        } catch (TimeoutException e) {
            throw new EventLogException(ErrorCode.OUTCOME_UNKNOWN, "there was no answer in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EventLogException(ErrorCode.OUTCOME_UNKNOWN, "interrupted before there was an answer", e);
        }
    }

    // ---- what has happened

    /**
     * Returns durable events in order.
     *
     * @param fromOffset PLog offset of the first one wanted, at least 1
     * @param limit from 1 to {@link #MOST_EVENTS}; fewer may come although there are more
     * @throws EventLogException RECOVERING, CLOSED; STORE_CORRUPT if an event is not understood
     * @throws StoreException if the log cannot be read
     */
    public EventPage events(long fromOffset, int limit) {
        requirePage(fromOffset, limit);
        Sequencer owner = sequencer();
        if (processor.status() == PartitionStatus.CLOSED || !marks.isKnown()) {
            throw processor.refused();
        }
        long durable = marks.durable(); // after it is known: before that it may be what another owner has left behind
        return asOwner(
                owner, () -> readEvents(fromOffset, (int) Math.max(0, Math.min(limit, durable - fromOffset + 1))));
    }

    private EventPage readEvents(long fromOffset, int wanted) {
        List<Event> events = new ArrayList<>();
        long next = fromOffset;
        for (LogEvent event : wanted == 0 ? List.<LogEvent>of() : store.events(fromOffset, wanted)) {
            if (event.offset() != next) {
                break; // nobody sees an event before the one that belongs in front of it
            }
            events.add(decoded(event));
            next++;
        }
        return new EventPage(events, next);
    }

    /** What follows from events is shown if it was not begun anew meanwhile: then some of it is missing, or old. */
    private <T> T asApplied(Supplier<T> read) {
        Sequencer owner = sequencer();
        long setbacks = marks.setbacks();
        requireApplied();
        T found = asOwner(owner, read);
        if (marks.setbacks() != setbacks) {
            throw new EventLogException(ErrorCode.RECOVERING, "what follows from the log is made anew");
        }
        return found;
    }

    /**
     * What was read is shown if it is certain then that no other owner has written what belongs there. What was not understood
     * may be of the next owner, who has deployed another definition.
     *
     * @param owner as it was before anything was looked at; a rebuild brings another one
     */
    private <T> T asOwner(Sequencer owner, Supplier<T> read) {
        Optional<EventLogException> trouble = Optional.empty();
        Optional<T> found = Optional.empty();
        try {
            found = Optional.of(read.get());
        } catch (EventLogException e) {
            trouble = Optional.of(e);
        }
        if (shared && !owner.isOwner()) {
            throw new EventLogException(
                    ErrorCode.RECOVERING,
                    "another process has taken the partition, or may have: that is not known yet",
                    trouble.orElse(null));
        }
        if (trouble.isPresent()) {
            throw trouble.get();
        }
        return found.orElseThrow();
    }

    /**
     * Returns the events of a workspace in order.
     *
     * @param fromOffset WLog offset of the first one wanted, at least 1
     * @param limit from 1 to {@link #MOST_EVENTS}; fewer may come although there are more
     * @throws EventLogException as {@link #events}; also QUARANTINED
     * @throws StoreException if the log cannot be read
     */
    public EventPage workspaceEvents(long workspace, long fromOffset, int limit) {
        requirePage(fromOffset, limit);
        return asApplied(() -> readWorkspaceEvents(workspace, fromOffset, limit));
    }

    private EventPage readWorkspaceEvents(long workspace, long fromOffset, int limit) {
        long applied = marks.applied();
        List<Event> events = new ArrayList<>();
        long next = fromOffset;
        int bytes = 0;
        for (WorkspaceEvent place : store.workspaceEvents(workspace, fromOffset, limit)) {
            if (place.offset() != next || place.plogOffset() >= applied || bytes >= PartitionStore.PAGE_BYTES) {
                break;
            }
            LogEvent event = event(place.plogOffset());
            bytes += event.body().length;
            events.add(eventOf(place, event));
            next++;
        }
        return new EventPage(events, next);
    }

    /**
     * Returns a record as the last applied event left it; one of an argument as its event made it.
     *
     * @throws EventLogException as {@link #workspaceEvents}
     * @throws StoreException if it cannot be read
     */
    public Optional<StoredRecord> record(long workspace, long id) {
        return asApplied(() -> find(workspace, id));
    }

    private Optional<StoredRecord> find(long workspace, long id) {
        Optional<RegistryRow> registered = store.registered(workspace, id);
        if (registered.isEmpty()) {
            return Optional.empty();
        }
        TypeEntry type = schema.type(registered.get().type())
                .orElseThrow(() -> Events.corrupt("id " + id + " is of a type that the application does not have"));
        if (!type.type().kind().isOperation()) {
            return store.record(workspace, id).map(row -> stored(row, type));
        }
        return store.workspaceEvents(workspace, registered.get().wlogOffset(), 1).stream()
                .filter(place -> place.offset() == registered.get().wlogOffset())
                .findFirst()
                .flatMap(place -> inArgument(place, id));
    }

    private Optional<StoredRecord> inArgument(WorkspaceEvent place, long id) {
        requireApplied(place.plogOffset());
        return Events.inArgument(eventOf(place, event(place.plogOffset())), id);
    }

    private StoredRecord stored(RecordRow row, TypeEntry type) {
        requireApplied(row.plogOffset());
        try {
            return new StoredRecord(
                    row.id(),
                    type.name(),
                    row.plogOffset(),
                    row.wlogOffset(),
                    EventRows.fieldsOf(row),
                    OptionalLong.empty());
        } catch (IllegalArgumentException e) {
            throw Events.corrupt("record " + row.id() + " is not understood: " + e.getMessage());
        }
    }

    /** Rows are there a moment before it is known that all are. */
    private void requireApplied(long plogOffset) {
        if (!marks.awaitApplied(plogOffset, APPLIED_WAIT.toNanos())) {
            throw processor.refused();
        }
    }

    private LogEvent event(long offset) {
        return Events.at(offset, store).orElseThrow(() -> Events.corrupt("there is no event at offset " + offset));
    }

    /** Nobody sees the event of another workspace where a place that somebody else wrote points to it. */
    private Event eventOf(WorkspaceEvent place, LogEvent event) {
        Event decoded = decoded(event);
        if (decoded.workspace() != place.workspace() || decoded.wlogOffset() != place.offset()) {
            throw Events.corrupt("at WLog offset " + place.offset() + " of workspace " + place.workspace()
                    + " stands the event at PLog offset " + event.offset() + ", which belongs elsewhere");
        }
        return decoded;
    }

    private Event decoded(LogEvent event) {
        EventBody body = Events.bodyOf(event);
        try {
            return Events.of(event, body, schema);
        } catch (IllegalArgumentException e) {
            throw Events.notUnderstood(event, e);
        }
    }

    private static void requirePage(long fromOffset, int limit) {
        if (fromOffset < 1 || limit < 1 || limit > MOST_EVENTS) {
            throw new EventLogException(
                    ErrorCode.BAD_REQUEST,
                    "offsets start at 1, and a page has from 1 to " + MOST_EVENTS + " events: from=" + fromOffset
                            + " limit=" + limit);
        }
    }

    /** What follows from events is shown only when it was up to date once, and is not known to be something else. */
    private void requireApplied() {
        PartitionStatus status = processor.status();
        boolean shown = switch (status) {
            case READY -> true;
            case RECOVERING, BEHIND, FENCED -> processor.condition().wasUpToDate();
            case QUARANTINED, CORRUPT, CLOSED -> false;
        };
        if (!shown) {
            throw processor.refused();
        }
    }

    /**
     * Calls a task whenever something has changed here, until what is returned is run. The task is called by the thread that
     * carries out commands: it must be short; one that throws is called no more.
     */
    public Runnable listen(Runnable task) {
        return marks.listen(task);
    }

    /** What there is to know of it; never waits. */
    public PartitionState state() {
        return new PartitionState(
                processor.status(),
                sequencer().state(),
                marks.durable(),
                marks.applied(),
                processor.waiting(),
                settings.trustLevel(),
                processor.condition().trouble(),
                processor.condition().differences());
    }

    /** What it has done since it was opened; never waits. */
    public PartitionStatistics statistics() {
        return processor.statistics();
    }

    // ---- for an operator

    /**
     * Reads the whole log, and says what does not belong together: offsets, numbers, headers against bodies, and what
     * follows from events that are applied. Changes nothing; commands go on.
     *
     * @throws StoreException if the store cannot be reached
     */
    public LogReport check() {
        return BodyCheck.of(store, schema, environment).run();
    }

    /** Reads the log again from the checkpoint under a new epoch, and tries again what could not be applied. */
    public CompletableFuture<PartitionState> actualize() {
        return operate(processor::readAgain);
    }

    /**
     * Makes everything that follows from the log anew: the stored numbers, and, over whatever is there, records, registry
     * and places of events. Ends a quarantine. Commands are refused meanwhile, and
     * reads of what follows from the log; where other processes share the store, those of the log too.
     */
    public CompletableFuture<PartitionState> rebuild() {
        return rebuild(progress -> {});
    }

    /**
     * The same, which tells how far the numbers are; then {@link #state} shows how far everything else is.
     *
     * @param listener is called by the thread that carries out commands: it must be short and must not throw
     */
    public CompletableFuture<PartitionState> rebuild(Consumer<ReplayProgress> listener) {
        return operate(operation -> {
            if (!rebuilds.tryAcquire()) {
                throw new EventLogException(ErrorCode.BUSY, "other partitions are being rebuilt");
            }
            boolean rebuilt = false;
            processor.pause();
            sequencer().close();
            try {
                var unused = Rebuild.run(store, environment, progress -> {
                    marks.tell();
                    listener.accept(progress);
                });
                processor.applyAnew(epochOfNumbers());
                rebuilt = true;
            } finally {
                rebuilds.release();
                processor.beginAnew(this::newSequencer, rebuilt, operation);
            }
        });
    }

    /** The epoch under which the numbers were just stored, not that of somebody who has come meanwhile. */
    private long epochOfNumbers() {
        return store.checkpoint().map(Checkpoint::epoch).orElseGet(store::epoch);
    }

    /**
     * Lets an event pass without a projector that keeps failing at it, which is written down for good. The partition must be
     * waiting for just that.
     *
     * @param who asks for it, empty if that is not known
     * @param reason at least one character
     */
    public CompletableFuture<PartitionState> skip(long plogOffset, String projector, String who, String reason) {
        if (reason.isBlank()) {
            return CompletableFuture.failedFuture(
                    new EventLogException(ErrorCode.REASON_REQUIRED, "to skip a projector needs a reason"));
        }
        return operate(operation -> {
            if (!processor.applying().failing().equals(Optional.of(new Applying.Failing(plogOffset, projector)))) {
                throw new EventLogException(
                        ErrorCode.NOT_FOUND,
                        "nothing waits for projector " + projector + " at PLog offset " + plogOffset);
            }
            processor
                    .applying()
                    .skip(new SkippedRow(
                            plogOffset,
                            projector,
                            who,
                            reason,
                            environment.now().toEpochMilli()));
            processor.tryAgain(operation);
        });
    }

    /** What operators let pass, in order of offset; at most a thousand from an offset on. */
    public List<SkippedRow> skipped(long fromOffset) {
        return store.skipped(fromOffset, MOST_EVENTS);
    }

    private interface Act {
        void run(Operation operation);
    }

    private CompletableFuture<PartitionState> operate(Act act) {
        CompletableFuture<PartitionState> answer = new CompletableFuture<>();
        processor.submit(new Operation() {
            @Override
            @SuppressWarnings("CatchingUnchecked") // whatever it is, who asked is told
            public void run() {
                try {
                    act.run(this);
                } catch (RuntimeException | Error e) {
                    answer.completeExceptionally(e);
                }
            }

            @Override
            public void done() {
                answer.complete(state());
            }

            @Override
            public void refuse(EventLogException reason) {
                answer.completeExceptionally(reason);
            }
        });
        return answer;
    }

    // ---- its end

    PartitionKey key() {
        return store.key();
    }

    /**
     * Closes partitions: refuses new commands and those that wait, lets those under way end, and stores what is not stored.
     * However many there are and whatever the store does, it takes twice the wait and some: they wait side by side, and one
     * that cannot be stored keeps none of the others from it.
     */
    static void closeAll(List<Partition> partitions, Duration wait, Environment environment) {
        partitions.forEach(each -> each.processor.close());
        long ended = environment.nanoTime() + wait.toNanos();
        partitions.forEach(each -> each.processor.awaitEnd(left(ended, environment)));
        Sequencer.closeAll(partitions.stream().map(Partition::sequencer).toList(), wait);
        partitions.forEach(each -> each.marks.close());
    }

    private static Duration left(long deadline, Environment environment) {
        return Duration.ofNanos(Math.max(0, deadline - environment.nanoTime()));
    }
}
