package io.seriatim.verification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.store.DerivedRows;
import io.seriatim.store.EventHeader;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.KeyRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.LogRow;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RecordRow;
import io.seriatim.store.RegistryRow;
import io.seriatim.store.SkippedRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.WorkspaceEvent;
import io.seriatim.store.WriteMode;
import io.seriatim.store.WriterMark;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A store of event logs, open for each test, and the words of the tests. */
abstract class OpenEventLog {

    /** The epoch of the partition in most tests: the first. */
    protected static final long OWNER = 1;

    protected static final PartitionKey KEY = new PartitionKey(1, 55);

    private final AtomicLong writes = new AtomicLong();
    private EventLogStore store;

    /** Opens the store of this test; a later call in the same test opens the same store anew. */
    protected abstract EventLogStore open();

    /** Closes the store, and all that {@link #open} has opened with it. */
    protected void close(EventLogStore opened) {
        opened.close();
    }

    /** How many pairs of writers race at once, each in a partition of its own; more where each write waits for long. */
    protected int pairs() {
        return 1;
    }

    @BeforeEach
    final void openStore() {
        store = open();
    }

    @AfterEach
    final void closeStore() {
        close(store);
    }

    /** The open store. */
    protected final EventLogStore store() {
        return store;
    }

    /** Closes the store and opens it anew. */
    protected final void reopen() {
        close(store);
        store = open();
    }

    /** The partition of most tests, as one more view of it. */
    protected final PartitionStore partition() {
        return store.partition(KEY);
    }

    /** The same, taken for the first time. */
    protected final PartitionStore owned() {
        PartitionStore partition = partition();
        assertThat(partition.take()).isEqualTo(OWNER);
        return partition;
    }

    // ---- the words of the tests

    /** A mark that no other write of this test has. */
    protected final WriterMark mark() {
        return new WriterMark(0x5e71a71dL, writes.incrementAndGet());
    }

    protected final LogEvent event(long offset) {
        return event(offset, OWNER);
    }

    protected final LogEvent event(long offset, long epoch) {
        return new LogEvent(offset, epoch, header(offset % 7), new byte[] {(byte) offset, 1, 2, 3});
    }

    protected final EventHeader header(long workspace) {
        return header(workspace, 2);
    }

    /** A header with that many numbers. */
    protected final EventHeader header(long workspace, int numbers) {
        WriterMark mark = mark();
        long[] values = LongStream.range(0, numbers).map(i -> mark.write() + i).toArray();
        int[] sequences = IntStream.range(0, numbers).map(i -> 3 * i).toArray();
        return new EventHeader(workspace, 1, mark, "key " + mark.write(), sequences, values);
    }

    /** Appends events in groups; the last one may be smaller. */
    protected final List<LogEvent> append(PartitionStore partition, long first, long last, int groupSize) {
        LongFunction<LogEvent> event = offset -> event(offset, partition.epoch());
        List<LogEvent> events =
                LongStream.rangeClosed(first, last).mapToObj(event).toList();
        for (int i = 0; i < events.size(); i += groupSize) {
            List<LogEvent> group = events.subList(i, Math.min(events.size(), i + groupSize));
            applied(partition.append(partition.epoch(), WriteMode.INSERT_IF_ABSENT, group));
        }
        return events;
    }

    /** The headers from an offset on, compared with what the call says of their count. */
    protected static List<HeaderList.Shown> headers(PartitionStore partition, long fromOffset, int limit) {
        HeaderList headers = new HeaderList();
        assertThat(partition.replay(fromOffset, limit, headers))
                .isEqualTo(headers.shown().size());
        return headers.shown();
    }

    protected static List<HeaderList.Shown> shown(List<LogEvent> events) {
        return events.stream().map(HeaderList.Shown::of).toList();
    }

    /** The kind of the workspace, and the last number of each sequence. */
    protected static long[] numbers(PartitionStore partition, long workspace, int... sequences) {
        long[] values = new long[sequences.length];
        Arrays.fill(values, 4_711);
        int kind = partition.readNumbers(workspace, sequences, values);
        return LongStream.concat(LongStream.of(kind), Arrays.stream(values)).toArray();
    }

    protected static RecordRow record(long workspace, long id, String body) {
        return new RecordRow(workspace, id, 7, 11, 12, body.getBytes(UTF_8));
    }

    protected static SkippedRow skipped(long offset, String projector, String reason) {
        return new SkippedRow(offset, projector, "ann", reason, 1_000);
    }

    /** Rows to derive, all to be inserted, collected one by one. */
    protected static final class Derived {

