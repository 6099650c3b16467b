package io.seriatim.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterRow;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.RowVisitor;
import io.seriatim.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every row is shown, and every damage is told. */
final class VisitTest implements RowVisitor {

    @TempDir
    private Path temp;

    private final List<Object> rows = new ArrayList<>();
    private final List<String> damages = new ArrayList<>();

    @Override
    public void definition(DefinitionRow row) {
        rows.add(row);
    }

    @Override
    public void counter(CounterRow row) {
        rows.add(row);
    }

    @Override
    public void ledger(LedgerRow row) {
        rows.add(row);
    }

    @Override
    public void idempotency(IdempotencyRow row) {
        rows.add(row);
    }

    @Override
    public void damaged(String where, String what) {
        damages.add(where + ": " + what);
    }

    private List<Object> write(Path folder) {
        DefinitionRow definition = new DefinitionRow(
                "Tomb",
                7,
                1,
                1,
                Map.of("start", "1"),
                true,
                Instant.EPOCH,
                Instant.EPOCH,
                Rows.counter(7, 1).mark());
        CounterRow counter = Rows.counter(7, 1);
        LedgerRow ledger = new LedgerRow(counter.key(), 1, "issued 1");
        IdempotencyRow answer = Rows.answer(7, "key", "answer");
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            Rows.write(store, Change.of(counter).with(definition).with(ledger).with(answer));
        }
        return List.of(definition, counter, ledger, answer);
    }

    @Test
    void visit_showsEveryRowOfEveryKind() {
        List<Object> written = write(temp.resolve("store"));
        try (RocksDbStore store = RocksDbStore.open(temp.resolve("store"))) {
            store.visit(this);
        }
        assertThat(rows).isEqualTo(written);
        assertThat(damages).isEmpty();
    }

    /** Unlike a call, a check goes on behind a damaged row. */
    @Test
    void visit_damagedRow_tellsItAndShowsTheOthers() {
        byte[] key = CounterCodec.key(CounterKey.of(8));
        byte[] value = CounterCodec.value(key, Rows.counter(8, 1));
        value[20] ^= 1;
        try (RocksDbStore store = RocksDbStore.open(temp.resolve("store"))) {
            Rows.write(store, Change.of(Rows.counter(7, 1)));
            store.storage().putRaw(Database.Family.COUNTERS, key, value);
            Rows.write(store, Change.of(Rows.counter(9, 1)));

            store.visit(this);

            assertThat(rows).containsExactly(Rows.counter(7, 1), Rows.counter(9, 1));
            assertThat(damages).singleElement().asString().contains("COUNTERS", "0000000000000008", "checksum");
            assertThat(store.failure()).isEmpty();
        }
    }

    /** Any flipped bit of a table file: the store does not open, or the check tells it, or no byte of a row is hit. */
    @Test
    void visit_bitOfATableFlipped_isToldOrEveryRowIsRight() throws IOException {
        Path good = temp.resolve("good");
        List<Object> written = write(good);
        List<Path> tables = StoreFiles.named(good, "", ".sst");
        long seed = 4711;
        Random random = new Random(seed);
        int told = 0;
        for (int table = 0; table < tables.size(); table++) {
            byte[] bytes = Files.readAllBytes(tables.get(table));
            for (int at = 0; at < bytes.length; at += 37) {
                Path folder = StoreFiles.copy(good, temp.resolve("copy"));
                Files.write(
                        StoreFiles.named(folder, "", ".sst").get(table),
                        StoreFiles.flipped(bytes, at * 8L + random.nextInt(8)));
                rows.clear();
                damages.clear();
                try (RocksDbStore store = RocksDbStore.open(folder)) {
                    store.visit(this);
                    if (damages.isEmpty()) {
                        assertThat(rows)
                                .as("seed %d table %d byte %d", seed, table, at)
                                .isEqualTo(written);
                    }
                    told += damages.isEmpty() ? 0 : 1;
                } catch (StoreException e) {
                    assertThat(e.kind()).isEqualTo(StoreException.Kind.CORRUPT);
                }
                StoreFiles.delete(folder);
            }
        }
        assertThat(told).isPositive();
    }
}
