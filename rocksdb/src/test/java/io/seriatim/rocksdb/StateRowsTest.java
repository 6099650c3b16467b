package io.seriatim.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.seriatim.rocksdb.Database.Family;
import io.seriatim.store.CatalogueRow;
import io.seriatim.store.CounterRow;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.EventHeader;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.RowVisitor;
import io.seriatim.store.StateCopy;
import io.seriatim.store.StoreException;
import io.seriatim.store.TransactionalRow;
import io.seriatim.store.VersionedValue;
import io.seriatim.store.WriterMark;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rows of another store in a folder; that they go from store to store is the server's test. */
final class StateRowsTest implements RowVisitor {

    private static final PartitionKey ONE = new PartitionKey(1, 0);
    private static final PartitionKey OTHER = new PartitionKey(1, 1);

    @TempDir
    private Path temp;

    private final List<Object> found = new ArrayList<>();
    private final List<String> damages = new ArrayList<>();

    @Override
    public void definition(DefinitionRow row) {
        throw new AssertionError(row);
    }

    @Override
    public void counter(CounterRow row) {
        throw new AssertionError(row);
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
    public void transactional(TransactionalRow row) {
        found.add(row);
    }

    @Override
    public void damaged(String where, String what) {
        damages.add(where + ": " + what);
    }

    private static LogEvent event(long offset) {
        EventHeader header = new EventHeader(7, 1, new WriterMark(1, offset), "", new int[0], new long[0]);
        return new LogEvent(offset, 1, header, new byte[0]);
    }

    /** Takes what is shown into a new folder, and compares nothing. */
    private Path load(Consumer<RowVisitor> rows) throws Exception {
        Path folder = temp.resolve("data");
        RocksDbStore.load(
                folder,
                new StateCopy() {
                    @Override
                    public void showTo(RowVisitor taker) {
                        rows.accept(taker);
                    }

                    @Override
                    public void check(Consumer<RowVisitor> there) {
                        there.accept(StateRowsTest.this);
                    }
                },
                Optional.empty());
        return folder;
    }

    /** Headers of two rows would have stood between one another, and a replay would have missed events. */
    @Test
    void load_eventsOutOfOrder_isRefusedAndLeavesNothing() {
        List<Consumer<RowVisitor>> bad = List.of(
                taker -> {
                    taker.event(ONE, event(2));
                    taker.event(ONE, event(1));
                },
                taker -> {
                    taker.event(ONE, event(1));
                    taker.event(OTHER, event(1));
                    taker.event(ONE, event(2));
                });
        for (Consumer<RowVisitor> rows : bad) {
            assertThat(catchThrowableOfType(StoreException.class, () -> load(rows))
                            .kind())
                    .isEqualTo(StoreException.Kind.CORRUPT);
            assertThat(temp.resolve("data")).doesNotExist();
            assertThat(temp.resolve("data.part")).doesNotExist();
        }
    }

    @Test
    void load_raisesEpochsBehindTheComparison() throws Exception {
        Path folder = load(taker -> {
            taker.epoch(ONE, 5);
            taker.event(ONE, event(1));
        });
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            assertThat(store.eventLog().partition(ONE).epoch()).isEqualTo(5 + RocksDbEventLog.EPOCHS_OF_A_LIFE);
        }
    }

    @Test
    void visit_transactionalSequences_showsEachAsItIsAndTheGreatestIdOfAll() throws Exception {
        CatalogueRow orders = new CatalogueRow("orders", 3, Map.of("max", "9"));
        List<TransactionalRow> rows = List.of(
                new TransactionalRow(1, false, Optional.empty(), VersionedValue.NONE),
                new TransactionalRow(3, false, Optional.of(orders), new VersionedValue(8, -1)),
                TransactionalRow.deleted(5));
        Path folder = load(taker -> rows.forEach(taker::transactional));
        assertThat(found).isEqualTo(rows);
        try (RocksDbStore store = RocksDbStore.openForTransactions(folder)) {
            assertThat(store.transactions().find(3)).contains(new VersionedValue(8, -1));
            assertThat(store.transactions().find(5)).isEmpty();
            assertThat(store.transactions().create()).isEqualTo(6);
        }
    }

    @Test
    void visit_nameAndSequenceThatSayDifferentThings_areTold() throws Exception {
        CatalogueRow orders = new CatalogueRow("orders", 3, Map.of());
        Path folder = load(
                taker -> taker.transactional(new TransactionalRow(3, false, Optional.of(orders), VersionedValue.NONE)));
        assertThat(damages).isEmpty();
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            byte[] other = CatalogueCodec.key("other");
            store.storage()
                    .putRaw(
                            Family.CATALOGUE,
                            other,
                            CatalogueCodec.value(other, new CatalogueRow("other", 3, Map.of())));
            byte[] lonely = SequenceCodec.key(4);
            store.storage()
                    .putRaw(
                            Family.SEQUENCES,
                            lonely,
                            SequenceCodec.value(lonely, new SequenceCodec.Row(4, false, "gone")));
            store.visit(this);
        }
        assertThat(damages).hasSize(2);
        assertThat(damages.get(0)).contains("SEQUENCES", "gone");
        assertThat(damages.get(1)).contains("CATALOGUE", "its sequence is not there");
    }
}
