package io.seriatim.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Transaction;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** RocksDB as this store sets it up, with every native handle that belongs to it. Safe for many threads. */
final class Database {

    /** Where each kind of row lies. */
    enum Family {
        HEADER("default"),
        DEFINITIONS("definitions"),
        COUNTERS("counters"),
        LEDGER("ledger"),
        IDEMPOTENCY("idempotency"),
        PARTITIONS("partitions", true),
        EVENTS("events", true),
        HEADERS("headers", true),
        WORKSPACE_EVENTS("workspace_events", true),
        RECORDS("records", true),
        REGISTRY("registry", true),
        NUMBERS("numbers", true),
        APPLICATIONS("applications", true),
        KEYS("keys", true),
        SKIPPED("skipped", true),
        SEQUENCES("sequences", true),
        PUTS("puts", true),
        CATALOGUE("catalogue", true);

        private final String label;

        /** Of event logs or transactions: a folder that was made before there was this family is without it. */
        private final boolean later;

        Family(String label) {
            this(label, false);
        }

        Family(String label, boolean later) {
            this.label = label;
            this.later = later;
        }
    }

    private static final long MIB = 1 << 20;

    /** How many full memtables of one family make up the memory of all. */
    private static final int MEMTABLES = 4;

    private static final long BLOCK_CACHE_BYTES = 32 * MIB;

    /** Bounds what an open after a crash has to read. */
    private static final long WAL_BYTES = 64 * MIB;

    private static final long INFO_LOG_BYTES = MIB;
    private static final int INFO_LOG_FILES = 3;
    private static final int OPEN_FILES = 1_000;
    private static final int BLOOM_BITS = 10;

    private static final CompressionType COMPRESSION = CompressionType.LZ4_COMPRESSION;

    /** RocksDB's default. */
    private static final long BLOCK_BYTES = 4 << 10;

    /** Of headers, which are read from one end to the other: unpacking them would double what a replay costs. */
    private static final long REPLAYED_BLOCK_BYTES = 64 << 10;

    /** For who reads many rows in a row: halves what a row costs. */
    private static final long READAHEAD_BYTES = 2 * MIB;

    /** A log that is full is noted with its length, and missed when it is shorter or gone. Java has no setter. */
    private static final Properties NAMED_OPTIONS = new Properties();

    static {
        NAMED_OPTIONS.setProperty("track_and_verify_wals_in_manifest", "true");
    }

    /*
     * How much of what was flushed stays in memory, for transactions to compare with. One that wants a row that was
     * written, or may have been, before that fails at its commit. RocksDB would keep two memtables of each family; of
     * ours only the catalogue is compared.
     */

    private static final String NO_HISTORY = "0";
    private static final String SHORTEST_HISTORY = "1"; // 0 would mean that of RocksDB
    private static final String LONG_HISTORY = "-1"; // two memtables

    private final RocksDB db;
    private final Map<Family, ColumnFamilyHandle> handles;
    private final Map<String, ColumnFamilyHandle> rowFamilies;
    private final ColumnFamilyOptions ofRowFamilies;
    private final WriteOptions synced;
    private final WriteOptions unsynced;
    private final ReadOptions throughout;
    private final List<AbstractNativeReference> settings;

    private Database(
            RocksDB db,
            Map<Family, ColumnFamilyHandle> handles,
            Map<String, ColumnFamilyHandle> rowFamilies,
            ColumnFamilyOptions ofRowFamilies,
            WriteOptions synced,
            WriteOptions unsynced,
            ReadOptions throughout,
            List<AbstractNativeReference> settings) {
        this.db = db;
        this.handles = handles;
        this.rowFamilies = rowFamilies;
        this.ofRowFamilies = ofRowFamilies;
        this.synced = synced;
        this.unsynced = unsynced;
        this.throughout = throughout;
        this.settings = settings;
    }

