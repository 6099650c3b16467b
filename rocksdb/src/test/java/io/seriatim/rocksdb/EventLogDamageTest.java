package io.seriatim.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.rocksdb.Database.Family;
import io.seriatim.store.Change;
import io.seriatim.store.CounterRow;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.RowVisitor;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import io.seriatim.store.WriteMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;

/** What becomes of an event log whose rows are damaged, and of a folder from before there were any. */
final class EventLogDamageTest implements RowVisitor {

    /** The families of event logs, each with a call that reads its first row. */
    private static final Map<Family, Consumer<EventLogStore>> READERS = new EnumMap<>(Map.of(
            Family.APPLICATIONS, EventLogStore::applications,
            Family.PARTITIONS, log -> partition(log).checkpoint(),
            Family.EVENTS, log -> partition(log).events(1, 1),
            Family.HEADERS,
                    log -> partition(log)
                            .replay(3, 1, (offset, epoch, workspace, kind, a, b, count, ids, values) -> {}),
            Family.WORKSPACE_EVENTS, log -> partition(log).workspaceEvents(7, 1, 1),
            Family.RECORDS, log -> partition(log).record(7, 1),
            Family.REGISTRY, log -> partition(log).registered(7, 1),
            Family.KEYS, log -> partition(log).keyed(7, "key 1"),
            Family.SKIPPED, log -> partition(log).skipped(1, 1),
            Family.NUMBERS, log -> partition(log).readNumbers(7, new int[1], new long[1])));

    private static PartitionStore partition(EventLogStore log) {
        return log.partition(LogRows.KEY);
    }

    @TempDir
    private Path temp;

    private Path folder;
    private final List<String> damages = new ArrayList<>();

