package io.seriatim.rocksdb;

import io.seriatim.rocksdb.Database.Family;
import io.seriatim.store.ApplicationRow;
import io.seriatim.store.Checkpoint;
import io.seriatim.store.CounterRow;
import io.seriatim.store.DefinitionRow;
import io.seriatim.store.IdempotencyRow;
import io.seriatim.store.KeyRow;
import io.seriatim.store.LedgerRow;
import io.seriatim.store.LogEvent;
import io.seriatim.store.NumbersRow;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.RecordRow;
import io.seriatim.store.RegistryRow;
import io.seriatim.store.RowVisitor;
import io.seriatim.store.SkippedRow;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import io.seriatim.store.TransactionalRow;
import io.seriatim.store.WorkspaceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** Writes the rows of another store as they come. They are durable when the store is closed; nobody reads them before. */
final class StateRows implements RowVisitor {

    /*
     * Headers for replays are of this store alone, so they are made anew of the events. Those of one row must lie beside one
     * another and before those of the next (HeadersCodec), so the events of a partition must come in their order.
     */

    private static final int HEADERS_AT_ONCE = 1_000;

    /** Whose epoch stands at an applied offset is asked by nobody, and other stores do not keep it. */
    private static final long ANY_OWNER = 1;

    private final Storage storage;
    private final List<HeadersCodec.Entry> headers = new ArrayList<>();

    /** The partition of the last event, and its offset. */
    private @Nullable PartitionKey partition;

    private long lastOffset;

    StateRows(Storage storage) {
        this.storage = storage;
    }

    private interface Filling {
        void fill(WriteBatch batch) throws RocksDBException;
    }

    private void write(Filling filling) {
        Optional<Throwable> unknown = storage.inside(() -> {
            try (WriteBatch batch = new WriteBatch()) {
                filling.fill(batch);
                return storage.write(batch, false);
            }
        });
        if (unknown.isPresent()) {
            throw new StoreException(Kind.FAILED, "a row may not be written", unknown.get());
        }
    }

    private void put(Family family, byte[] key, byte[] value) {
        write(batch -> storage.database().put(batch, family, key, value));
    }

    /** To be called behind the last row. */
    void end() {
        PartitionKey of = partition;
        if (of != null && !headers.isEmpty()) {
            HeadersCodec.rows(of, headers).forEach(row -> put(row.family(), row.key(), row.value()));
            headers.clear();
        }
    }

    // ---- sequences

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

    // ---- event logs

    @Override
    public void application(ApplicationRow row) {
        byte[] key = ApplicationCodec.key(row.id());
        put(Family.APPLICATIONS, key, ApplicationCodec.value(key, row));
    }

    @Override
    public void epoch(PartitionKey of, long epoch) {
        fact(of, PartitionCodec.EPOCH, epoch, epoch);
    }

    @Override
    public void applied(PartitionKey of, long nextOffset) {
        fact(of, PartitionCodec.APPLIED, nextOffset, ANY_OWNER);
    }

    @Override
    public void checkpoint(PartitionKey of, Checkpoint row) {
        fact(of, PartitionCodec.CHECKPOINT, row.nextOffset(), row.epoch());
    }

    private void fact(PartitionKey of, int what, long number, long owner) {
        byte[] key = PartitionCodec.key(of, what);
        put(Family.PARTITIONS, key, PartitionCodec.value(key, number, owner));
    }

    @Override
    public void event(PartitionKey of, LogEvent row) {
        if (!of.equals(partition)) {
            end();
            requireNoHeaders(of);
            partition = of;
        } else if (row.offset() <= lastOffset) {
            throw outOfOrder(of);
        }
        lastOffset = row.offset();
        byte[] key = EventCodec.key(of, row.offset());
        put(Family.EVENTS, key, EventCodec.value(key, row));
        headers.add(HeadersCodec.entry(row));
        if (headers.size() == HEADERS_AT_ONCE) {
            end();
        }
    }

    private void requireNoHeaders(PartitionKey of) {
        byte[] prefix = new RowWriter().putPartition(of).toKey();
        boolean there = storage.inside(() -> {
            try (var rows = storage.database().rows(Family.EVENTS)) {
                rows.seek(prefix);
                boolean found = rows.isValid() && Storage.startsWith(rows.key(), prefix);
                rows.status();
                return found;
            }
        });
        if (there) {
            throw outOfOrder(of);
        }
    }

    private static StoreException outOfOrder(PartitionKey of) {
        return new StoreException(Kind.CORRUPT, "the events of " + of + " do not come in their order");
    }

    @Override
    public void workspaceEvent(PartitionKey of, WorkspaceEvent row) {
        byte[] key = WorkspaceEventCodec.key(of, row.workspace(), row.offset());
        put(Family.WORKSPACE_EVENTS, key, WorkspaceEventCodec.value(key, row));
    }

    @Override
    public void record(PartitionKey of, RecordRow row) {
        byte[] key = RecordCodec.key(of, row.workspace(), row.id());
        put(Family.RECORDS, key, RecordCodec.value(key, row));
    }

    @Override
    public void registered(PartitionKey of, RegistryRow row) {
        byte[] key = RegistryCodec.key(of, row.workspace(), row.id());
        put(Family.REGISTRY, key, RegistryCodec.value(key, row));
    }

    @Override
    public void keyed(PartitionKey of, KeyRow row) {
        byte[] key = KeyCodec.key(of, row.workspace(), row.key());
        put(Family.KEYS, key, KeyCodec.value(key, row));
    }

    @Override
    public void skipped(PartitionKey of, SkippedRow row) {
        byte[] key = SkippedCodec.key(of, row.plogOffset(), row.projector());
        put(Family.SKIPPED, key, SkippedCodec.value(key, row));
    }

    @Override
    public void numbers(PartitionKey of, NumbersRow row) {
        byte[] key = NumbersCodec.key(of, row.workspace());
        NumbersCodec.Row numbers = new NumbersCodec.Row(row.kind());
        for (int i = 0; i < row.sequences().length; i++) {
            boolean unused = numbers.raise(row.sequences()[i], row.values()[i]);
        }
        put(Family.NUMBERS, key, NumbersCodec.value(key, numbers));
    }

    // ---- transactional sequences

    @Override
    public void transactional(TransactionalRow row) {
        write(batch -> TransactionalRows.put(storage.database(), batch, row));
    }

    @Override
    public void damaged(String where, String what) {
        throw new StoreException(Kind.CORRUPT, "a row cannot be taken: " + where + ": " + what);
    }
}
