package io.seriatim.eventlog.application;

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
import java.util.function.Supplier;

/** A store whose partitions pass every call on; what a test wants otherwise it overrides. */
class ForwardingStore implements EventLogStore {

    /** The calls of a partition. */
    enum Call {
        EPOCH,
        TAKE,
        RENEW,
        APPEND,
        EVENTS,
        REPLAY,
        LAST_OFFSET,
        DERIVE,
        APPLIED_OFFSET,
        WORKSPACE_EVENTS,
        RECORD,
        REGISTERED,
        KEYED,
        SKIPPED,
        CHECKPOINT,
        READ_NUMBERS,
        WRITE_NUMBERS,
        RESET_CHECKPOINT
    }

    private final EventLogStore store;

    ForwardingStore(EventLogStore store) {
        this.store = store;
    }

    /** Makes a call. */
    <T> T call(Call call, Supplier<T> work) {
        return work.get();
    }

    /** Makes a call of which it may be unknown what became. */
    LogOutcome write(Call call, Supplier<LogOutcome> work) {
        return call(call, work);
    }

    @Override
    public PartitionStore partition(PartitionKey key) {
        return new Partition(store.partition(key));
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

    /** Leaves the store behind it open, for the next process. */
    @Override
    public void close() {}

    private final class Partition implements PartitionStore {

        private final PartitionStore partition;

        Partition(PartitionStore partition) {
            this.partition = partition;
        }

        @Override
        public PartitionKey key() {
            return partition.key();
        }

        @Override
        public long epoch() {
            return call(Call.EPOCH, partition::epoch);
        }

        @Override
        public long take() {
            return call(Call.TAKE, partition::take);
        }

        @Override
        public LogOutcome renew(long epoch) {
            return write(Call.RENEW, () -> partition.renew(epoch));
        }

        @Override
        public LogOutcome append(long epoch, WriteMode mode, List<LogEvent> events) {
            return write(Call.APPEND, () -> partition.append(epoch, mode, events));
        }

        @Override
        public List<LogEvent> events(long fromOffset, int limit) {
            return call(Call.EVENTS, () -> partition.events(fromOffset, limit));
        }

        @Override
        public int replay(long fromOffset, int limit, HeaderVisitor visitor) {
            return call(Call.REPLAY, () -> partition.replay(fromOffset, limit, visitor));
        }

        @Override
        public OptionalLong lastOffset() {
            return call(Call.LAST_OFFSET, partition::lastOffset);
        }

        @Override
        public LogOutcome derive(long epoch, DerivedRows rows) {
            return write(Call.DERIVE, () -> partition.derive(epoch, rows));
        }

        @Override
        public OptionalLong appliedOffset() {
            return call(Call.APPLIED_OFFSET, partition::appliedOffset);
        }

        @Override
        public List<WorkspaceEvent> workspaceEvents(long workspace, long fromOffset, int limit) {
            return call(Call.WORKSPACE_EVENTS, () -> partition.workspaceEvents(workspace, fromOffset, limit));
        }

        @Override
        public Optional<RecordRow> record(long workspace, long id) {
            return call(Call.RECORD, () -> partition.record(workspace, id));
        }

        @Override
        public Optional<RegistryRow> registered(long workspace, long id) {
            return call(Call.REGISTERED, () -> partition.registered(workspace, id));
        }

        @Override
        public Optional<KeyRow> keyed(long workspace, String key) {
            return call(Call.KEYED, () -> partition.keyed(workspace, key));
        }

        @Override
        public List<SkippedRow> skipped(long fromOffset, int limit) {
            return call(Call.SKIPPED, () -> partition.skipped(fromOffset, limit));
        }

        @Override
        public Optional<Checkpoint> checkpoint() {
            return call(Call.CHECKPOINT, partition::checkpoint);
        }

        @Override
        public int readNumbers(long workspace, int[] sequences, long[] values) {
            return call(Call.READ_NUMBERS, () -> partition.readNumbers(workspace, sequences, values));
        }

        @Override
        public LogOutcome writeNumbers(long epoch, NumberRows rows, long nextOffset) {
            return write(Call.WRITE_NUMBERS, () -> partition.writeNumbers(epoch, rows, nextOffset));
        }

        @Override
        public LogOutcome resetCheckpoint(long epoch) {
            return write(Call.RESET_CHECKPOINT, () -> partition.resetCheckpoint(epoch));
        }
    }
}
