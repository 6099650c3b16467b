package io.seriatim.rocksdb;

import io.seriatim.rocksdb.Database.Family;
import io.seriatim.rocksdb.EncodedChange.Row;
import io.seriatim.store.Checkpoint;
import io.seriatim.store.DerivedRows;
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
import io.seriatim.store.StoreException;
import io.seriatim.store.WorkspaceEvent;
import io.seriatim.store.WriteMode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/** The rows of one partition. */
final class RocksDbPartition implements PartitionStore {

    /*
     * Two locks. An append holds `appends` from its look at the epoch until its events are synced; what follows from
     * events holds `follows` from its look at the epoch until it is written. So numbers and records do not wait for
     * the disk behind an append. Who raises the epoch holds both, in this order: it waits for every write that has
     * seen the epoch before, and no write sees the new one before it is durable. The folder has one owner, so the
     * epoch, once read, changes here only; it is read under either lock and written under both.
     *
     * Events and epochs are synced, the rest is not: RocksDB writes one log for all families, in order, and a sync of
     * it is a sync of all before. Numbers, records and places of events that are already in the log stand behind
     * them in it; whatever part of the log a crash leaves, they are there only where their events are. A memtable
     * that goes to a table before its turn changes nothing: its events were synced.
     *
     * Headers of an append lie in one row, and two rows never overlap (see HeadersCodec). An append behind the last
     * event makes a row of its own without a look at the others. Any other one takes the rows that its offsets
     * reach into, puts its headers among theirs, and writes them anew, in the batch that writes the events.
     *
     * Order of locks: the gates, `appends`, `follows`.
     */

    private static final long NOT_READ = -1;

    private final PartitionKey key;
    private final RocksDbEventLog log;
    private final Storage storage;
    private final Database database;
    private final byte[] prefix;
    private final ReentrantLock appends = new ReentrantLock();
    private final ReentrantLock follows = new ReentrantLock();

    /** Read under either lock, written under both; but filled from the row under either. */
    private volatile long epoch = NOT_READ;

    /** The last offset, 0 of an empty log. Guarded by {@code appends}. */
    private long last = NOT_READ;

    RocksDbPartition(PartitionKey key, RocksDbEventLog log, Storage storage) {
        this.key = key;
        this.log = log;
        this.storage = storage;
        this.database = storage.database();
        this.prefix = new RowWriter().putPartition(key).toKey();
    }

    @Override
    public PartitionKey key() {
        return key;
    }

    // ---- ownership

    @Override
    public long epoch() {
        return log.inside(() -> under(follows, this::presentEpoch));
    }

    @Override
    public long take() {
        return log.inside(() -> under(
                appends,
                () -> under(follows, () -> {
                    LogOutcome outcome = raiseEpoch();
                    if (outcome instanceof LogOutcome.Unknown unknown) {
                        throw new StoreException(
                                StoreException.Kind.FAILED,
                                "whether " + key + " was taken is unknown",
                                unknown.cause());
                    }
                    return epoch;
                })));
    }

    @Override
    public LogOutcome renew(long owner) {
        PartitionCalls.requireOwner(owner);
        return log.inside(() -> under(appends, () -> under(follows, () -> isFenced(owner) ? fenced() : raiseEpoch())));
    }

    private LogOutcome raiseEpoch() throws RocksDBException {
        long next = presentEpoch() + 1;
        byte[] row = PartitionCodec.key(key, PartitionCodec.EPOCH);
        LogOutcome outcome =
                write(List.of(new Row(Family.PARTITIONS, row, PartitionCodec.value(row, next, next))), true);
        if (outcome instanceof LogOutcome.Applied) {
            epoch = next;
        }
        return outcome;
    }

    private long presentEpoch() throws RocksDBException {
        if (epoch == NOT_READ) {
            epoch = partitionRow(PartitionCodec.EPOCH)
                    .map(Checkpoint::nextOffset)
                    .orElse(0L);
        }
        return epoch;
    }

    private boolean isFenced(long owner) throws RocksDBException {
        return presentEpoch() != owner;
    }

    private LogOutcome fenced() {
        return new LogOutcome.Fenced(epoch);
    }

    // ---- the log