    /** The names of the column families that a database on disk has. */
    static Set<String> families(Path folder) throws RocksDBException {
        Set<String> names = new TreeSet<>();
        try (Options options = new Options()) {
            RocksDB.listColumnFamilies(options, folder.toString()).forEach(name -> names.add(new String(name, UTF_8)));
        }
        return names;
    }

    /** The user's families among them, by the names that the user gave them. */
    static Set<String> rowFamilies(Set<String> names) {
        Set<String> families = new TreeSet<>();
        for (String name : names) {
            if (name.startsWith(RowFamily.PREFIX)) {
                families.add(name.substring(RowFamily.PREFIX.length()));
            }
        }
        return families;
    }

    /** Those of them that this program does not know. */
    static Set<String> foreign(Set<String> names) {
        Set<String> foreign = new TreeSet<>(names);
        foreign.removeIf(name -> name.startsWith(RowFamily.PREFIX));
        for (Family family : Family.values()) {
            foreign.remove(family.label);
        }
        return foreign;
    }

    /** Whether they have all but some that came later, which may then be made. */
    static boolean lacksLaterOnly(Set<String> names) {
        return Arrays.stream(Family.values()).allMatch(family -> family.later || names.contains(family.label));
    }

    /**
     * How to open it.
     *
     * @param create whether the database may be made where it is missing
     * @param createFamilies whether missing families may be made
     * @param rowFamilies the user's families that are there, by the user's names
     * @param transactional whether transactions may be begun; costs 40 MiB and some 30 ms at each open
     * @param memtableBytes memory of all memtables together
     */
    record Opening(
            boolean create,
            boolean createFamilies,
            Set<String> rowFamilies,
            boolean transactional,
            long memtableBytes) {}

    /** Opens the database. */
    static Database open(Path folder, Opening how) throws RocksDBException {
        List<AbstractNativeReference> settings = new ArrayList<>();
        try {
            DBOptions options = keep(settings, options(how.create(), how.createFamilies(), how.memtableBytes()));
            LRUCache cache = keep(settings, new LRUCache(BLOCK_CACHE_BYTES));
            String history = how.transactional() ? SHORTEST_HISTORY : NO_HISTORY;
            long memtableBytes = how.memtableBytes();
            ColumnFamilyOptions family =
                    keep(settings, familyOptions(settings, cache, memtableBytes, COMPRESSION, BLOCK_BYTES, history));
            ColumnFamilyOptions replayed = keep(
                    settings,
                    familyOptions(
                            settings,
                            cache,
                            memtableBytes,
                            CompressionType.NO_COMPRESSION,
                            REPLAYED_BLOCK_BYTES,
                            history));
            ColumnFamilyOptions compared = keep(
                    settings,
                    familyOptions(
                            settings,
                            cache,
                            memtableBytes,
                            COMPRESSION,
                            BLOCK_BYTES,
                            how.transactional() ? LONG_HISTORY : NO_HISTORY));
            List<ColumnFamilyDescriptor> families = new ArrayList<>();
            for (Family each : Family.values()) {
                families.add(new ColumnFamilyDescriptor(
                        each.label.getBytes(UTF_8),
                        switch (each) {
                            case HEADERS -> replayed;
                            case CATALOGUE -> compared;
                            default -> family;
                        }));
            }
            List<String> rowFamilies = List.copyOf(how.rowFamilies());
            rowFamilies.forEach(name -> families.add(descriptorOf(name, compared)));
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            WriteOptions synced = keep(settings, new WriteOptions().setSync(true));
            WriteOptions unsynced = keep(settings, new WriteOptions());
            ReadOptions throughout =
                    keep(settings, new ReadOptions().setFillCache(false).setReadaheadSize(READAHEAD_BYTES));
            RocksDB db = how.transactional()
                    ? OptimisticTransactionDB.open(options, folder.toString(), families, handles)
                    : RocksDB.open(options, folder.toString(), families, handles);
            Map<Family, ColumnFamilyHandle> byFamily = new EnumMap<>(Family.class);
            Map<String, ColumnFamilyHandle> byName = new ConcurrentHashMap<>();
            for (int i = 0; i < handles.size(); i++) { // RocksDB answers in the order of its argument
                if (i < Family.values().length) {
                    byFamily.put(Family.values()[i], handles.get(i));
                } else {
                    byName.put(rowFamilies.get(i - Family.values().length), handles.get(i));
                }
            }
            return new Database(db, byFamily, byName, compared, synced, unsynced, throughout, settings);
        } catch (RocksDBException | RuntimeException e) {
            closeAll(settings);
            throw e;
        }
    }

