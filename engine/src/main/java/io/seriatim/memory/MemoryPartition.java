package io.seriatim.memory;

import io.seriatim.store.Checkpoint;
import io.seriatim.store.DerivedRows;
import io.seriatim.store.EventHeader;
import io.seriatim.store.HeaderVisitor;
import io.seriatim.store.KeyRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.LogRow;
import io.seriatim.store.NumberRows;
import io.seriatim.store.PartitionCalls;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RecordRow;
import io.seriatim.store.RegistryRow;
import io.seriatim.store.SkippedRow;
import io.seriatim.store.WorkspaceEvent;
import io.seriatim.store.WriteMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The rows of one partition, under one lock. */
final class MemoryPartition implements PartitionStore {

    /** Names a record in both of its tables. */
    private record RecordKey(long workspace, long id) {}

    private record EventKey(long workspace, String key) {}

    private record SkippedKey(long plogOffset, String projector) {

        static int compare(SkippedKey left, SkippedKey right) {
            int byOffset = Long.compare(left.plogOffset, right.plogOffset);
            return byOffset != 0 ? byOffset : MemoryCounterStore.compareCodePoints(left.projector, right.projector);
        }
    }

    private final PartitionKey key;
    private final MemoryEventLogStore store;
    private final Object lock = new Object();

    /** This and everything below is guarded by {@code lock}. */
    private long epoch;

    private final NavigableMap<Long, LogEvent> events = new TreeMap<>();
    private final Map<Long, NavigableMap<Long, WorkspaceEvent>> workspaceEvents = new HashMap<>();
    private final Map<RecordKey, RecordRow> records = new HashMap<>();
    private final Map<RecordKey, RegistryRow> registry = new HashMap<>();
    private final Map<EventKey, KeyRow> keys = new HashMap<>();
    private final NavigableMap<SkippedKey, SkippedRow> skipped = new TreeMap<>(SkippedKey::compare);
    private final NumberTable numbers = new NumberTable();
    private @Nullable Checkpoint checkpoint;
    private OptionalLong appliedOffset = OptionalLong.empty();

    MemoryPartition(PartitionKey key, MemoryEventLogStore store) {
        this.key = key;
        this.store = store;
    }

    @Override
    public PartitionKey key() {
        return key;
    }

    // ---- ownership

    @Override
    public long epoch() {
        return read(() -> epoch);
    }

    @Override
    public long take() {
        return read(() -> ++epoch);
    }

    @Override
    public LogOutcome renew(long owner) {
        return write(owner, () -> {
            epoch++;
            return LogOutcome.Applied.APPLIED;
        });
    }

    // ---- the log

    @Override
    public LogOutcome append(long owner, WriteMode mode, List<LogEvent> added) {
        PartitionCalls.requireRising(added);
        return write(owner, () -> {
            if (mode == WriteMode.INSERT_IF_ABSENT) {
                List<LogEvent> present = added.stream()
                        .map(event -> events.get(event.offset()))
                        .filter(event -> event != null)
                        .toList();
                if (!present.isEmpty()) {
                    return landedOrOccupied(added, present);
                }
            }
            added.forEach(event -> events.put(event.offset(), event));
            return LogOutcome.Applied.APPLIED;
        });
    }

    private static LogOutcome landedOrOccupied(List<LogEvent> added, List<LogEvent> present) {
        for (int i = 0; i < present.size(); i++) {
            LogEvent there = present.get(i);
            boolean own = there.offset() == added.get(i).offset()
                    && there.header().mark().equals(added.get(i).header().mark());
            if (!own || present.size() < added.size()) {
                return new LogOutcome.Occupied(there);
            }
        }
        return LogOutcome.Applied.APPLIED;
    }

    @Override
    public List<LogEvent> events(long fromOffset, int limit) {
        PartitionCalls.requireLimit(limit);
        return read(() -> {
            List<LogEvent> page = new ArrayList<>();
            long bytes = 0;
            for (LogEvent event : events.tailMap(fromOffset, true).values()) {
                if (page.size() == limit || bytes >= PAGE_BYTES) {
                    break;
                }
                page.add(event);
                bytes += event.body().length;
            }
            return List.copyOf(page);
        });
    }

    @Override
    public int replay(long fromOffset, int limit, HeaderVisitor visitor) {
        PartitionCalls.requireLimit(limit);
        List<LogEvent> shown =
                read(() -> Pages.first(limit, events.tailMap(fromOffset, true).values()));
        for (LogEvent event : shown) {
            EventHeader header = event.header();
            visitor.header(
                    event.offset(),
                    event.epoch(),
                    header.workspace(),
                    header.kind(),
                    header.mark().writer(),
                    header.mark().write(),
                    header.sequences().length,
                    header.sequences(),
                    header.values());
        }
        return shown.size();
    }

    @Override
    public OptionalLong lastOffset() {
        return read(() -> events.isEmpty() ? OptionalLong.empty() : OptionalLong.of(events.lastKey()));
    }

    // ---- what follows from events