    @Override
    public LogOutcome append(long owner, WriteMode mode, List<LogEvent> events) {
        PartitionCalls.requireOwner(owner);
        PartitionCalls.requireRising(events);
        List<Row> rows = new ArrayList<>();
        NavigableMap<Long, HeadersCodec.Entry> headers = new TreeMap<>();
        for (LogEvent event : events) {
            byte[] row = EventCodec.key(key, event.offset());
            rows.add(new Row(Family.EVENTS, row, EventCodec.value(row, event)));
            headers.put(event.offset(), HeadersCodec.entry(event));
        }
        return log.inside(() -> under(appends, () -> {
            if (isFenced(owner)) {
                return fenced();
            }
            boolean behindAll = headers.firstKey() > last();
            Optional<LogOutcome> answer =
                    behindAll || mode == WriteMode.PUT ? Optional.empty() : landedOrOccupied(events);
            if (answer.isPresent()) {
                return answer.get();
            }
            try (WriteBatch batch = new WriteBatch()) {
                putAll(batch, rows);
                if (!behindAll) {
                    takeRowsReachedInto(batch, headers);
                }
                putAll(batch, HeadersCodec.rows(key, headers.values()));
                LogOutcome outcome = write(batch, true);
                if (outcome instanceof LogOutcome.Applied) {
                    last = Math.max(last, headers.lastKey());
                }
                return outcome;
            }
        }));
    }

    /** What an insert answers where events are: empty if there are none. */
    private Optional<LogOutcome> landedOrOccupied(List<LogEvent> events) throws RocksDBException {
        int own = 0;
        Optional<LogEvent> some = Optional.empty();
        for (LogEvent event : events) {
            Optional<LogEvent> there =
                    storage.read(Family.EVENTS, EventCodec.key(key, event.offset()), EventCodec::decode);
            if (there.isPresent()
                    && !there.get().header().mark().equals(event.header().mark())) {
                return Optional.of(new LogOutcome.Occupied(there.get()));
            }
            own += there.isPresent() ? 1 : 0;
            some = some.or(() -> there);
        }
        return own == events.size() ? Optional.of(LogOutcome.Applied.APPLIED) : some.map(LogOutcome.Occupied::new);
    }

    /** Adds the headers of the rows that these reach into, unless they are replaced, and deletes those rows. */
    private void takeRowsReachedInto(WriteBatch batch, NavigableMap<Long, HeadersCodec.Entry> headers)
            throws RocksDBException {
        long begin = headers.firstKey();
        long end = headers.lastKey();
        try (RocksIterator rows = database.rows(Family.HEADERS)) {
            seekRowOf(rows, begin);
            for (; rows.isValid() && Storage.startsWith(rows.key(), prefix); rows.next()) {
                byte[] row = rows.key();
                if (offsetOf(row) > end) {
                    break;
                }
                List<HeadersCodec.Entry> there =
                        storage.decode(Family.HEADERS, row, rows.value(), HeadersCodec::decode);
                if (there.get(there.size() - 1).offset() >= begin) {
                    there.forEach(entry -> headers.putIfAbsent(entry.offset(), entry));
                    database.delete(batch, Family.HEADERS, row);
                }
            }
            rows.status();
        }
    }

    /** Stands on the row of headers that holds the offset; where none does, on one before it or the next one. */
    private void seekRowOf(RocksIterator rows, long offset) throws RocksDBException {
        byte[] row = HeadersCodec.key(key, offset);
        rows.seekForPrev(row);
        if (!rows.isValid() || !Storage.startsWith(rows.key(), prefix)) {
            rows.status();
            rows.seek(row);
        }
    }

    private static long offsetOf(byte[] key) {
        return ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
    }

    @Override
    public List<LogEvent> events(long fromOffset, int limit) {
        PartitionCalls.requireLimit(limit);
        byte[] from = EventCodec.key(key, Math.max(1, fromOffset));
        return log.inside(
                () -> list(Family.EVENTS, prefix, from, limit, EventCodec::decode, event -> event.body().length));
    }

    @Override
    public int replay(long fromOffset, int limit, HeaderVisitor visitor) {
        PartitionCalls.requireLimit(limit);
        HeaderReplay replay = new HeaderReplay(fromOffset, limit, visitor);
        return log.inside(() -> {
            try (RocksIterator rows = database.rowsThroughout(Family.HEADERS)) {
                seekRowOf(rows, Math.max(1, fromOffset));
                for (; !replay.isFull() && rows.isValid(); rows.next()) {
                    byte[] row = rows.key();
                    if (!Storage.startsWith(row, prefix)) {
                        break;
                    }
                    try {
                        replay.show(row, rows);
                    } catch (CorruptRowException e) {
                        throw storage.damaged(Family.HEADERS, row, e);
                    }
                }
                rows.status();
            }
            return replay.shown();
        });
    }

