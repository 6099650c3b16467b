package io.seriatim.eventlog;

import io.seriatim.Environment;
import io.seriatim.ErrorCode;
import io.seriatim.SystemEnvironment;
import io.seriatim.store.LogEvent;
import io.seriatim.store.NumberRows;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.StoreException;
import io.seriatim.store.WriterMark;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Gives the events of one partition their offsets and the numbers that they use: offsets without a hole, and no number
 * twice in its workspace while its event is in the log.
 *
 * <p>It does not write the log: whoever starts a transaction appends its event and then says so. Numbers are stored in
 * the background, so that a restart reads only the events since. Transactions are for one thread at a time; the other
 * methods are safe for use by many.
 */
public final class Sequencer implements AutoCloseable {

    /*
     * Everything that Numbers holds is touched only by whoever has the turn, one word that is taken by compare-and-set
     * and given back by a release store:
     *
     *   FREE           nobody
     *   TRANSACTION    the caller's thread, from start to flush, seal or discard
     *   BACKGROUND     a thread that takes the pending rows for the store, for some nanoseconds; close, for good
     *   REPLAY         the Actualizer; here nobody waits for the turn, start is refused
     *
     * The hot way, start, next, flush, is one compare-and-set, one release store, and plain reads and writes between
     * them. What ends a sequencer (close, a foreign epoch, a corrupt log) is not a turn but the word "ending", which
     * every start reads once it has the turn. So an ending is never lost, and never waits for a caller who does not come
     * back.
     *
     * Calls to the store are made with the turn only by the caller's own thread (a workspace that is not in memory) and
     * by the Actualizer. The Flusher writes without it.
     */

    /** So often a close looks whether there is more to do. */
    private static final Duration CLOSE_LOOK = Duration.ofMillis(5);

    private static final int FREE = 0;
    private static final int TRANSACTION = 1;
    private static final int BACKGROUND = 2;
    private static final int REPLAY = 3;

    private static final VarHandle TURN;

