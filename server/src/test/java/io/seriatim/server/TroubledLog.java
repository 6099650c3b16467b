package io.seriatim.server;

import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.store.ApplicationRow;
import io.seriatim.store.Checkpoint;
import io.seriatim.store.DerivedRows;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.HeaderVisitor;
import io.seriatim.store.KeyRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.NumberRows;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RecordRow;
import io.seriatim.store.RegistryRow;
import io.seriatim.store.SkippedRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.WorkspaceEvent;
import io.seriatim.store.WriteMode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Event logs in memory that hang or fail when a test says so. */
final class TroubledLog implements EventLogStore {

    final MemoryEventLogStore store;
    private volatile CountDownLatch appends = new CountDownLatch(0);
    private volatile CountDownLatch held = new CountDownLatch(0);
    private volatile CountDownLatch replays = new CountDownLatch(0);
    private volatile @Nullable StoreException failure;
    private volatile boolean losesAnswers;

    TroubledLog() {
        this(new MemoryEventLogStore());
    }

    TroubledLog(MemoryEventLogStore store) {
        this.store = store;
    }

    /** From now on appends wait. */
    void holdAppends() {
        held = new CountDownLatch(1);
        appends = new CountDownLatch(1);
    }

    /** Returns when one waits. */
    void awaitHeldAppend() {
        await(held);
    }

    /** From now on replays wait. */
    void holdReplays() {
        replays = new CountDownLatch(1);
    }

    void release() {
        appends.countDown();
        replays.countDown();
    }

    /** From now on appends fail, or no more if it is null. */
    void fail(@Nullable StoreException failure) {
        this.failure = failure;
    }

    /** From now on it is not known what became of an append, which is written all the same. */
    void loseAnswers(boolean loses) {
        losesAnswers = loses;
    }

    @Override
    public PartitionStore partition(PartitionKey key) {
        return new Troubled(store.partition(key));
    }

    @Override
    public List<PartitionKey> partitions() {
        return store.partitions();
    }

    @Override
    public List<ApplicationRow> applications() {
        return store.applications();
    }

    @Override
    public LogOutcome write(ApplicationRow row) {
        return store.write(row);
    }

    @Override
    public boolean enforcesEpoch() {
        return store.enforcesEpoch();
    }

    @Override
    public boolean isShared() {
        return store.isShared();
    }

    @Override
    public Optional<StoreException> failure() {
        return store.failure();
    }

    /** Keeps the rows: a test may open it again. */
    @Override
    public void close() {
        release();
    }

    private static void await(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Troubled implements PartitionStore {
        private final PartitionStore its;

        Troubled(PartitionStore its) {
            this.its = its;
        }

        @Override
        public LogOutcome append(long epoch, WriteMode mode, List<LogEvent> events) {
            held.countDown();
            await(appends);
            StoreException refusal = failure;
            if (refusal != null) {
                throw refusal;
            }
            LogOutcome outcome = its.append(epoch, mode, events);
            return losesAnswers ? new LogOutcome.Unknown(new IllegalStateException("lost")) : outcome;
        }

        @Override
        public int replay(long fromOffset, int limit, HeaderVisitor visitor) {
            await(replays);
            return its.replay(fromOffset, limit, visitor);
        }

        @Override
        public PartitionKey key() {
            return its.key();
        }

        @Override
        public long epoch() {
            return its.epoch();
        }

        @Override
        public long take() {
            return its.take();
        }

        @Override
        public LogOutcome renew(long epoch) {
            return its.renew(epoch);
        }

        @Override
        public List<LogEvent> events(long fromOffset, int limit) {
            return its.events(fromOffset, limit);
        }

        @Override
        public OptionalLong lastOffset() {
            return its.lastOffset();
        }

        @Override
        public LogOutcome derive(long epoch, DerivedRows rows) {
            return its.derive(epoch, rows);
        }

        @Override
        public OptionalLong appliedOffset() {
            return its.appliedOffset();
        }

        @Override
        public List<WorkspaceEvent> workspaceEvents(long workspace, long fromOffset, int limit) {
            return its.workspaceEvents(workspace, fromOffset, limit);
        }

        @Override
        public Optional<RecordRow> record(long workspace, long id) {
            return its.record(workspace, id);
        }

        @Override
        public Optional<RegistryRow> registered(long workspace, long id) {
            return its.registered(workspace, id);
        }

        @Override
        public Optional<KeyRow> keyed(long workspace, String key) {
            return its.keyed(workspace, key);
        }

        @Override
        public List<SkippedRow> skipped(long fromOffset, int limit) {
            return its.skipped(fromOffset, limit);
        }

        @Override
        public Optional<Checkpoint> checkpoint() {
            return its.checkpoint();
        }

        @Override
        public int readNumbers(long workspace, int[] sequences, long[] values) {
            return its.readNumbers(workspace, sequences, values);
        }

        @Override
        public LogOutcome writeNumbers(long epoch, NumberRows rows, long nextOffset) {
            return its.writeNumbers(epoch, rows, nextOffset);
        }

        @Override
        public LogOutcome resetCheckpoint(long epoch) {
            return its.resetCheckpoint(epoch);
        }
    }
}