    @Override
    public OptionalLong lastOffset() {
        return log.inside(this::readLast);
    }

    private long last() throws RocksDBException {
        if (last == NOT_READ) {
            last = readLast().orElse(0);
        }
        return last;
    }

    private OptionalLong readLast() throws RocksDBException {
        try (RocksIterator rows = database.rows(Family.EVENTS)) {
            rows.seekForPrev(EventCodec.key(key, Long.MAX_VALUE));
            boolean found = rows.isValid() && Storage.startsWith(rows.key(), prefix);
            rows.status();
            return found ? OptionalLong.of(offsetOf(rows.key())) : OptionalLong.empty();
        }
    }

    // ---- what follows from events

    @Override
    public LogOutcome derive(long owner, DerivedRows derived) {
        PartitionCalls.requireOwner(owner);
        OptionalLong applied = derived.appliedOffset();
        if (applied.isPresent()) {
            PartitionCalls.requireOffset("appliedOffset", applied.getAsLong());
        }
        List<Row> records = new ArrayList<>();
        derived.created().forEach(row -> records.add(encode(row)));
        List<Row> registry = new ArrayList<>();
        derived.registered().forEach(row -> registry.add(encode(row)));
        List<Row> keys = new ArrayList<>();
        derived.keys().forEach(row -> keys.add(encode(row)));
        List<Row> places = new ArrayList<>();
        derived.workspaceEvents().forEach(row -> places.add(encode(row)));
        List<Row> all = new ArrayList<>(records);
        derived.updated().forEach(row -> all.add(encode(row)));
        all.addAll(registry);
        all.addAll(keys);
        all.addAll(places);
        derived.skipped().forEach(row -> all.add(encode(row)));
        if (applied.isPresent()) {
            all.add(encode(PartitionCodec.APPLIED, applied.getAsLong(), owner));
        }
        return log.inside(() -> under(follows, () -> {
            if (isFenced(owner)) {
                return fenced();
            }
            Optional<? extends LogRow> present = Optional.empty();
            if (derived.recordMode() == WriteMode.INSERT_IF_ABSENT) {
                present = present.isPresent() ? present : firstThere(records, RecordCodec::decode);
                present = present.isPresent() ? present : firstThere(registry, RegistryCodec::decode);
                present = present.isPresent() ? present : firstThere(keys, KeyCodec::decode);
            }
            if (derived.workspaceMode() == WriteMode.INSERT_IF_ABSENT) {
                present = present.isPresent() ? present : firstThere(places, WorkspaceEventCodec::decode);
            }
            return present.isPresent() ? new LogOutcome.Occupied(present.get()) : write(all, false);
        }));
    }

    /** The first that is there of rows of one family; asked for all at once. */
    private <T> Optional<T> firstThere(List<Row> rows, Storage.Decoder<T> decoder) throws RocksDBException {
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        List<byte @Nullable []> there = database.getAll(
                rows.get(0).family(), rows.stream().map(Row::key).toList());
        for (int i = 0; i < rows.size(); i++) {
            byte[] value = there.get(i);
            if (value != null) {
                Row row = rows.get(i);
                return Optional.of(storage.decode(row.family(), row.key(), value, decoder));
            }
        }
        return Optional.empty();
    }

    private Row encode(RecordRow row) {
        byte[] bytes = RecordCodec.key(key, row.workspace(), row.id());
        return new Row(Family.RECORDS, bytes, RecordCodec.value(bytes, row));
    }

    private Row encode(RegistryRow row) {
        byte[] bytes = RegistryCodec.key(key, row.workspace(), row.id());
        return new Row(Family.REGISTRY, bytes, RegistryCodec.value(bytes, row));
    }

    private Row encode(WorkspaceEvent row) {
        byte[] bytes = WorkspaceEventCodec.key(key, row.workspace(), row.offset());
        return new Row(Family.WORKSPACE_EVENTS, bytes, WorkspaceEventCodec.value(bytes, row));
    }

