package io.seriatim.eventlog;

import io.seriatim.store.Checkpoint;
import io.seriatim.store.DerivedRows;
import io.seriatim.store.HeaderVisitor;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.NumberRows;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RecordRow;
import io.seriatim.store.RegistryRow;
import io.seriatim.store.WorkspaceEvent;
import io.seriatim.store.WriteMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A partition whose reads show the last event of every page once more, also when they were asked for what comes behind. */
final class RepeatingPartition implements PartitionStore {

    private final PartitionStore sound;

    RepeatingPartition(PartitionStore sound) {
        this.sound = sound;
    }

    @Override
    public List<LogEvent> events(long fromOffset, int limit) {
        List<LogEvent> shown = new ArrayList<>(sound.events(Math.max(1, fromOffset - 1), limit));
        shown.add(shown.get(shown.size() - 1));
        return shown;
    }

    @Override
    public PartitionKey key() {
        return sound.key();
    }

    @Override
    public long epoch() {
        return sound.epoch();
    }

    @Override
    public long take() {
        return sound.take();
    }

    @Override
    public LogOutcome renew(long epoch) {
        return sound.renew(epoch);
    }

    @Override
    public LogOutcome append(long epoch, WriteMode mode, List<LogEvent> events) {
        return sound.append(epoch, mode, events);
    }

    @Override
    public int replay(long fromOffset, int limit, HeaderVisitor visitor) {
        return sound.replay(fromOffset, limit, visitor);
    }

    @Override
    public OptionalLong lastOffset() {
        return sound.lastOffset();
    }

    @Override
    public LogOutcome derive(long epoch, DerivedRows rows) {
        return sound.derive(epoch, rows);
    }

    @Override
    public OptionalLong appliedOffset() {
        return sound.appliedOffset();
    }

    @Override
    public List<WorkspaceEvent> workspaceEvents(long workspace, long fromOffset, int limit) {
        return sound.workspaceEvents(workspace, fromOffset, limit);
    }

    @Override
    public Optional<RecordRow> record(long workspace, long id) {
        return sound.record(workspace, id);
    }

    @Override
    public Optional<RegistryRow> registered(long workspace, long id) {
        return sound.registered(workspace, id);
    }

    @Override
    public Optional<Checkpoint> checkpoint() {
        return sound.checkpoint();
    }

    @Override
    public int readNumbers(long workspace, int[] sequences, long[] values) {
        return sound.readNumbers(workspace, sequences, values);
    }

    @Override
    public LogOutcome writeNumbers(long epoch, NumberRows rows, long nextOffset) {
        return sound.writeNumbers(epoch, rows, nextOffset);
    }

    @Override
    public LogOutcome resetCheckpoint(long epoch) {
        return sound.resetCheckpoint(epoch);
    }
}
