package io.seriatim.eventlog;

import io.seriatim.Environment;
import io.seriatim.store.Checkpoint;
import io.seriatim.store.HeaderVisitor;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Brings the numbers to where the log is, on a thread of the environment; has the sequencer's turn meanwhile. */
final class Actualizer {

    /*
     * The order matters. First a new epoch: from then on no earlier write of this owner, to the log or to the numbers, can
     * land any more. Then the checkpoint, and the log from there on to its end; numbers only rise, so it does not matter
     * what of it was known before. The next offset is set to the end of the log.
     *
     * Every step is tried again while the store fails, and the replay goes on where it was. It stores its progress as it
     * goes, so that a crash in its middle does not begin it anew.
     *
     * The events are in the log already, so what bounds the numbers that are not stored meanwhile is not how much a crash
     * may leave to be read again, but the room for workspaces in memory. A log of few workspaces is read without waiting
     * for the store.
     */

    private static final int PAGE = 4_096;
    private static final int LEAST_PAGE = 64;
    private static final int EVENTS_A_WRITE = 10_000;

    private final Sequencer sequencer;
    private final PartitionStore store;
    private final Numbers numbers;
    private final SequencerSettings settings;
    private final Environment environment;
    private final Signal signal;
    /** Numbers that may be on their way to the store during a replay. */
    private final int most;

    /** Of this owner; 0 before it has taken the partition. */
    private volatile long epoch;
    /** The one that this owner has asked for, and may have before it knows. */
    private volatile long wantedEpoch;
    /** The first epoch that this owner had. */
    private long firstEpoch;

    private boolean renewed;
    private boolean begun;
    /** The first offset that this owner had not seen in the log or given out. */
    private long known;

    /** Whether an event of another owner was met since this began, and what was known before is forgotten. */
    private boolean foreign;

    private boolean forgotten;
    private final AtomicLong replayed = new AtomicLong();
    private volatile long total;
    private volatile long beganNanos;
    private volatile long endedNanos;
    private volatile boolean done;

    Actualizer(
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
        most = Math.max(settings.maxUnflushedValues(), settings.lruCacheSize());
    }

    long epoch() {
        return epoch;
    }

    long wantedEpoch() {
        return wantedEpoch;
    }

    /** Asks the store; another owner's epoch is the end. While this one raises its own, it may not know. */
    boolean isOwner() {
        long present = store.epoch();
        if (epoch != 0 && sequencer.isForeign(present)) {
            sequencer.end(Refusal.FENCED);
        }
        return epoch != 0 && present <= epoch;
    }

    /** Begins a replay; the caller has the turn and passes it on. */
    void begin() {
        known = epoch == 0 ? Long.MAX_VALUE : numbers.openOffset();
        renewed = false;
        begun = false;
        foreign = false;
        forgotten = false;
        replayed.set(0);
        total = 0;
        done = false;
        beganNanos = environment.nanoTime();
        resume();
    }

    private void resume() {
        try {
            environment.executor().execute(this::run);
        } catch (RuntimeException | Error e) { // no thread for it: the turn must not be lost
            sequencer.flusher().failed(e);
            environment.after(settings.retry(), this::resume);
        }
    }

    /** Nothing is tried again once the turn is given back: whoever has it then would share it. */
    private void run() {
        boolean over;
        try {
            over = sequencer.ended().isPresent() || replayUnlessCorrupt();
        } catch (RuntimeException | Error e) {
            sequencer.flusher().failed(e);
            environment.after(settings.retry(), this::resume);
            return;
        }
        if (over) {
            end();
        } else {
            environment.after(settings.batcherDelay(), this::resume);
        }
    }

    private boolean replayUnlessCorrupt() {
        try {
            return replayAll();
        } catch (CorruptLogException e) {
            return endCorrupt(e);
        } catch (StoreException e) {
            if (!isCorrupt(e)) {
                throw e;
            }
            return endCorrupt(e);
        }
    }

    private boolean endCorrupt(Exception reason) {
        if (isPassedOver()) {
            endFenced();
        } else {
            sequencer.flusher().failed(reason);
            sequencer.end(Refusal.CORRUPT);
        }
        return true;
    }

    /** What seems not to belong together is then what the next owner has written while this one read. */
    private boolean isPassedOver() {
        try {
            return epoch != 0 && !isOwner();
        } catch (StoreException e) {
            if (!isCorrupt(e)) {
                throw e;
            }
            return false;
        }
    }

    private void endFenced() {
        sequencer.end(Refusal.FENCED);
        numbers.forgetAll();
    }

    static boolean isCorrupt(Throwable failure) {
        return failure instanceof StoreException e && e.kind() == StoreException.Kind.CORRUPT;
    }

    private void end() {
        endedNanos = environment.nanoTime();
        done = sequencer.ended().isEmpty();
        int events = numbers.pending().eventCount();
        int values = numbers.pending().valueCount();
        sequencer.flusher().settle();
        sequencer.release();
        signal.all();
        if (events > 0) {
            sequencer.flusher().published(events, values);
        }
    }