    private Row encode(KeyRow row) {
        byte[] bytes = KeyCodec.key(key, row.workspace(), row.key());
        return new Row(Family.KEYS, bytes, KeyCodec.value(bytes, row));
    }

    private Row encode(SkippedRow row) {
        byte[] bytes = SkippedCodec.key(key, row.plogOffset(), row.projector());
        return new Row(Family.SKIPPED, bytes, SkippedCodec.value(bytes, row));
    }

    private Row encode(int what, long number, long owner) {
        byte[] bytes = PartitionCodec.key(key, what);
        return new Row(Family.PARTITIONS, bytes, PartitionCodec.value(bytes, number, owner));
    }

    @Override
    public OptionalLong appliedOffset() {
        return log.inside(() -> partitionRow(PartitionCodec.APPLIED)
                .map(row -> OptionalLong.of(row.nextOffset()))
                .orElse(OptionalLong.empty()));
    }

    @Override
    public List<WorkspaceEvent> workspaceEvents(long workspace, long fromOffset, int limit) {
        PartitionCalls.requireLimit(limit);
        byte[] ofWorkspace = WorkspaceEventCodec.prefix(key, workspace);
        byte[] from = WorkspaceEventCodec.key(key, workspace, Math.max(1, fromOffset));
        return log.inside(
                () -> list(Family.WORKSPACE_EVENTS, ofWorkspace, from, limit, WorkspaceEventCodec::decode, event -> 0));
    }

    @Override
    public Optional<RecordRow> record(long workspace, long id) {
        byte[] row = RecordCodec.key(key, workspace, id);
        return log.inside(() -> storage.read(Family.RECORDS, row, RecordCodec::decode));
    }

    @Override
    public Optional<RegistryRow> registered(long workspace, long id) {
        byte[] row = RegistryCodec.key(key, workspace, id);
        return log.inside(() -> storage.read(Family.REGISTRY, row, RegistryCodec::decode));
    }

    @Override
    public Optional<KeyRow> keyed(long workspace, String idempotencyKey) {
        byte[] row = KeyCodec.key(key, workspace, idempotencyKey);
        return log.inside(() -> storage.read(Family.KEYS, row, KeyCodec::decode))
                .filter(found -> found.key().equals(idempotencyKey)); // a text without UTF-8 form reads as another
    }

    @Override
    public List<SkippedRow> skipped(long fromOffset, int limit) {
        PartitionCalls.requireLimit(limit);
        byte[] from = SkippedCodec.key(key, Math.max(1, fromOffset), "");
        return log.inside(() -> list(Family.SKIPPED, prefix, from, limit, SkippedCodec::decode, row -> 0));
    }

    // ---- the projection of the numbers

    @Override
    public Optional<Checkpoint> checkpoint() {
        return log.inside(() -> partitionRow(PartitionCodec.CHECKPOINT));
    }

    @Override
    public int readNumbers(long workspace, int[] sequences, long[] values) {
        byte[] row = NumbersCodec.key(key, workspace);
        Optional<NumbersCodec.Row> numbers = log.inside(() -> storage.read(Family.NUMBERS, row, NumbersCodec::decode));
        for (int i = 0; i < sequences.length; i++) {
            values[i] = numbers.isPresent() ? numbers.get().value(sequences[i]) : 0;
        }
        return numbers.map(NumbersCodec.Row::kind).orElse(0);
    }

    @Override
    public LogOutcome writeNumbers(long owner, NumberRows numbers, long nextOffset) {
        PartitionCalls.requireOwner(owner);
        PartitionCalls.requireOffset("nextOffset", nextOffset);
        Map<Long, NumbersCodec.Row> greatest = greatest(numbers);
        return log.inside(() -> under(follows, () -> {
            if (isFenced(owner)) {
                return fenced();
            }
            List<Row> rows = raised(greatest);
            long present = partitionRow(PartitionCodec.CHECKPOINT)
                    .map(Checkpoint::nextOffset)
                    .orElse(0L);
            if (present <= nextOffset) {
                rows.add(encode(PartitionCodec.CHECKPOINT, nextOffset, owner));
            }
            return rows.isEmpty() ? LogOutcome.Applied.APPLIED : write(rows, false);
        }));
    }

