package io.seriatim.verification;

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

/**
 * A store of events in front of another one, through which calls fail as a {@link FaultPlan} says, and which counts
 * them, those of all partitions together. Without faults it is the store behind it: it runs the contract suite.
 */
public final class FaultyEventLogStore implements EventLogStore {

    /** The calls of the port. A take has no answer for an unknown outcome, so it is no write here. */
    public enum Call implements StoreCall {
        APPLICATIONS,
        EPOCH,
        TAKE,
        EVENTS,
        REPLAY,
        LAST_OFFSET,
        APPLIED_OFFSET,
        WORKSPACE_EVENTS,
        RECORD,
        REGISTERED,
        KEYED,
        SKIPPED,
        CHECKPOINT,
        READ_NUMBERS,
        WRITE_APPLICATION(true),
        RENEW(true),
        APPEND(true),
        DERIVE(true),
        WRITE_NUMBERS(true),
        RESET_CHECKPOINT(true);

        private final boolean write;

        Call() {
            this(false);
        }

        Call(boolean write) {
            this.write = write;
        }

        @Override
        public boolean isWrite() {
            return write;
        }
    }

    private final EventLogStore store;
    private final FaultyCalls<LogOutcome> calls;

    private FaultyEventLogStore(EventLogStore store, FaultyCalls<LogOutcome> calls) {
        this.store = store;
        this.calls = calls;
    }

    public FaultyEventLogStore(EventLogStore store, FaultPlan plan) {
        this(store, new FaultyCalls<>(plan, LogOutcome.Unknown::new));
    }

    /**
     * Ends the process that uses this store, so to speak: every later call here is unavailable, closing it does
     * nothing, and the store that is returned is what the next process opens. Writes on their way may land in it.
     */
    public FaultyEventLogStore crash(FaultPlan next) {
        return new FaultyEventLogStore(store, calls.crash(next));
    }

    /** How often a call was made, whatever came of it. */
    public long count(Call call) {
        return calls.count(call);
    }

    /** How many writes are on their way. */
    public int onTheirWay() {
        return calls.onTheirWay();
    }

    /**
     * Lets the write that is longest on its way land; returns what became of it, empty if there was none. It is fenced
     * if the epoch has risen since it was sent.
     */
    public Optional<LogOutcome> land() {
        return calls.land();
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
        return calls.read(Call.APPLICATIONS, store::applications);
    }

    @Override
    public LogOutcome write(ApplicationRow row) {
        return calls.write(Call.WRITE_APPLICATION, () -> store.write(row));
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
        return calls.failure().or(store::failure);
    }

    @Override
    public void close() {
        if (!calls.hasCrashed()) {
            store.close();
        }
    }

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
            return calls.read(Call.EPOCH, partition::epoch);
        }

        @Override
        public long take() {
            return calls.read(Call.TAKE, partition::take);
        }

        @Override
        public LogOutcome renew(long epoch) {
            return calls.write(Call.RENEW, () -> partition.renew(epoch));
        }

        @Override
        public LogOutcome append(long epoch, WriteMode mode, List<LogEvent> events) {
            List<LogEvent> sent = List.copyOf(events);
            return calls.write(Call.APPEND, () -> partition.append(epoch, mode, sent));
        }

        @Override
        public List<LogEvent> events(long fromOffset, int limit) {
            return calls.read(Call.EVENTS, () -> partition.events(fromOffset, limit));
        }

        @Override
        public int replay(long fromOffset, int limit, HeaderVisitor visitor) {
            return calls.read(Call.REPLAY, () -> partition.replay(fromOffset, limit, visitor));
        }

        @Override
        public OptionalLong lastOffset() {
            return calls.read(Call.LAST_OFFSET, partition::lastOffset);
        }

        @Override
        public LogOutcome derive(long epoch, DerivedRows rows) {
            return calls.write(Call.DERIVE, () -> partition.derive(epoch, rows));
        }

        @Override
        public OptionalLong appliedOffset() {
            return calls.read(Call.APPLIED_OFFSET, partition::appliedOffset);
        }

        @Override
        public List<WorkspaceEvent> workspaceEvents(long workspace, long fromOffset, int limit) {
            return calls.read(Call.WORKSPACE_EVENTS, () -> partition.workspaceEvents(workspace, fromOffset, limit));
        }

        @Override
        public Optional<RecordRow> record(long workspace, long id) {
            return calls.read(Call.RECORD, () -> partition.record(workspace, id));
        }

        @Override
        public Optional<RegistryRow> registered(long workspace, long id) {
            return calls.read(Call.REGISTERED, () -> partition.registered(workspace, id));
        }

        @Override
        public Optional<KeyRow> keyed(long workspace, String key) {
            return calls.read(Call.KEYED, () -> partition.keyed(workspace, key));
        }

        @Override
        public List<SkippedRow> skipped(long fromOffset, int limit) {
            return calls.read(Call.SKIPPED, () -> partition.skipped(fromOffset, limit));
        }

        @Override
        public Optional<Checkpoint> checkpoint() {
            return calls.read(Call.CHECKPOINT, partition::checkpoint);
        }

        @Override
        public int readNumbers(long workspace, int[] sequences, long[] values) {
            return calls.read(Call.READ_NUMBERS, () -> partition.readNumbers(workspace, sequences, values));
        }

        /** The rows are copied: the caller may use them for others while these are on their way. */
        @Override
        public LogOutcome writeNumbers(long epoch, NumberRows rows, long nextOffset) {
            NumberRows sent = NumberList.copyOf(rows);
            return calls.write(Call.WRITE_NUMBERS, () -> partition.writeNumbers(epoch, sent, nextOffset));
        }

        @Override
        public LogOutcome resetCheckpoint(long epoch) {
            return calls.write(Call.RESET_CHECKPOINT, () -> partition.resetCheckpoint(epoch));
        }
    }
}