    private static ColumnFamilyDescriptor descriptorOf(String rowFamily, ColumnFamilyOptions options) {
        return new ColumnFamilyDescriptor((RowFamily.PREFIX + rowFamily).getBytes(UTF_8), options);
    }

    private static DBOptions options(boolean create, boolean createFamilies, long memtableBytes) {
        return Objects.requireNonNull(DBOptions.getDBOptionsFromProps(NAMED_OPTIONS))
                .setCreateIfMissing(create)
                .setCreateMissingColumnFamilies(createFamilies)
                // An unfinished record at the end is the write under way at a crash and was never acknowledged.
                // The default would drop everything behind a damaged record as well.
                .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
                // In a file that is used again, old records behind the end look like damage, so damage must be
                // taken for the end.
                .setRecycleLogFileNum(0)
                // After a failed write nothing is tried again: see RocksDbStore.
                .setMaxBgErrorResumeCount(0)
                .setParanoidChecks(true)
                .setAvoidFlushDuringRecovery(false)
                .setDbWriteBufferSize(memtableBytes)
                .setMaxTotalWalSize(WAL_BYTES)
                .setMaxOpenFiles(OPEN_FILES)
                .setMaxBackgroundJobs(2)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setMaxLogFileSize(INFO_LOG_BYTES)
                .setKeepLogFileNum(INFO_LOG_FILES)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0);
    }

    private static ColumnFamilyOptions familyOptions(
            List<AbstractNativeReference> settings,
            LRUCache cache,
            long memtableBytes,
            CompressionType compression,
            long blockBytes,
            String history) {
        BloomFilter bloom = keep(settings, new BloomFilter(BLOOM_BITS));
        Properties named = new Properties();
        named.setProperty("max_write_buffer_size_to_maintain", history);
        return Objects.requireNonNull(ColumnFamilyOptions.getColumnFamilyOptionsFromProps(named))
                .setWriteBufferSize(memtableBytes / MEMTABLES)
                .setCompressionType(compression)
                .setParanoidFileChecks(true)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockSize(blockBytes)
                        .setBlockCache(cache)
                        .setCacheIndexAndFilterBlocks(true)
                        .setFilterPolicy(bloom));
    }

    byte @Nullable [] get(Family family, byte[] key) throws RocksDBException {
        return db.get(handle(family), key);
    }

    /** The user's families that have rows, by the user's names. */
    List<String> filledRowFamilies() throws RocksDBException {
        List<String> filled = new ArrayList<>();
        for (String name : new TreeSet<>(rowFamilies.keySet())) {
            if (!isEmpty(Objects.requireNonNull(rowFamilies.get(name)))) {
                filled.add(name);
            }
        }
        return List.copyOf(filled);
    }

    boolean isEmpty(Family family) throws RocksDBException {
        return isEmpty(handle(family));
    }

    private boolean isEmpty(ColumnFamilyHandle family) throws RocksDBException {
        try (RocksIterator rows = db.newIterator(family)) {
            rows.seekToFirst();
            if (!rows.isValid()) {
                rows.status();
            }
            return !rows.isValid();
        }
    }

    /** Reads every block of every table file and compares its checksum. */
    void verifyChecksums() throws RocksDBException {
        db.verifyChecksum();
    }

    /** An iterator over the family as it is now; the caller closes it. */
    RocksIterator rows(Family family) {
        return db.newIterator(handle(family));
    }

    /** The same for who reads them from one end to the other, once. */
    RocksIterator rowsThroughout(Family family) {
        return db.newIterator(handle(family), throughout);
    }

    /** The values of many keys of a family; null where none is. */
    List<byte @Nullable []> getAll(Family family, List<byte[]> keys) throws RocksDBException {
        return db.multiGetAsList(Collections.nCopies(keys.size(), handle(family)), keys);
    }

    void put(WriteBatch batch, Family family, byte[] key, byte[] value) throws RocksDBException {
        batch.put(handle(family), key, value);
    }

    void delete(WriteBatch batch, Family family, byte[] key) throws RocksDBException {
        batch.delete(handle(family), key);
    }

    /**
     * Writes a batch, whole or not at all. Writes of several threads share one sync.
     *
     * @param sync whether it is durable on return
     */
    void write(WriteBatch batch, boolean sync) throws RocksDBException {
        db.write(sync ? synced : unsynced, batch);
    }

    /** Writes the memtables to table files, so that the next open has nothing to replay. */
    void flush() throws RocksDBException {
        try (FlushOptions wait = new FlushOptions().setWaitForFlush(true)) {
            List<ColumnFamilyHandle> all = new ArrayList<>(handles.values());
            all.addAll(rowFamilies.values());
            db.flush(wait, all);
        }
    }

    /**
     * Makes a folder with links to the files of now, and copies of those that still change: the database as it is at one
     * moment, between two writes.
     *
     * @param target is not there yet; in the same file system
     */
    void checkpoint(Path target) throws RocksDBException {
        try (Checkpoint checkpoint = Checkpoint.create(db)) {
            checkpoint.createCheckpoint(target.toString());
        }
    }

    /** How many writes there were. */
    long written() {
        return db.getLatestSequenceNumber();
    }

    /** Asks flushes and compactions to end, for good; does not wait for them. */
    void cancelBackgroundWork() {
        db.cancelAllBackgroundWork(false);
    }

    /** Frees every handle. Nobody may be inside, and nobody may come afterwards. */
    void close() throws RocksDBException {
        try {
            handles.values().forEach(ColumnFamilyHandle::close);
            rowFamilies.values().forEach(ColumnFamilyHandle::close);
            db.closeE();
        } finally {
            closeAll(settings);
        }
    }

    // ---- transactions

    boolean isTransactional() {
        return db instanceof OptimisticTransactionDB;
    }

    /** A transaction that sees the database as it is now, and syncs its commit; the caller closes it. */
    Transaction begin() {
        Transaction transaction = ((OptimisticTransactionDB) db).beginTransaction(synced);
        transaction.setSnapshot();
        return transaction;
    }

    /** A family of the user's rows; null where there is none of that name. */
    @Nullable
    ColumnFamilyHandle rowFamily(String name) {
        return rowFamilies.get(name);
    }

    int rowFamilies() {
        return rowFamilies.size();
    }

    /** Makes a family of the user's rows; durable on return. By one thread at a time. */
    void createRowFamily(String name) throws RocksDBException {
        rowFamilies.put(name, db.createColumnFamily(descriptorOf(name, ofRowFamilies)));
    }

    ColumnFamilyHandle handle(Family family) {
        return Objects.requireNonNull(handles.get(family));
    }

    private static <T extends AbstractNativeReference> T keep(List<AbstractNativeReference> settings, T reference) {
        settings.add(reference);
        return reference;
    }

    private static void closeAll(List<AbstractNativeReference> settings) {
        List<AbstractNativeReference> lastFirst = new ArrayList<>(settings);
        Collections.reverse(lastFirst);
        lastFirst.forEach(AbstractNativeReference::close);
        settings.clear();
    }
}
