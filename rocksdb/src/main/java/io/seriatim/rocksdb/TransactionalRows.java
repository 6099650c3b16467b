package io.seriatim.rocksdb;

import io.seriatim.rocksdb.Database.Family;
import io.seriatim.store.CatalogueRow;
import io.seriatim.store.RowVisitor;
import io.seriatim.store.TransactionalRow;
import io.seriatim.store.VersionedValue;
import io.seriatim.store.WriterMark;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/** Transactional sequences, each out of the rows that it has in three families. Used by one thread. */
final class TransactionalRows {

    /*
     * A visit reads each family with its checksums first, and then walks along the sequences and looks up what belongs to
     * each; so a row that cannot be read is told once. A name stands in the catalogue and at its sequence, and both must
     * say the same.
     *
     * A deleted sequence is of no use any more but for the greatest id, behind which the next one is made; who put to an id
     * that was reserved and never defined has used it up.
     */

    /** Of a put that no transaction of this store has made. */
    private static final WriterMark NOBODY = new WriterMark(0, 0);

    /** More sequences than this there never are. */
    private static final long FAR = 1L << 62;

    private final Database database;
    private final RowVisitor visitor;
    private final RocksIterator puts;
    private long lastShown;

    private TransactionalRows(Database database, RowVisitor visitor, RocksIterator puts) {
        this.database = database;
        this.visitor = visitor;
        this.puts = puts;
    }

    /** Shows every sequence, and tells what is damaged or does not belong together. */
    static void visit(Storage storage, RowVisitor visitor) throws RocksDBException {
        storage.visit(Family.SEQUENCES, SequenceCodec::decode, row -> {}, visitor);
        storage.visit(Family.PUTS, PutCodec::decode, row -> {}, visitor);
        storage.visit(Family.CATALOGUE, CatalogueCodec::decode, row -> {}, visitor);
        Database database = storage.database();
        try (RocksIterator puts = database.rows(Family.PUTS)) {
            new TransactionalRows(database, visitor, puts).visit();
        } catch (RocksDBException e) {
            Storage.requireDamage(e); // told by the visit of its family
        }
    }

    /** How many there are, but for deleted ones. */
    static long count(Storage storage) throws RocksDBException {
        long count = 0;
        try (RocksIterator rows = storage.database().rows(Family.SEQUENCES)) {
            for (rows.seekToFirst(); rows.isValid(); rows.next()) {
                SequenceCodec.Row row =
                        storage.decode(Family.SEQUENCES, rows.key(), rows.value(), SequenceCodec::decode);
                count += row.deleted() ? 0 : 1;
            }
            rows.status();
        }
        return count;
    }

    private void visit() throws RocksDBException {
        try (RocksIterator rows = database.rows(Family.SEQUENCES)) {
            for (rows.seekToFirst(); rows.isValid(); rows.next()) {
                try {
                    show(SequenceCodec.decode(rows.key(), rows.value()));
                } catch (CorruptRowException e) {
                    // Told by the visit of its family.
                }
            }
            rows.status();
        }
        try (RocksIterator rows = database.rows(Family.CATALOGUE)) {
            for (rows.seekToFirst(); rows.isValid(); rows.next()) {
                try {
                    requireSequence(rows.key(), CatalogueCodec.decode(rows.key(), rows.value()));
                } catch (CorruptRowException e) {
                    // Told by the visit of its family.
                }
            }
            rows.status();
        }
        long last = lastId(database);
        if (last > lastShown) {
            visitor.transactional(TransactionalRow.deleted(last));
        }
    }

    private void show(SequenceCodec.Row row) throws RocksDBException, CorruptRowException {
        if (row.deleted()) {
            return;
        }
        Optional<CatalogueRow> entry = Optional.empty();
        if (!row.name().isEmpty()) {
            byte[] key = CatalogueCodec.key(row.name());
            byte[] value = database.get(Family.CATALOGUE, key);
            entry = value == null ? Optional.empty() : Optional.of(CatalogueCodec.decode(key, value));
            if (entry.filter(found -> found.sequenceId() == row.id()).isEmpty()) {
                visitor.damaged(
                        Storage.nameOf(Family.SEQUENCES, SequenceCodec.key(row.id())),
                        "the catalogue does not have it under its name " + row.name());
                return;
            }
        }
        visitor.transactional(new TransactionalRow(row.id(), false, entry, newest(row.id())));
        lastShown = row.id();
    }

    /** Of rows with one version the one with the least mark counts, see {@link Published}. */
    private VersionedValue newest(long id) throws RocksDBException, CorruptRowException {
        VersionedValue newest = VersionedValue.NONE;
        puts.seekForPrev(PutCodec.end(id));
        for (; puts.isValid() && Storage.startsWith(puts.key(), PutCodec.prefix(id)); puts.prev()) {
            VersionedValue put = PutCodec.decode(puts.key(), puts.value()).pair();
            if (newest.isNewerThan(put)) {
                return newest;
            }
            newest = put;
        }
        puts.status();
        return newest;
    }

    private void requireSequence(byte[] key, CatalogueRow entry) throws RocksDBException, CorruptRowException {
        byte[] id = SequenceCodec.key(entry.sequenceId());
        byte[] value = database.get(Family.SEQUENCES, id);
        SequenceCodec.Row row = value == null ? new SequenceCodec.Row(0, true, "") : SequenceCodec.decode(id, value);
        if (row.deleted() || !row.name().equals(entry.name())) {
            visitor.damaged(Storage.nameOf(Family.CATALOGUE, key), "its sequence is not there: " + entry.sequenceId());
        }
    }

    /**
     * The greatest id that any row has; 0 where there is none. Puts may be to ids that nobody was given: far ones do not use
     * up the ids.
     */
    static long lastId(Database database) throws RocksDBException {
        return Math.max(lastId(database, Family.SEQUENCES), lastId(database, Family.PUTS));
    }

    private static long lastId(Database database, Family family) throws RocksDBException {
        try (RocksIterator rows = database.rows(family)) {
            rows.seekForPrev(PutCodec.end(FAR));
            if (!rows.isValid()) {
                rows.status();
                return 0;
            }
            return ByteBuffer.wrap(rows.key()).getLong();
        }
    }

    /** Adds a sequence that is not there. */
    static void put(Database database, WriteBatch batch, TransactionalRow row) throws RocksDBException {
        byte[] key = SequenceCodec.key(row.id());
        String name = row.entry().map(CatalogueRow::name).orElse("");
        SequenceCodec.Row sequence = new SequenceCodec.Row(row.id(), row.deleted(), name);
        database.put(batch, Family.SEQUENCES, key, SequenceCodec.value(key, sequence));
        if (row.entry().isPresent()) {
            byte[] named = CatalogueCodec.key(name);
            CatalogueRow entry = row.entry().get();
            database.put(batch, Family.CATALOGUE, named, CatalogueCodec.value(named, entry));
        }
        VersionedValue newest = row.newest();
        if (newest.version() > 0) {
            byte[] put = PutCodec.key(row.id(), newest.version(), NOBODY);
            database.put(batch, Family.PUTS, put, PutCodec.value(put, newest.value()));
        }
    }
}