        private final List<RecordRow> created = new ArrayList<>();
        private final List<RecordRow> updated = new ArrayList<>();
        private final List<RegistryRow> registered = new ArrayList<>();
        private final List<KeyRow> keys = new ArrayList<>();
        private final List<WorkspaceEvent> events = new ArrayList<>();
        private final List<SkippedRow> skipped = new ArrayList<>();
        private OptionalLong applied = OptionalLong.empty();

        Derived created(RecordRow row) {
            created.add(row);
            return this;
        }

        Derived updated(RecordRow row) {
            updated.add(row);
            return this;
        }

        Derived registered(RegistryRow row) {
            registered.add(row);
            return this;
        }

        Derived key(KeyRow row) {
            keys.add(row);
            return this;
        }

        Derived skipped(SkippedRow row) {
            skipped.add(row);
            return this;
        }

        Derived event(WorkspaceEvent row) {
            events.add(row);
            return this;
        }

        Derived applied(long offset) {
            applied = OptionalLong.of(offset);
            return this;
        }

        DerivedRows rows() {
            return with(WriteMode.INSERT_IF_ABSENT, WriteMode.INSERT_IF_ABSENT);
        }

        DerivedRows with(WriteMode records, WriteMode workspaces) {
            return new DerivedRows(records, workspaces, created, updated, registered, keys, events, skipped, applied);
        }
    }

    protected static Derived rows() {
        return new Derived();
    }

    /** A row of each kind, all with the same id or offset and something of their own to say. */
    protected static Derived derived(long workspace, long id, long say) {
        return rows().created(record(workspace, id, "record " + say))
                .registered(new RegistryRow(workspace, id, 7, 12))
                .key(new KeyRow(workspace, "key " + id, 1_000_000 + say))
                .event(new WorkspaceEvent(workspace, id, 1_000_000 + say))
                .skipped(skipped(id, "projector " + workspace, "reason " + say))
                .applied(id + 1);
    }

    protected static void assertThere(PartitionStore partition, Derived rows) {
        assertThere(partition, rows.rows());
    }

    protected static void assertThere(PartitionStore partition, DerivedRows rows) {
        for (RecordRow row : rows.created()) {
            assertThat(partition.record(row.workspace(), row.id())).contains(row);
        }
        for (RecordRow row : rows.updated()) {
            assertThat(partition.record(row.workspace(), row.id())).contains(row);
        }
        for (RegistryRow row : rows.registered()) {
            assertThat(partition.registered(row.workspace(), row.id())).contains(row);
        }
        for (KeyRow row : rows.keys()) {
            assertThat(partition.keyed(row.workspace(), row.key())).contains(row);
        }
        for (SkippedRow row : rows.skipped()) {
            assertThat(partition.skipped(row.plogOffset(), 100)).contains(row);
        }
        for (WorkspaceEvent row : rows.workspaceEvents()) {
            assertThat(partition.workspaceEvents(row.workspace(), row.offset(), 1))
                    .containsExactly(row);
        }
    }

    protected static void assertNothingOf(PartitionStore partition, Derived rows) {
        DerivedRows refused = rows.rows();
        assertThat(refused.created())
                .noneMatch(row -> partition.record(row.workspace(), row.id()).equals(Optional.of(row)));
        assertThat(refused.updated())
                .noneMatch(row -> partition.record(row.workspace(), row.id()).isPresent());
        assertThat(refused.registered())
                .noneMatch(
                        row -> partition.registered(row.workspace(), row.id()).equals(Optional.of(row)));
        assertThat(refused.keys())
                .noneMatch(row -> partition.keyed(row.workspace(), row.key()).equals(Optional.of(row)));
        assertThat(refused.skipped())
                .noneMatch(row -> partition.skipped(1, 1_000).contains(row));
        assertThat(refused.workspaceEvents())
                .noneMatch(row ->
                        partition.workspaceEvents(row.workspace(), 1, 100).contains(row));
        assertThat(partition.appliedOffset()).isEmpty();
    }

    protected static void applied(LogOutcome outcome) {
        assertThat(outcome).isEqualTo(LogOutcome.Applied.APPLIED);
    }

    protected static void fenced(long epoch, LogOutcome outcome) {
        assertThat(outcome).isEqualTo(new LogOutcome.Fenced(epoch));
    }

    protected static LogRow occupied(LogOutcome outcome) {
        assertThat(outcome).isInstanceOf(LogOutcome.Occupied.class);
        return ((LogOutcome.Occupied) outcome).present();
    }

    protected static void illegal(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
    }

    protected static void unavailable(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNAVAILABLE));
    }

    protected static List<Long> offsets(List<LogEvent> events) {
        return events.stream().map(LogEvent::offset).toList();
    }
}
