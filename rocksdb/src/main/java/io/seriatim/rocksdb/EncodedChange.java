package io.seriatim.rocksdb;

import io.seriatim.rocksdb.Database.Family;
import io.seriatim.store.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A change as bytes, made before any lock is taken.
 *
 * @param lockKeys what stands for each row under the stripes; a ledger row is guarded by its counter
 */
record EncodedChange(
        Optional<Row> definition,
        Optional<Row> counter,
        List<Row> ledger,
        Optional<Row> idempotency,
        List<byte[]> lockKeys) {

    /** One row as bytes. */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody, changed by nobody
    record Row(Family family, byte[] key, byte[] value) {}

    static EncodedChange of(Change change) {
        Optional<Row> definition = change.definition().map(row -> {
            byte[] key = DefinitionCodec.key(row);
            return new Row(Family.DEFINITIONS, key, DefinitionCodec.value(key, row));
        });
        Optional<Row> counter = change.counter().map(row -> {
            byte[] key = CounterCodec.key(row.key());
            return new Row(Family.COUNTERS, key, CounterCodec.value(key, row));
        });
        List<Row> ledger = change.ledger().stream()
                .map(row -> {
                    byte[] key = LedgerCodec.key(row);
                    return new Row(Family.LEDGER, key, LedgerCodec.value(key, row));
                })
                .toList();
        Optional<Row> idempotency = change.idempotency().map(row -> {
            byte[] key = IdempotencyCodec.key(row.key());
            return new Row(Family.IDEMPOTENCY, key, IdempotencyCodec.value(key, row));
        });
        List<byte[]> lockKeys = new ArrayList<>();
        definition.ifPresent(row -> lockKeys.add(row.key()));
        counter.ifPresent(row -> lockKeys.add(row.key()));
        change.ledger().forEach(row -> lockKeys.add(CounterCodec.key(row.counter())));
        idempotency.ifPresent(row -> lockKeys.add(row.key()));
        return new EncodedChange(definition, counter, ledger, idempotency, lockKeys);
    }

    List<Row> all() {
        List<Row> rows = new ArrayList<>(ledger);
        definition.ifPresent(rows::add);
        counter.ifPresent(rows::add);
        idempotency.ifPresent(rows::add);
        return rows;
    }
}