    static {
        try {
            TURN = MethodHandles.lookup().findVarHandle(Sequencer.class, "turn", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int MOST_KINDS = 250;
    private static final int SPINS = 1_000;
    private static final Duration LONGEST = Duration.ofDays(365);

    private final WorkspaceKind[] kinds;
    private final SequencerSettings settings;
    private final Environment environment;
    private final Runnable closeEnvironment;
    private final Numbers numbers;
    private final Flusher flusher;
    private final Actualizer actualizer;
    private final Signal signal;
    private final SequencingTransaction transaction = new SequencingTransaction(this);
    private final AtomicReference<@Nullable Refusal> ending = new AtomicReference<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    /** Whether who closes has the turn, for good. By that thread alone. */
    private boolean closed;

    private final long writer;
    private long writes;
    /** Who started the open transaction; none once it is over, so that a close by another thread never takes it. */
    private @Nullable Thread starter;

    private volatile int turn = REPLAY;

    private Sequencer(
            PartitionStore store,
            List<WorkspaceKind> kinds,
            SequencerSettings settings,
            Environment environment,
            Runnable closeEnvironment) {
        this.kinds = kinds.toArray(WorkspaceKind[]::new);
        this.settings = settings;
        this.environment = environment;
        this.closeEnvironment = closeEnvironment;
        requireKinds();
        writer = environment.random();
        numbers = new Numbers(this.kinds, settings, store);
        signal = new Signal();
        actualizer = new Actualizer(this, store, numbers, settings, environment, signal);
        flusher = new Flusher(this, store, numbers, settings, environment, signal);
    }

    /**
     * Takes the partition and reads the rest of its log in the background; returns at once.
     *
     * @param kinds all kinds that workspaces of the log have; ids are unique
     * @throws IllegalArgumentException if there is none, too many, or one of them twice, or the settings want more than fits
     */
    public static Sequencer on(PartitionStore store, List<WorkspaceKind> kinds) {
        SystemEnvironment environment = new SystemEnvironment();
        return begin(new Sequencer(store, kinds, SequencerSettings.usual(), environment, environment::close));
    }

    /** The same with settings, and with an environment that is not closed. */
    public static Sequencer on(
            PartitionStore store, List<WorkspaceKind> kinds, SequencerSettings settings, Environment environment) {
        return begin(new Sequencer(store, kinds, settings, environment, () -> {}));
    }

    private static Sequencer begin(Sequencer sequencer) {
        sequencer.actualizer.begin();
        return sequencer;
    }

    private void requireKinds() {
        if (kinds.length == 0 || kinds.length > MOST_KINDS) {
            throw new IllegalArgumentException("there are from 1 to " + MOST_KINDS + " kinds: " + kinds.length);
        }
        for (int i = 0; i < kinds.length; i++) {
            for (int j = 0; j < i; j++) {
                if (kinds[i].id() == kinds[j].id()) {
                    throw new IllegalArgumentException("a kind is there twice: id=" + kinds[i].id());
                }
            }
        }
    }

    // ---- a transaction

    /**
     * Starts the transaction of one event, or says why not; never waits.
     *
     * @param kind id of the kind that the workspace is of
     * @param workspace any number
     * @throws IllegalArgumentException if there is no such kind
     * @throws IllegalStateException if a transaction is open
     */
    public Start start(int kind, long workspace) {
        int place = placeOf(kind);
        if (!TURN.compareAndSet(this, FREE, TRANSACTION)) {
            return startLate(place, workspace);
        }
        return begin(place, workspace);
    }

    private Start begin(int kind, long workspace) {
        Refusal ended = ending.get();
        if (ended != null || isFull()) {
            release();
            return ended != null ? ended : backlog();
        }
        starter = Thread.currentThread();
        numbers.begin(kind, workspace);
        return transaction;
    }

    private boolean isFull() {
        PendingRows pending = numbers.pending();
        PendingRows flight = flusher.inFlight();
        int values = pending.unflushedValues();
        int events = pending.unflushedEvents();
        if (flight != null) {
            values += flight.unflushedValues();
            events += flight.unflushedEvents();
        }
        return values > settings.maxUnflushedValues()
                || events > settings.maxUnflushedEvents()
                || numbers.isGroupFull();
    }

    private Refusal backlog() {
        flusher.urge();
        return Refusal.BACKLOG;
    }

    /** Whoever has the turn in the background has it for a moment only, but a replay. */
    private Start startLate(int kind, long workspace) {
        for (; ; ) {
            int has = turn;
            Refusal ended = ending.get();
            if (ended != null) {
                return ended;
            }
            switch (has) {
                case TRANSACTION -> throw new IllegalStateException("a transaction is open");
                case REPLAY -> {
                    return Refusal.ACTUALIZING;
                }
                default -> {
                    if (TURN.compareAndSet(this, FREE, TRANSACTION)) {
                        return begin(kind, workspace);
                    }
                    Thread.onSpinWait();
                }
            }
        }
    }

    /**
     * The same, and waits until there is a transaction, or a reason that is final.
     *
     * @param wait at most; the last reason is returned when it is over, or when the thread is interrupted
     */
    public Start start(int kind, long workspace, Duration wait) {
        long seen = signal.count();
        Start start = start(kind, workspace);
        if (!mayCome(start)) {
            return start;
        }
        long deadline = environment.nanoTime() + (wait.compareTo(LONGEST) < 0 ? wait : LONGEST).toNanos();
        while (mayCome(start) && signal.await(seen, deadline - environment.nanoTime())) {
            seen = signal.count();
            start = start(kind, workspace);
        }
        return start;
    }

    /** Whether to wait helps; a full group is flushed by the thread that would wait for it. */
    private boolean mayCome(Start start) {
        return start instanceof Refusal refusal
                && !refusal.isFinal()
                && !(refusal == Refusal.BACKLOG && numbers.isGroupFull());
    }

    private int placeOf(int kind) {
        for (int i = 0; i < kinds.length; i++) {
            if (kinds[i].id() == kind) {
                return i;
            }
        }
        throw new IllegalArgumentException("no such kind: kind=" + kind);
    }

    SequencingTransaction transaction() {
        return transaction;
    }

    int onlyKind() {
        if (kinds.length > 1) {
            throw new IllegalStateException("the workspace's kind must be said, there are " + kinds.length);
        }
        return kinds[0].id();
    }

    /** The numbers, for whoever says that a transaction is open. */
    Numbers opened() {
        if (!numbers.isOpen()) {
            throw new IllegalStateException("no transaction is open");
        }
        return numbers;
    }

    long next(int sequence) {
        opened();
        requireNotEnded();
        int place = declared(sequence);
        if (!numbers.isLoaded()) {
            load();
        }
        return numbers.next(place);
    }

    void raise(int sequence, long number, long maxJump) {
        opened();
        requireNotEnded();
        int place = declared(sequence);
        KindSequence its = numbers.openKind().sequences().get(place);
        if (number > its.max()) {
            throw new EventLogException(
                    ErrorCode.OUT_OF_RANGE, "the number is above the sequence's max, " + its.max() + ": " + number);
        }
        if (number < its.initial()) {
            return;
        }
        if (!numbers.isLoaded()) {
            load();
        }
        long last = Math.max(numbers.last(place), its.initial() - 1);
        if (number > last && number - last > maxJump) {
            throw new EventLogException(
                    ErrorCode.OUT_OF_RANGE,
                    "the number may be at most " + (last + maxJump) + ", " + maxJump + " above "
                            + (last < its.initial() ? "what is before the first one, " : "the last one, ") + last + ": "
                            + number);
        }
        numbers.raise(place, number);
    }

    private void requireNotEnded() {
        Refusal ended = ending.get();
        if (ended != null) {
            throw ended.exception();
        }
    }

    private int declared(int sequence) {
        WorkspaceKind kind = numbers.openKind();
        int place = kind.placeOf(sequence);
        if (place < 0) {
            throw new EventLogException(ErrorCode.BAD_REQUEST, "kind " + kind.id() + " has no sequence " + sequence);
        }
        return place;
    }

    /** Reads the numbers of the workspace, again and again while the store fails, until maxWait is over. */
    private void load() {
        for (long tried = 1; ; tried++) {
            requireNotEnded();
            long seen = signal.count();
            try {
                numbers.load();
                return;
            } catch (StoreException e) {
                flusher.failed(e);
                if (Actualizer.isCorrupt(e)) {
                    throw new EventLogException(ErrorCode.STORE_CORRUPT, "the numbers of the workspace are damaged", e);
                }
                if (tried > settings.maxWait().dividedBy(settings.retry())
                        || Thread.currentThread().isInterrupted()) {
                    throw new EventLogException(
                            ErrorCode.STORE_UNAVAILABLE, "the numbers of the workspace cannot be read", e);
                }
            }
            boolean unused = signal.await(seen, settings.retry().toNanos());
        }
    }

    LogEvent event(String key, byte[] body) {
        opened();
        if (!numbers.isLoaded()) {
            load(); // an event without numbers, too, must be of the kind that its workspace has
        }
        WriterMark mark = new WriterMark(writer, ++writes);
        return new LogEvent(numbers.openOffset(), epoch(), numbers.header(mark, key), body);
    }

    SealedTransaction seal() {
        long offset = opened().openOffset();
        long seal = numbers.seal();
        endTransaction();
        return new SealedTransaction(this, offset, seal);
    }

    NumberRows flushOpen() {
        NumberRows batch = opened().flushOpen();
        PendingRows pending = numbers.pending();
        int events = pending.eventCount();
        int values = pending.valueCount();
        endTransaction();
        flusher.published(events, values);
        return batch;
    }

    /** An open transaction, if there is one, goes on. */
    NumberRows flushSealed(long seal) {
        boolean inTransaction = numbers.isOpen();
        if (!inTransaction) {
            takeTurn();
        }
        int events;
        int values;
        NumberRows batch;
        try {
            if (!numbers.isSealed(seal)) {
                throw new IllegalStateException("the transaction is not sealed any more");
            }
            batch = numbers.flushSealed(seal);
            events = numbers.pending().eventCount();
            values = numbers.pending().valueCount();
        } finally {
            if (!inTransaction) {
                release();
            }
        }
        flusher.published(events, values);
        return batch;
    }

    void discard() {
        opened().discard();
        endTransaction();
    }

    private void endTransaction() {
        starter = null;
        release();
    }

    void actualizeOpen() {
        opened();
        replay();
    }

    void leave() {
        if (numbers.isOpen()) {
            replay();
        }
    }

    /**
     * Ends all sealed transactions, of which nobody knows whether they are in the log, and the open one if there is one;
     * reads the log in the background as {@link SequencingTransaction#actualize} does.
     *
     * @throws IllegalStateException if no transaction is open or sealed
     */
    public void actualize() {
        if (!numbers.isOpen()) {
            takeTurn();
            if (!numbers.hasSealed()) {
                release();
                throw new IllegalStateException("no transaction is open or sealed");
            }
        }
        replay();
    }

    private void replay() {
        numbers.dropTransactions();
        starter = null;
        turn = REPLAY;
        actualizer.begin();
    }

    // ---- the turn

    /** For the thread that starts transactions while none is open. */
    private void takeTurn() {
        while (!TURN.compareAndSet(this, FREE, TRANSACTION)) {
            if (ending.get() != null || turn == REPLAY || turn == TRANSACTION) {
                throw new IllegalStateException("the transaction is over, or another one is open");
            }
            Thread.onSpinWait();
        }
    }

    /** Takes the turn for the background if it comes free soon. */
    boolean takeTurnSoon() {
        for (int spin = 0; spin < SPINS; spin++) {
            if (TURN.compareAndSet(this, FREE, BACKGROUND)) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    /** Gives the turn back, from whomever. */
    void release() {
        TURN.setRelease(this, FREE);
    }

    // ---- its end

    /** Ends it for a reason; the first one counts. */
    void end(Refusal reason) {
        ending.compareAndSet(null, reason);
        signal.all();
    }

    Optional<Refusal> ended() {
        return Optional.ofNullable(ending.get());
    }

    long epoch() {
        return actualizer.epoch();
    }

    /** Whether an epoch that the store tells of can only be another owner's. */
    boolean isForeign(long present) {
        return present > actualizer.wantedEpoch();
    }

    Flusher flusher() {
        return flusher;
    }

    /**
     * Refuses new transactions, stores what is not stored yet, and returns within closeWait and some: what could not be stored
     * by then is in the log, and {@link #state} still counts it. May be called twice.
     */
    @Override
    public void close() {
        closeAll(List.of(this), settings.closeWait());
    }

    /**
     * Closes many as {@link #close()} does one, side by side: whichever cannot be stored, the others are, within one wait for
     * all. With a wait of zero nothing is waited for.
     */
    public static void closeAll(Collection<Sequencer> sequencers, Duration wait) {
        List<Sequencer> open = new ArrayList<>();
        for (Sequencer each : sequencers) {
            if (each.closing.compareAndSet(false, true)) {
                each.end(Refusal.CLOSED);
                open.add(each);
            }
        }
        List<Sequencer> left = new ArrayList<>(open);
        for (long tries = 1 + wait.dividedBy(CLOSE_LOOK); tries > 0 && !left.isEmpty(); tries--) {
            Signal slowest = left.get(0).signal;
            long seen = slowest.count();
            left.removeIf(Sequencer::isStoredForGood);
            if (!left.isEmpty() && !wait.isZero()) {
                slowest.awaitThrough(seen, CLOSE_LOOK);
            }
        }
        for (Sequencer each : open) {
            each.flusher.stop();
            each.closeEnvironment.run();
        }
    }

    /** Does what can be done now to store the rest; says whether nothing is left to do. */
    private boolean isStoredForGood() {
        closed = closed || isTurnTakenForGood();
        return closed && flusher.isFinished();
    }

    /** A replay gives the turn back when it sees the end; a transaction when it ends, or here if it is this thread's own. */
    private boolean isTurnTakenForGood() {
        if (turn == TRANSACTION && starter == Thread.currentThread()) {
            numbers.dropTransactions();
            turn = BACKGROUND;
            return true;
        }
        return TURN.compareAndSet(this, FREE, BACKGROUND);
    }

    // ---- what it tells

    /**
     * Asks the store whether this is still the owner of the partition. If it is, what was read before lacks nothing that
     * another owner has written; if another one has come, this one is {@link SequencerStatus#FENCED} from now on. False, too,
     * where that cannot be known at the moment, while the epoch is raised. For any thread.
     *
     * @throws StoreException if the store cannot be asked
     */
    public boolean isOwner() {
        return actualizer.isOwner();
    }

    /** What it is doing; never waits. */
    public SequencerStatus status() {
        Refusal ended = ending.get();
        if (ended != null) {
            return switch (ended) {
                case CORRUPT -> SequencerStatus.CORRUPT;
                case FENCED -> SequencerStatus.FENCED;
                default -> SequencerStatus.CLOSED;
            };
        }
        return switch (turn) {
            case TRANSACTION -> SequencerStatus.IN_TRANSACTION;
            case REPLAY -> epoch() == 0 ? SequencerStatus.NONE : SequencerStatus.RECOVERING;
            default -> SequencerStatus.READY;
        };
    }

    /** What there is to know of it; figures of different moments may stand side by side. Never waits. */
    public SequencerState state() {
        PendingRows pending = numbers.pending();
        Optional<PendingRows> flight = Optional.ofNullable(flusher.inFlight());
        return new SequencerState(
                status(),
                epoch(),
                numbers.openOffset(),
                flusher.checkpoint(),
                pending.valueCount() + flight.map(PendingRows::valueCount).orElse(0),
                pending.eventCount() + flight.map(PendingRows::eventCount).orElse(0),
                numbers.cachedWorkspaces(),
                flusher.failures(),
                Optional.ofNullable(flusher.lastFailure()),
                actualizer.progress());
    }
}