    @Override
    public LogOutcome derive(long owner, DerivedRows rows) {
        rows.appliedOffset().ifPresent(offset -> PartitionCalls.requireOffset("appliedOffset", offset));
        return write(owner, () -> {
            Optional<LogRow> inTheWay = inTheWay(rows);
            if (inTheWay.isPresent()) {
                return new LogOutcome.Occupied(inTheWay.get());
            }
            rows.created().forEach(row -> records.put(new RecordKey(row.workspace(), row.id()), row));
            rows.updated().forEach(row -> records.put(new RecordKey(row.workspace(), row.id()), row));
            rows.registered().forEach(row -> registry.put(new RecordKey(row.workspace(), row.id()), row));
            rows.keys().forEach(row -> keys.put(new EventKey(row.workspace(), row.key()), row));
            rows.skipped().forEach(row -> skipped.put(new SkippedKey(row.plogOffset(), row.projector()), row));
            for (WorkspaceEvent row : rows.workspaceEvents()) {
                workspaceEvents
                        .computeIfAbsent(row.workspace(), each -> new TreeMap<>())
                        .put(row.offset(), row);
            }
            if (rows.appliedOffset().isPresent()) {
                appliedOffset = rows.appliedOffset();
            }
            return LogOutcome.Applied.APPLIED;
        });
    }

    private Optional<LogRow> inTheWay(DerivedRows rows) {
        if (rows.recordMode() == WriteMode.INSERT_IF_ABSENT) {
            for (RecordRow row : rows.created()) {
                RecordRow there = records.get(new RecordKey(row.workspace(), row.id()));
                if (there != null) {
                    return Optional.of(there);
                }
            }
            for (RegistryRow row : rows.registered()) {
                RegistryRow there = registry.get(new RecordKey(row.workspace(), row.id()));
                if (there != null) {
                    return Optional.of(there);
                }
            }
            for (KeyRow row : rows.keys()) {
                KeyRow there = keys.get(new EventKey(row.workspace(), row.key()));
                if (there != null) {
                    return Optional.of(there);
                }
            }
        }
        if (rows.workspaceMode() == WriteMode.INSERT_IF_ABSENT) {
            for (WorkspaceEvent row : rows.workspaceEvents()) {
                NavigableMap<Long, WorkspaceEvent> log = workspaceEvents.get(row.workspace());
                WorkspaceEvent there = log == null ? null : log.get(row.offset());
                if (there != null) {
                    return Optional.of(there);
                }
            }
        }
        return Optional.empty();
    }

    @Override
    public OptionalLong appliedOffset() {
        return read(() -> appliedOffset);
    }

    @Override
    public List<WorkspaceEvent> workspaceEvents(long workspace, long fromOffset, int limit) {
        PartitionCalls.requireLimit(limit);
        return read(() -> {
            NavigableMap<Long, WorkspaceEvent> log = workspaceEvents.get(workspace);
            return log == null
                    ? List.of()
                    : Pages.first(limit, log.tailMap(fromOffset, true).values());
        });
    }

    @Override
    public Optional<RecordRow> record(long workspace, long id) {
        return read(() -> Optional.ofNullable(records.get(new RecordKey(workspace, id))));
    }

    @Override
    public Optional<RegistryRow> registered(long workspace, long id) {
        return read(() -> Optional.ofNullable(registry.get(new RecordKey(workspace, id))));
    }

    @Override
    public Optional<KeyRow> keyed(long workspace, String key) {
        return read(() -> Optional.ofNullable(keys.get(new EventKey(workspace, key))));
    }

    @Override
    public List<SkippedRow> skipped(long fromOffset, int limit) {
        PartitionCalls.requireLimit(limit);
        return read(() -> Pages.first(
                limit, skipped.tailMap(new SkippedKey(fromOffset, ""), true).values()));
    }

    // ---- the projection of the numbers

    @Override
    public Optional<Checkpoint> checkpoint() {
        return read(() -> Optional.ofNullable(checkpoint));
    }

    @Override
    public int readNumbers(long workspace, int[] sequences, long[] values) {
        store.requireOpen();
        return numbers.read(workspace, sequences, values); // does not wait for a write of thousands of rows
    }

    @Override
    public LogOutcome writeNumbers(long owner, NumberRows rows, long nextOffset) {
        PartitionCalls.requireOwner(owner);
        if (nextOffset < 1) {
            throw new IllegalArgumentException("offsets start at 1: nextOffset=" + nextOffset);
        }
        NumberTable.check(rows);
        synchronized (lock) {
            store.requireOpen();
            if (epoch != owner) {
                return new LogOutcome.Fenced(epoch);
            }
            numbers.raise(rows);
            if (checkpoint == null || checkpoint.nextOffset() <= nextOffset) {
                checkpoint = new Checkpoint(nextOffset, owner);
            }
            return LogOutcome.Applied.APPLIED;
        }
    }

    @Override
    public LogOutcome resetCheckpoint(long owner) {
        return write(owner, () -> {
            checkpoint = new Checkpoint(1, owner);
            return LogOutcome.Applied.APPLIED;
        });
    }

    // ---- the lock

    /** Returns when no call that began before is under way. */
    void awaitCall() {
        synchronized (lock) {
            return;
        }
    }

    private <T> T read(Supplier<T> work) {
        synchronized (lock) {
            store.requireOpen();
            return work.get();
        }
    }

    private LogOutcome write(long owner, Supplier<LogOutcome> work) {
        PartitionCalls.requireOwner(owner);
        synchronized (lock) {
            store.requireOpen();
            return epoch == owner ? work.get() : new LogOutcome.Fenced(epoch);
        }
    }
}