    /** Whether it has come to the end of the log, or to that of the sequencer. */
    private boolean replayAll() throws CorruptLogException {
        if (!renewed && !renew()) {
            return true;
        }
        while (sequencer.ended().isEmpty()) {
            if (!begun) {
                beginAtCheckpoint();
            }
            if (!makeRoom()) {
                return false;
            }
            Page page = new Page();
            int limit = room();
            int shown = store.replay(numbers.openOffset(), limit, page);
            page.rethrow();
            replayed.addAndGet(page.count);
            if (foreign && !forgotten) {
                forgotten = true;
                numbers.forgetAll();
                begun = false;
            } else if (shown < limit && page.count == shown) {
                requireEnd();
                return true;
            }
        }
        return true;
    }

    /** The headers that a replay is shown could be fewer than the events. */
    private void requireEnd() throws CorruptLogException {
        long last = store.lastOffset().orElse(0);
        if (last >= numbers.openOffset()) {
            throw new CorruptLogException(
                    "the log goes on to offset " + last + ", its headers end before " + numbers.openOffset());
        }
    }

    /** Whether this is still the owner. */
    private boolean renew() {
        long present = epoch;
        if (present == 0) {
            firstEpoch = store.take();
            wantedEpoch = firstEpoch;
            epoch = firstEpoch;
        } else {
            wantedEpoch = present + 1; // a write of the flusher may meet it before its answer is here
            LogOutcome outcome = store.renew(present);
            if (outcome instanceof LogOutcome.Applied) {
                epoch = present + 1;
            } else if (outcome instanceof LogOutcome.Fenced) {
                // Also where an earlier try has landed without an answer: who opens the partition anew takes it back.
                endFenced();
                return false;
            } else {
                throw new StoreException(StoreException.Kind.UNAVAILABLE, "the epoch cannot be raised: " + outcome);
            }
        }
        renewed = true;
        return true;
    }

    private void beginAtCheckpoint() throws CorruptLogException {
        Optional<Checkpoint> checkpoint = store.checkpoint();
        long from = checkpoint.map(Checkpoint::nextOffset).orElse(1L);
        requireEvent(from - 1);
        if (checkpoint.isPresent() && checkpoint.get().epoch() > epoch) {
            throw new CorruptLogException(
                    "the stored numbers are of epoch " + checkpoint.get().epoch() + ", the partition is at " + epoch);
        }
        sequencer.flusher().abandon();
        sequencer.flusher().setCheckpoint(from);
        numbers.beginReplay(from);
        total = Math.max(0, store.lastOffset().orElse(0) - from + 1);
        replayed.set(0);
        begun = true;
    }

    /** The event before the checkpoint proves that the log reaches it. */
    private void requireEvent(long offset) throws CorruptLogException {
        if (offset > 0) {
            List<LogEvent> there = store.events(offset, 1);
            if (there.isEmpty() || there.get(0).offset() != offset) {
                throw new CorruptLogException("the stored numbers reach the event at offset " + offset
                        + ", which the log does not have; its last one is at "
                        + store.lastOffset().orElse(0));
            }
        }
    }

    /** Stores progress, and says whether more can be read before that has come through. */
    private boolean makeRoom() {
        long seen = signal.count();
        boolean full = isFull();
        if (!full && numbers.pending().eventCount() < EVENTS_A_WRITE) {
            return true;
        }
        if (sequencer.flusher().storeReplayed() || !full) {
            return true;
        }
        boolean unused = signal.await(seen, settings.batcherDelay().toNanos());
        return sequencer.flusher().storeReplayed();
    }

    /** Half of the room is for what is in flight. */
    private boolean isFull() {
        return numbers.pending().valueCount() > most / 2;
    }

    /** How many events to ask for: not many more than there is room for, if each has one number. */
    private int room() {
        int values = most / 2 - numbers.pending().valueCount();
        return Math.max(LEAST_PAGE, Math.min(PAGE, values));
    }

    /** Takes headers over until there is no room, and keeps what is wrong with one until the store has returned. */
    private final class Page implements HeaderVisitor {

        private int count;
        private @Nullable CorruptLogException corrupt;

        @Override
        public void header(
                long offset,
                long writtenEpoch,
                long workspace,
                int kind,
                long writer,
                long write,
                int size,
                int[] sequences,
                long[] values) {
            if (corrupt != null || isFull()) {
                return;
            }
            foreign |= offset >= known && (writtenEpoch < firstEpoch || writtenEpoch > epoch);
            try {
                numbers.replay(offset, workspace, kind, size, sequences, values);
                count++;
            } catch (CorruptLogException e) {
                corrupt = e;
            }
        }

        void rethrow() throws CorruptLogException {
            if (corrupt != null) {
                throw corrupt;
            }
        }
    }

    /** Of the last or the present replay. */
    ReplayProgress progress() {
        long until = done ? endedNanos : environment.nanoTime();
        return new ReplayProgress(replayed.get(), total, Duration.ofNanos(Math.max(0, until - beganNanos)), done);
    }
}