    /** Brings the rows of each workspace together, in order of their keys. */
    private static Map<Long, NumbersCodec.Row> greatest(NumberRows numbers) {
        Map<Long, NumbersCodec.Row> greatest = new TreeMap<>(Long::compareUnsigned);
        for (int i = 0; i < numbers.size(); i++) {
            int kind = numbers.kind(i);
            int count = numbers.count(i);
            if (kind < 1 || count < 1) {
                throw badNumbers(numbers, i);
            }
            NumbersCodec.Row row =
                    greatest.computeIfAbsent(numbers.workspace(i), workspace -> new NumbersCodec.Row(kind));
            for (int place = 0; place < count; place++) {
                if (numbers.sequence(i, place) < 0 || numbers.value(i, place) < 1) {
                    throw badNumbers(numbers, i);
                }
                row.raise(numbers.sequence(i, place), numbers.value(i, place));
            }
        }
        return greatest;
    }

    private static IllegalArgumentException badNumbers(NumberRows numbers, int row) {
        return new IllegalArgumentException("kinds, counts and numbers start at 1, sequences at 0: row=" + row
                + " workspace=" + numbers.workspace(row) + " kind=" + numbers.kind(row) + " count="
                + numbers.count(row));
    }

    /** The rows of the workspaces whose numbers rise. */
    private List<Row> raised(Map<Long, NumbersCodec.Row> greatest) throws RocksDBException {
        List<byte[]> keys = greatest.keySet().stream()
                .map(workspace -> NumbersCodec.key(key, workspace))
                .toList();
        List<byte @Nullable []> present = keys.isEmpty() ? List.of() : database.getAll(Family.NUMBERS, keys);
        List<Row> rows = new ArrayList<>();
        int i = 0;
        for (NumbersCodec.Row mine : greatest.values()) {
            byte[] row = keys.get(i);
            byte[] there = present.get(i);
            NumbersCodec.Row merged = mine;
            boolean rises = true;
            if (there != null) {
                merged = storage.decode(Family.NUMBERS, row, there, NumbersCodec::decode);
                rises = merged.raiseAll(mine);
            }
            if (rises) {
                rows.add(new Row(Family.NUMBERS, row, NumbersCodec.value(row, merged)));
            }
            i++;
        }
        return rows;
    }

    @Override
    public LogOutcome resetCheckpoint(long owner) {
        PartitionCalls.requireOwner(owner);
        return log.inside(() -> under(
                follows,
                () -> isFenced(owner) ? fenced() : write(List.of(encode(PartitionCodec.CHECKPOINT, 1, owner)), false)));
    }

    // ---- reading and writing

    private Optional<Checkpoint> partitionRow(int what) throws RocksDBException {
        return storage.read(Family.PARTITIONS, PartitionCodec.key(key, what), PartitionCodec::decode);
    }

    private <T> List<T> list(
            Family family, byte[] within, byte[] from, int limit, Storage.Decoder<T> decoder, ToLongFunction<T> bytesOf)
            throws RocksDBException {
        List<T> found = new ArrayList<>();
        long bytes = 0;
        try (RocksIterator rows = database.rows(family)) {
            rows.seek(from);
            while (found.size() < limit
                    && bytes < PAGE_BYTES
                    && rows.isValid()
                    && Storage.startsWith(rows.key(), within)) {
                T row = storage.decode(family, rows.key(), rows.value(), decoder);
                found.add(row);
                bytes += bytesOf.applyAsLong(row);
                rows.next();
            }
            rows.status();
        }
        return List.copyOf(found);
    }

    private LogOutcome write(List<Row> rows, boolean synced) throws RocksDBException {
        try (WriteBatch batch = new WriteBatch()) {
            putAll(batch, rows);
            return write(batch, synced);
        }
    }

    private void putAll(WriteBatch batch, List<Row> rows) throws RocksDBException {
        for (Row row : rows) {
            database.put(batch, row.family(), row.key(), row.value());
        }
    }

    private LogOutcome write(WriteBatch batch, boolean synced) {
        return storage.write(batch, synced)
                .<LogOutcome>map(LogOutcome.Unknown::new)
                .orElse(LogOutcome.Applied.APPLIED);
    }

    private static <T> T under(ReentrantLock lock, Storage.Work<T> work) throws RocksDBException {
        lock.lock();
        try {
            return work.run();
        } finally {
            lock.unlock();
        }
    }
}
