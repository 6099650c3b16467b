package io.seriatim.eventlog;

import io.seriatim.store.Checkpoint;
import io.seriatim.store.DerivedRows;
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
import io.seriatim.store.WorkspaceEvent;
import io.seriatim.store.WriteMode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** A partition that passes every call on; what a test wants otherwise it overrides. */
abstract class ForwardingPartition implements PartitionStore {

    /** The calls that a sequencer, or who writes the log for it, makes. */
    enum Call {
        TAKE,
        RENEW,
        APPEND,
        EVENTS,
        REPLAY,
        LAST_OFFSET,
        CHECKPOINT,
        READ_NUMBERS,
        WRITE_NUMBERS
    }

    final PartitionStore store;

    ForwardingPartition(PartitionStore store) {
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
    public PartitionKey key() {
        return store.key();
    }

    @Override
    public long epoch() {
        return store.epoch();
    }

    @Override
    public long take() {
        return call(Call.TAKE, store::take);
    }

    @Override
    public LogOutcome renew(long epoch) {
        return write(Call.RENEW, () -> store.renew(epoch));
    }

    @Override
    public LogOutcome append(long epoch, WriteMode mode, List<LogEvent> events) {
        return write(Call.APPEND, () -> store.append(epoch, mode, events));
    }

    @Override
    public List<LogEvent> events(long fromOffset, int limit) {
        return call(Call.EVENTS, () -> store.events(fromOffset, limit));
    }

    @Override
    public int replay(long fromOffset, int limit, HeaderVisitor visitor) {
        return call(Call.REPLAY, () -> store.replay(fromOffset, limit, visitor));
    }

    @Override
    public OptionalLong lastOffset() {
        return call(Call.LAST_OFFSET, store::lastOffset);
    }

    @Override
    public LogOutcome derive(long epoch, DerivedRows rows) {
        return store.derive(epoch, rows);
    }

    @Override
    public OptionalLong appliedOffset() {
        return store.appliedOffset();
    }

    @Override
    public List<WorkspaceEvent> workspaceEvents(long workspace, long fromOffset, int limit) {
        return store.workspaceEvents(workspace, fromOffset, limit);
    }

    @Override
    public Optional<RecordRow> record(long workspace, long id) {
        return store.record(workspace, id);
    }

    @Override
    public Optional<RegistryRow> registered(long workspace, long id) {
        return store.registered(workspace, id);
    }

    @Override
    public Optional<KeyRow> keyed(long workspace, String key) {
        return store.keyed(workspace, key);
    }

    @Override
    public List<SkippedRow> skipped(long fromOffset, int limit) {
        return store.skipped(fromOffset, limit);
    }

    @Override
    public Optional<Checkpoint> checkpoint() {
        return call(Call.CHECKPOINT, store::checkpoint);
    }

    @Override
    public int readNumbers(long workspace, int[] sequences, long[] values) {
        return call(Call.READ_NUMBERS, () -> store.readNumbers(workspace, sequences, values));
    }

    @Override
    public LogOutcome writeNumbers(long epoch, NumberRows rows, long nextOffset) {
        return write(Call.WRITE_NUMBERS, () -> store.writeNumbers(epoch, rows, nextOffset));
    }

    @Override
    public LogOutcome resetCheckpoint(long epoch) {
        return store.resetCheckpoint(epoch);
    }
}
