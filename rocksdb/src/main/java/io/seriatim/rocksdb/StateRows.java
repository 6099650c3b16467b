package io.seriatim.rocksdb;

import io.seriatim.rocksdb.Database.Family;
import io.seriatim.store.CounterRow;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.RowVisitor;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import java.util.Optional;
import org.rocksdb.WriteBatch;

/** Writes the rows of another store as they come. They are durable when the store is closed; nobody reads them before. */
final class StateRows implements RowVisitor {

    private final Storage storage;

    StateRows(Storage storage) {
        this.storage = storage;
    }

    private void put(Family family, byte[] key, byte[] value) {
        Optional<Throwable> unknown = storage.inside(() -> {
            try (WriteBatch batch = new WriteBatch()) {
                storage.database().put(batch, family, key, value);
                return storage.write(batch, false);
            }
        });
        if (unknown.isPresent()) {
            throw new StoreException(Kind.FAILED, "a row may not be written", unknown.get());
        }
    }

    @Override
    public void definition(DefinitionRow row) {
        byte[] key = DefinitionCodec.key(row);
        put(Family.DEFINITIONS, key, DefinitionCodec.value(key, row));
    }

    @Override
    public void counter(CounterRow row) {
        byte[] key = CounterCodec.key(row.key());
        put(Family.COUNTERS, key, CounterCodec.value(key, row));
    }

    @Override
    public void ledger(LedgerRow row) {
        byte[] key = LedgerCodec.key(row);
        put(Family.LEDGER, key, LedgerCodec.value(key, row));
    }

    @Override
    public void idempotency(IdempotencyRow row) {
        byte[] key = IdempotencyCodec.key(row.key());
        put(Family.IDEMPOTENCY, key, IdempotencyCodec.value(key, row));
    }

    @Override
    public void damaged(String where, String what) {
        throw new StoreException(Kind.CORRUPT, "a row cannot be taken: " + where + ": " + what);
    }
}
