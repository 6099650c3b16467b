package io.seriatim.eventlog;

import io.seriatim.Environment;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.StoreException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Brings published numbers into the store, on threads of the environment, one write at a time. */
final class Flusher {

    /*
     * Two buffers: the transactions fill the one, and the other is in flight. A flush takes the full one whole, with the
     * offset that it reaches, so that numbers and offset can never be torn apart. What is in flight is written again
     * until it is stored; the store only ever raises, so that does no harm.
     *
     * A write is begun when enough events have come (published), when some time has passed since the first of them
     * (tick), when a start was refused or half of what may be unflushed is (urge), and at the end. To wake a thread costs
     * more than a hundred transactions. So after a write the flusher rests for a moment, in which nobody has to wake it,
     * and then looks for itself.
     *
     * A replay lets what is in flight go (abandon): it takes a new epoch first, so the write has landed before that or
     * never will, and what it would have stored is met again in the log.
     */

    private enum Life {
        IDLE,
        /** It will look by itself, soon. */
        RESTING,
        /** It will write again what has failed. */
        WAITING,
        RUNNING
    }

    private static final Duration REST = Duration.ofMillis(1);

    private final Sequencer sequencer;
    private final PartitionStore store;
    private final Numbers numbers;
    private final SequencerSettings settings;
    private final Environment environment;
    private final Signal signal;
    private final AtomicReference<Life> life = new AtomicReference<>(Life.IDLE);
    private final AtomicReference<@Nullable PendingRows> flight = new AtomicReference<>();
    private final AtomicBoolean ticking = new AtomicBoolean();
    private volatile @Nullable PendingRows spare;
    private volatile boolean urgent;
    private volatile long checkpoint = 1;
    private volatile boolean stopped;
    private final LongAdder failures = new LongAdder();
    private volatile @Nullable String lastFailure;

    Flusher(
            Sequencer sequencer,
            PartitionStore store,
            Numbers numbers,
            SequencerSettings settings,
            Environment environment,
            Signal signal) {
        this.sequencer = sequencer;
        this.store = store;
        this.numbers = numbers;
        this.settings = settings;
        this.environment = environment;
        this.signal = signal;
    }

    @Nullable
    PendingRows inFlight() {
        return flight.get();
    }

    // ---- what begins a write

    /** Is told how much is pending, after each publication. */
    void published(int events, int values) {
        boolean much = events >= settings.maxUnflushedEvents() / 2 || values >= settings.maxUnflushedValues() / 2;
        if (much || events >= settings.flushCount()) {
            Life now = life.get();
            if (now == Life.IDLE || now == Life.RESTING && much) {
                urge();
            }
        } else if (!ticking.get()) {
            scheduleTick();
        }
    }

    private void scheduleTick() {
        if (ticking.compareAndSet(false, true)) {
            environment.after(settings.maxFlushingInterval(), this::tick);
        }
    }

    private void tick() {
        ticking.set(false);
        urge();
    }

    /** Begins a write of whatever is pending, unless one is under way. */
    void urge() {
        urgent = true;
        resume(Life.IDLE);
        resume(Life.RESTING);
    }

    private void resume(Life from) {
        if (life.compareAndSet(from, Life.RUNNING)) {
            execute();
        }
    }

    private void execute() {
        try {
            environment.executor().execute(this::run);
        } catch (RuntimeException | Error e) { // no thread for it
            failed(e);
            pause(Life.WAITING, settings.retry());
        }
    }

    private void pause(Life pausing, Duration time) {
        life.set(pausing);
        environment.after(time, () -> resume(pausing));
    }

    // ---- the write

    private void run() {
        boolean stored;
        try {
            PendingRows rows = flight.get();
            if (isOver(rows)) {
                life.set(Life.IDLE);
                return;
            }
            if (rows == null) {
                rows = take();
            }
            if (rows == null) {
                return;
            }
            stored = write(rows);
        } catch (RuntimeException | Error e) {
            failed(e);
            stored = false;
        }
        if (!stored) {
            pause(Life.WAITING, settings.retry());
            return;
        }
        pause(Life.RESTING, REST);
        if (flight.get() != null) {
            resume(Life.RESTING); // a replay waits for it
        }
    }