    @BeforeEach
    void write() {
        folder = temp.resolve("data");
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            LogRows.writeAll(store);
            Rows.write(store, Change.of(Rows.counter(7, 1)));
        }
    }

    @Override
    public void definition(DefinitionRow row) {
        throw new AssertionError(row);
    }

    @Override
    public void counter(CounterRow row) {
        assertThat(row).isEqualTo(Rows.counter(7, 1));
    }

    @Override
    public void ledger(LedgerRow row) {
        throw new AssertionError(row);
    }

    @Override
    public void idempotency(IdempotencyRow row) {
        throw new AssertionError(row);
    }

    @Override
    public void damaged(String where, String what) {
        damages.add(where + ": " + what);
    }

    @Test
    void visit_wholeRows_tellsNothing() {
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            store.visit(this);
        }
        assertThat(damages).isEmpty();
    }

    /** That each bit of a row counts is `RowCodecTest`'s; here, that every family is looked at, beginning to end. */
    @Test
    void visit_rowOfAnyFamilyDamaged_tellsIt() {
        READERS.forEach((family, reader) -> {
            List<byte[]> row = firstRow(family);
            byte[] good = row.get(1);
            try (RocksDbStore store = RocksDbStore.open(folder)) {
                for (int at = 0; at < good.length; at += 3) {
                    store.storage().putRaw(family, row.get(0), StoreFiles.flipped(good, at * 8L + at % 8));
                    damages.clear();
                    store.visit(this);
                    assertThat(damages).as("%s byte %d", family, at).isNotEmpty();
                    assertThat(damages.get(0)).contains("family " + family);
                    assertThat(store.failure()).isEmpty();
                }
                store.storage().putRaw(family, row.get(0), good);
                damages.clear();
                store.visit(this);
                assertThat(damages).isEmpty();
            }
        });
    }

    @Test
    void anyRead_damagedRow_stopsCountersAndEventLogsAndNamesTheRow() {
        READERS.forEach((family, reader) -> {
            List<byte[]> row = firstRow(family);
            byte[] good = row.get(1);
            for (int at : new int[] {0, good.length / 2, good.length - 1}) {
                try (RocksDbStore store = RocksDbStore.open(folder)) {
                    store.storage().putRaw(family, row.get(0), StoreFiles.flipped(good, at * 8L + 1));
                    EventLogStore log = store.eventLog();
                    assertThatThrownBy(() -> reader.accept(log))
                            .as("%s byte %d", family, at)
                            .isInstanceOfSatisfying(
                                    StoreException.class,
                                    e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT))
                            .hasMessageContaining(family.name());
                    assertThat(store.eventLog().failure()).isEqualTo(store.failure());
                    assertThat(store.failure().orElseThrow().kind()).isEqualTo(Kind.CORRUPT);
                }
                try (RocksDbStore store = RocksDbStore.open(folder)) {
                    store.storage().putRaw(family, row.get(0), good);
                }
            }
        });
    }

    private List<byte[]> firstRow(Family family) {
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            return store.storage().inside(() -> {
                try (RocksIterator rows = store.storage().database().rows(family)) {
                    if (family == Family.PARTITIONS) {
                        rows.seek(PartitionCodec.key(LogRows.KEY, PartitionCodec.CHECKPOINT));
                    } else {
                        rows.seekToFirst();
                    }
                    return List.of(rows.key(), rows.value());
                }
            });
        }
    }

    /** The headers of a replay stand beside the events; where the two differ the check says so. */
    @Test
    void visit_headersThatDifferFromTheEvents_areTold() {
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            byte[] key = EventCodec.key(LogRows.KEY, 3);
            store.storage().putRaw(Family.EVENTS, key, EventCodec.value(key, LogRows.event(3)));
            store.visit(this);
            assertThat(damages).isEmpty();
            byte[] other = EventCodec.key(LogRows.KEY, 11);
            store.storage().putRaw(Family.EVENTS, other, EventCodec.value(other, LogRows.event(11)));
            store.visit(this);
            assertThat(damages).singleElement().asString().contains("EVENTS", "000000000000000b", "header");
            damages.clear();
            byte[] row = HeadersCodec.key(LogRows.KEY, 6);
            store.storage()
                    .putRaw(
                            Family.HEADERS,
                            row,
                            HeadersCodec.rows(
                                            LogRows.KEY,
                                            LogRows.events(6, 12).stream()
                                                    .filter(event -> event.offset() != 8)
                                                    .map(HeadersCodec::entry)
                                                    .toList())
                                    .get(0)
                                    .value());
            store.visit(this);
            assertThat(damages).hasSize(2);
            assertThat(damages.get(0)).contains("0000000000000008");
            assertThat(damages.get(1)).contains("000000000000000c");
        }
    }

    /** Every folder that was made before this program knew event logs. */
    @Test
    void open_folderWithoutTheFamiliesOfEventLogs_makesThem() throws Exception {
        dropFamilies(List.of("partitions", "events", "headers", "workspace_events", "records", "registry", "numbers"));
        dropFamilies(List.of("applications", "keys", "skipped"));
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            assertThat(Rows.revision(store, 7)).isEqualTo(1);
            assertThat(store.eventLog().partition(LogRows.KEY).epoch()).isZero();
            LogRows.writeAll(store);
        }
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            assertThat(store.eventLog().partition(LogRows.KEY).events(1, 100)).isEqualTo(LogRows.events(1, 10));
        }
    }

    /** Every folder that was made before event logs had applications, keys and skipped projectors. */
    @Test
    void open_folderWithTheFirstFamiliesOfEventLogs_makesTheOthersAndKeepsTheRows() throws Exception {
        dropFamilies(List.of("applications", "keys", "skipped"));
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            assertThat(Rows.revision(store, 7)).isEqualTo(1);
            PartitionStore partition = partition(store.eventLog());
            assertThat(partition.epoch()).isEqualTo(1);
            assertThat(partition.events(1, 100)).isEqualTo(LogRows.events(1, 10));
            assertThat(partition.record(7, 1)).isPresent();
            assertThat(partition.keyed(7, "key 1")).isEmpty();
            assertThat(partition.skipped(1, 10)).isEmpty();
            assertThat(store.eventLog().applications()).isEmpty();
            LogRows.applied(store.eventLog().write(LogRows.application(1)));
            LogRows.applied(partition.derive(1, LogRows.derived(2)));
        }
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            assertThat(store.eventLog().applications()).containsExactly(LogRows.application(1));
            assertThat(partition(store.eventLog()).keyed(7, "key 2")).isPresent();
            assertThat(partition(store.eventLog()).skipped(1, 10)).hasSize(1);
        }
    }

    /** Numbers would begin again. */
    @Test
    void open_folderWithoutAnotherFamily_corrupt() throws Exception {
        dropFamilies(List.of("counters"));
        assertThatThrownBy(() -> RocksDbStore.open(folder))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT));
    }

    private void dropFamilies(List<String> dropped) throws Exception {
        List<ColumnFamilyDescriptor> families = new ArrayList<>();
        for (String name : Database.families(folder.resolve("rocksdb"))) {
            families.add(new ColumnFamilyDescriptor(name.getBytes(UTF_8)));
        }
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try (RocksDB database = RocksDB.open(folder.resolve("rocksdb").toString(), families, handles)) {
            for (ColumnFamilyHandle handle : handles) {
                if (dropped.contains(new String(handle.getName(), UTF_8))) {
                    database.dropColumnFamily(handle);
                }
            }
            handles.forEach(ColumnFamilyHandle::close);
        }
    }

    /** Counters and event logs are one store: what stops one stops the other. */
    @Test
    void close_ofTheEventLog_leavesTheCounters_andTheStoreClosesBoth() {
        RocksDbStore store = RocksDbStore.open(folder);
        PartitionStore partition = store.eventLog().partition(LogRows.KEY);
        store.eventLog().close();
        assertThatThrownBy(partition::epoch)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE));
        assertThat(Rows.revision(store, 7)).isEqualTo(1);
        store.close();
        RocksDbStore again = RocksDbStore.open(folder);
        PartitionStore open = again.eventLog().partition(LogRows.KEY);
        LogRows.applied(open.append(1, WriteMode.INSERT_IF_ABSENT, LogRows.events(11, 11)));
        again.close();
        assertThatThrownBy(open::epoch)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE));
    }
}