    /** Whether nothing more is to be written; the last rows are put into flight by the thread that closes. */
    private boolean isOver(@Nullable PendingRows rows) {
        return sequencer
                .ended()
                .filter(ended -> stopped || rows == null || ended != Refusal.CLOSED)
                .isPresent();
    }

    /** Takes what is pending if there is reason to; else comes to rest, or looks again when a transaction is over. */
    private @Nullable PendingRows take() {
        if (!sequencer.takeTurnSoon()) {
            pause(Life.RESTING, settings.batcherDelay());
            return null;
        }
        PendingRows taken;
        int events;
        try {
            taken = flight.get(); // a replay may have come and gone since it was looked for
            events = numbers.pending().eventCount();
            if (taken == null && (events >= settings.flushCount() || events > 0 && urgent)) {
                taken = handOver();
            } else if (taken == null) {
                life.set(Life.IDLE); // with the turn, so that nobody can publish before it is seen
            }
        } finally {
            sequencer.release();
        }
        if (taken == null && events > 0) {
            scheduleTick();
            if (urgent) {
                resume(Life.IDLE); // who was urging saw it run
            }
        }
        return taken;
    }

    /** Puts what is pending into flight, by whoever has the turn, while nothing is. */
    private PendingRows handOver() {
        urgent = false;
        PendingRows empty = spare;
        spare = null;
        PendingRows full = numbers.handOver(empty == null ? numbers.emptyRows() : empty);
        flight.set(full);
        return full;
    }

    /** Whether there is nothing more to do for these rows. */
    private boolean write(PendingRows rows) {
        try {
            long epoch = sequencer.epoch();
            LogOutcome outcome = store.writeNumbers(epoch, rows, rows.nextOffset());
            if (outcome instanceof LogOutcome.Applied) {
                stored(rows);
                return true;
            }
            if (outcome instanceof LogOutcome.Fenced fenced && sequencer.isForeign(fenced.epoch())) {
                sequencer.end(Refusal.FENCED);
            }
            failed(outcome.toString());
        } catch (StoreException e) {
            failed(e);
        }
        return flight.get() != rows;
    }

    private void stored(PendingRows rows) {
        if (flight.compareAndSet(rows, null)) {
            numbers.stored(rows);
            checkpoint = Math.max(checkpoint, rows.nextOffset());
            spare = rows;
            signal.all();
        }
    }

    void failed(Throwable failure) {
        failed(failure.getMessage() == null ? failure.toString() : failure.getMessage());
    }

    private void failed(String failure) {
        failures.increment();
        lastFailure = failure;
    }

    // ---- for the Actualizer, which has the turn

    /** Forgets what is in flight. */
    void abandon() {
        flight.set(null);
        spare = null;
    }

    /** Begins to store what was replayed so far, if nothing is in flight; says whether it did. */
    boolean storeReplayed() {
        if (flight.get() != null || numbers.pending().eventCount() == 0) {
            return false;
        }
        settle();
        handOver();
        resume(Life.IDLE);
        resume(Life.RESTING);
        return true;
    }

    /** Lets what was replayed keep no transaction waiting but for half of what may be unflushed. */
    void settle() {
        numbers.pending().settle(settings.maxUnflushedValues() / 4, settings.maxUnflushedEvents() / 4);
    }

    void setCheckpoint(long nextOffset) {
        checkpoint = nextOffset;
    }

    // ---- the end, by whoever has the turn for good

    /** Begins to store what is in flight and pending, as far as that is possible now; says whether nothing is left to store. */
    boolean isFinished() {
        boolean lost = sequencer.ended().filter(Refusal.CLOSED::equals).isEmpty();
        if (lost || flight.get() == null && numbers.pending().eventCount() == 0) {
            return true;
        }
        if (flight.get() == null) {
            handOver();
        }
        resume(Life.IDLE);
        resume(Life.RESTING);
        resume(Life.WAITING);
        return false;
    }

    /** No write begins after this. */
    void stop() {
        stopped = true;
    }

    // ---- what it tells

    long checkpoint() {
        return checkpoint;
    }

    long failures() {
        return failures.sum();
    }

    @Nullable
    String lastFailure() {
        return lastFailure;
    }
}
