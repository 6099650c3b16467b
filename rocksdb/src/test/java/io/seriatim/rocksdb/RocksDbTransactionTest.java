package io.seriatim.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.rocksdb.Database.Family;
import io.seriatim.store.CatalogueRow;
import io.seriatim.store.Change;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import io.seriatim.store.TransactionalStore.PutOutcome;
import io.seriatim.store.VersionedValue;
import io.seriatim.store.WriterMark;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksIterator;

/** Rows of the user and puts in one transaction; what all stores promise is in TransactionalCasesTest. */
final class RocksDbTransactionTest {

    @TempDir
    private Path temp;

    @SuppressWarnings("NullAway.Init")
    private RocksDbStore store;

    @SuppressWarnings("NullAway.Init")
    private RocksDbTransactions transactions;

    @SuppressWarnings("NullAway.Init")
    private RowFamily orders;

    @BeforeEach
    void open() {
        store = RocksDbStore.openForTransactions(temp.resolve("data"));
        transactions = store.transactions();
        orders = transactions.family("orders");
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static VersionedValue pair(long version, long value) {
        return new VersionedValue(version, value);
    }

    private void reopen() {
        store.close();
        open();
    }

    private String read(String key) {
        try (RocksDbTransaction transaction = transactions.begin()) {
            return transaction
                    .get(orders, bytes(key))
                    .map(value -> new String(value, UTF_8))
                    .orElse("nothing");
        }
    }

    /** The promise: rows and puts together, or neither. */
    @Test
    void commit_rowsAndPuts_areThereTogetherAndAfterAnOpen() {
        long id = transactions.create();
        try (RocksDbTransaction transaction = transactions.begin()) {
            transaction.put(orders, bytes("1"), bytes("tea"));
            assertThat(transactions.put(transaction, id, pair(1, 1))).isEqualTo(PutOutcome.WRITTEN);
            assertThat(transactions.find(id)).contains(VersionedValue.NONE);
            assertThat(read("1")).isEqualTo("nothing");
            transaction.commit();
        }
        assertThat(transactions.find(id)).contains(pair(1, 1));
        assertThat(read("1")).isEqualTo("tea");
        reopen();
        assertThat(transactions.find(id)).contains(pair(1, 1));
        assertThat(read("1")).isEqualTo("tea");
    }

    @Test
    void close_withoutCommit_leavesNeitherRowsNorPuts() {
        long id = transactions.create();
        try (RocksDbTransaction transaction = transactions.begin()) {
            transaction.put(orders, bytes("1"), bytes("tea"));
            transactions.put(transaction, id, pair(1, 1));
        }
        assertThat(transactions.find(id)).contains(VersionedValue.NONE);
        assertThat(read("1")).isEqualTo("nothing");
    }

    /** A copy of the files while it is open is what a kill leaves. */
    @Test
    void open_afterAKill_hasWhatWasCommittedAndNothingElse() throws Exception {
        long id = transactions.create();
        try (RocksDbTransaction committed = transactions.begin();
                RocksDbTransaction open = transactions.begin()) {
            committed.put(orders, bytes("1"), bytes("tea"));
            transactions.put(committed, id, pair(1, 1));
            open.put(orders, bytes("2"), bytes("milk"));
            transactions.put(open, id, pair(2, 2));
            committed.commit();
            Path copy = StoreFiles.copy(temp.resolve("data"), temp.resolve("copy"));
            try (RocksDbStore other = RocksDbStore.openForTransactions(copy)) {
                assertThat(other.transactions().find(id)).contains(pair(1, 1));
                try (RocksDbTransaction reader = other.transactions().begin()) {
                    assertThat(reader.get(other.transactions().family("orders"), bytes("1")))
                            .isPresent();
                    assertThat(reader.get(other.transactions().family("orders"), bytes("2")))
                            .isEmpty();
                }
            }
        }
    }

    @Test
    void commit_anotherWasFirstWithARow_conflictAndNothingIsThere() {
        long id = transactions.create();
        try (RocksDbTransaction first = transactions.begin();
                RocksDbTransaction second = transactions.begin()) {
            first.put(orders, bytes("1"), bytes("tea"));
            second.put(orders, bytes("1"), bytes("milk"));
            transactions.put(second, id, pair(1, 1));
            first.commit();
            assertThatThrownBy(second::commit)
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CONFLICT));
            assertThatThrownBy(second::commit).isInstanceOf(IllegalStateException.class);
        }
        assertThat(read("1")).isEqualTo("tea");
        assertThat(transactions.find(id)).contains(VersionedValue.NONE);
        assertThat(store.failure()).isEmpty();
    }

    @Test
    void getForUpdate_rowChangedBeforeTheCommit_conflict() {
        try (RocksDbTransaction reader = transactions.begin();
                RocksDbTransaction writer = transactions.begin()) {
            assertThat(reader.getForUpdate(orders, bytes("1"))).isEmpty();
            writer.put(orders, bytes("1"), bytes("tea"));
            writer.commit();
            assertThat(reader.get(orders, bytes("1"))).isEmpty();
            assertThatThrownBy(reader::commit)
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CONFLICT));
        }
    }

    /** Transactions that put to one sequence never wait for each other and never conflict, in whatever order they commit. */
    @Test
    void put_manyTransactionsOnOneSequence_theGreatestVersionCounts() {
        long id = transactions.create();
        try (RocksDbTransaction first = transactions.begin();
                RocksDbTransaction second = transactions.begin();
                RocksDbTransaction third = transactions.begin()) {
            transactions.put(first, id, pair(1, 10));
            transactions.put(second, id, pair(2, 20));
            transactions.put(third, id, pair(3, 5));
            third.commit();
            assertThat(transactions.find(id)).contains(pair(3, 5));
            first.commit();
            second.commit();
            assertThat(transactions.find(id)).contains(pair(3, 5));
        }
        reopen();
        assertThat(transactions.find(id)).contains(pair(3, 5));
    }

    @Test
    void rollbackToSavepoint_undoesRowsAndPutsSinceThen() {
        long id = transactions.create();
        try (RocksDbTransaction transaction = transactions.begin()) {
            transaction.put(orders, bytes("1"), bytes("tea"));
            transactions.put(transaction, id, pair(1, 1));
            transaction.setSavepoint();
            transaction.put(orders, bytes("2"), bytes("milk"));
            transactions.put(transaction, id, pair(2, 2));
            transaction.rollbackToSavepoint();
            assertThatThrownBy(transaction::rollbackToSavepoint).isInstanceOf(NoSuchElementException.class);
            assertThat(transactions.put(transaction, id, pair(1, 1))).isEqualTo(PutOutcome.NOT_NEWER);
            transaction.commit();
        }
        assertThat(transactions.find(id)).contains(pair(1, 1));
        assertThat(read("1")).isEqualTo("tea");
        assertThat(read("2")).isEqualTo("nothing");
    }

    @Test
    void scan_ownRowsAndOthers_areInOrder() {
        try (RocksDbTransaction transaction = transactions.begin()) {
            transaction.put(orders, bytes("b"), bytes("2"));
            transaction.put(orders, bytes("c"), bytes("3"));
            transaction.commit();
        }
        try (RocksDbTransaction transaction = transactions.begin()) {
            transaction.put(orders, bytes("a"), bytes("1"));
            transaction.delete(orders, bytes("c"));
            assertThat(transaction.scan(orders, new byte[0], 10))
                    .containsExactly(
                            new RocksDbTransaction.Row(bytes("a"), bytes("1")),
                            new RocksDbTransaction.Row(bytes("b"), bytes("2")));
            assertThat(transaction.scan(orders, bytes("b"), 1))
                    .containsExactly(new RocksDbTransaction.Row(bytes("b"), bytes("2")));
        }
    }

    @Test
    void put_moreThanATransactionHolds_isRefused() {
        try (RocksDbTransaction transaction = transactions.begin()) {
            byte[] tooMuch = new byte[(64 << 20) + 1];
            assertThatThrownBy(() -> transaction.put(orders, bytes("1"), tooMuch))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void call_afterTheEnd_isTheCallersMistake() {
        RocksDbTransaction transaction = transactions.begin();
        transaction.commit();
        assertThatThrownBy(() -> transactions.put(transaction, 1, pair(1, 1)))
                .isInstanceOf(IllegalStateException.class);
        transaction.close();
    }

    @Test
    void put_transactionOfAnotherFolder_isTheCallersMistake() {
        try (RocksDbStore other = RocksDbStore.openForTransactions(temp.resolve("other"));
                RocksDbTransaction foreign = other.transactions().begin()) {
            assertThatThrownBy(() -> transactions.put(foreign, 1, pair(1, 1)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void transactions_ofAStoreThatWasOpenedWithoutThem_isTheCallersMistake() {
        close();
        try (RocksDbStore plain = RocksDbStore.open(temp.resolve("data"))) {
            assertThatThrownBy(plain::transactions).isInstanceOf(IllegalStateException.class);
            Rows.write(plain, Change.of(Rows.counter(1, 1)));
        }
        open();
        assertThat(Rows.revision(store, 1)).isEqualTo(1);
    }

    /** Native memory of a transaction must be gone before the database is, and must not be touched afterwards. */
    @Test
    void close_withOpenTransactions_undoesThem() {
        long id = transactions.create();
        RocksDbTransaction transaction = transactions.begin();
        transaction.put(orders, bytes("1"), bytes("tea"));
        transactions.put(transaction, id, pair(1, 1));
        store.close();
        assertThatThrownBy(transaction::commit)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE));
        transaction.close();
        open();
        assertThat(transactions.find(id)).contains(VersionedValue.NONE);
    }

    @Test
    void close_ofTransactionsAlone_undoesThemAndKeepsTheStore() {
        RocksDbTransaction transaction = transactions.begin();
        transactions.close();
        assertThatThrownBy(transaction::commit).isInstanceOf(StoreException.class);
        transaction.close();
        Rows.write(store, Change.of(Rows.counter(1, 1)));
    }

    /** A commit that was durable was told as one of which nothing is written, and run again it was there twice. */
    @Test
    void commit_durableAndThenARowIsFoundDamaged_hasHappened() {
        long id = transactions.create();
        byte[] damaged = PutCodec.key(id, 5, new WriterMark(1, 1));
        store.storage().putRaw(Family.PUTS, damaged, new byte[] {1, 2, 3});
        try (RocksDbTransaction transaction = transactions.begin()) {
            transaction.put(orders, bytes("a"), bytes("1"));
            transactions.put(transaction, id, pair(1, 10));
            transaction.commit();
        }
        assertThatThrownBy(() -> transactions.find(id))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT));
        reopen();
        assertThat(read("a")).isEqualTo("1");
    }

    /** One put, one row; the rows that lost are deleted a thousand at a time. */
    @Test
    void commit_thousandsOfPuts_leavesFewRows() {
        long id = transactions.create();
        for (int version = 1; version <= 1_500; version++) {
            commitPut(id, version);
        }
        assertThat(rows(Family.PUTS)).isLessThanOrEqualTo(1_001);
        reopen();
        assertThat(transactions.find(id)).contains(pair(1_500, 1_500));
        for (int version = 1_501; version <= 2_100; version++) {
            commitPut(id, version);
        }
        assertThat(rows(Family.PUTS)).isLessThanOrEqualTo(1_001);
        assertThat(transactions.find(id)).contains(pair(2_100, 2_100));
    }

    private void commitPut(long id, int version) {
        try (RocksDbTransaction transaction = transactions.begin()) {
            transactions.put(transaction, id, pair(version, version));
            transaction.commit();
        }
    }

    private int rows(Family family) {
        return store.storage().inside(() -> {
            int count = 0;
            try (RocksIterator at = store.storage().database().rows(family)) {
                for (at.seekToFirst(); at.isValid(); at.next()) {
                    count++;
                }
                at.status();
            }
            return count;
        });
    }

    @Test
    void define_abortedCommittedAndDropped_isThereOrNot() {
        CatalogueRow row = new CatalogueRow("orders", transactions.reserveId(), Map.of("min", "1"));
        try (RocksDbTransaction aborted = transactions.begin()) {
            assertThat(transactions.define(aborted, row)).isTrue();
            assertThat(transactions.findEntry(aborted, "orders")).contains(row);
        }
        assertThat(transactions.find(row.sequenceId())).isEmpty();
        assertThat(rows(Family.CATALOGUE) + rows(Family.SEQUENCES)).isZero();
        try (RocksDbTransaction committed = transactions.begin()) {
            assertThat(transactions.define(committed, row)).isTrue();
            committed.commit();
        }
        reopen();
        try (RocksDbTransaction dropping = transactions.begin()) {
            assertThat(transactions.findEntry(dropping, row.sequenceId())).contains(row);
            assertThat(transactions.define(dropping, row)).isFalse();
            assertThat(transactions.listEntries(dropping, "", 10)).containsExactly(row);
            assertThat(transactions.drop(dropping, row)).isTrue();
            assertThat(transactions.drop(dropping, row)).isFalse();
            transactions.put(dropping, row.sequenceId(), pair(1, 1));
            dropping.commit();
        }
        assertThat(transactions.find(row.sequenceId())).isEmpty();
        assertThat(transactions.reserveId()).isGreaterThan(row.sequenceId());
    }

    @Test
    void define_oneNameInTwoTransactions_theSecondCommitConflicts() {
        try (RocksDbTransaction first = transactions.begin();
                RocksDbTransaction second = transactions.begin()) {
            transactions.define(first, new CatalogueRow("orders", transactions.reserveId(), Map.of()));
            transactions.define(second, new CatalogueRow("orders", transactions.reserveId(), Map.of()));
            first.commit();
            assertThatThrownBy(second::commit)
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CONFLICT));
        }
    }

    @Test
    void delete_ofASequenceWithAName_isTheCallersMistake() {
        CatalogueRow row = new CatalogueRow("orders", transactions.reserveId(), Map.of());
        try (RocksDbTransaction transaction = transactions.begin()) {
            transactions.define(transaction, row);
            transaction.commit();
        }
        assertThatThrownBy(() -> transactions.delete(row.sequenceId())).isInstanceOf(IllegalArgumentException.class);
    }

    /** Commits of several threads go through the gate beside each other, and share their syncs. */
    @Test
    void commit_threads_areAllThere() throws Exception {
        long id = transactions.create();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        CountDownLatch start = new CountDownLatch(1);
        try {
            Future<?>[] running = new Future<?>[8];
            for (int thread = 0; thread < 8; thread++) {
                int first = thread;
                running[thread] = threads.submit(() -> {
                    start.await();
                    for (int i = 0; i < 100; i++) {
                        int version = 1 + first + 8 * i;
                        try (RocksDbTransaction transaction = transactions.begin()) {
                            transaction.put(orders, bytes("k" + version), bytes("v"));
                            transactions.put(transaction, id, pair(version, -version));
                            transaction.commit();
                        }
                        assertThat(transactions.find(id).orElseThrow().version())
                                .isGreaterThanOrEqualTo(version);
                    }
                    return first;
                });
            }
            start.countDown();
            for (Future<?> each : running) {
                assertThat(each.get(60, TimeUnit.SECONDS)).isNotNull();
            }
        } finally {
            threads.shutdownNow();
        }
        reopen();
        assertThat(transactions.find(id)).contains(pair(800, -800));
        try (RocksDbTransaction reader = transactions.begin()) {
            assertThat(reader.scan(orders, new byte[0], 1_000)).hasSize(800);
        }
    }

    /** A lost lock file ends the store for commits too; nothing is acknowledged. */
    @Test
    void commit_lockFileGone_stops() throws Exception {
        RocksDbTransaction transaction = transactions.begin();
        transaction.put(orders, bytes("1"), bytes("tea"));
        Files.delete(temp.resolve("data").resolve("seriatim.lock"));
        assertThatThrownBy(transaction::commit)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TAKEN_AWAY));
        assertThat(store.failure().orElseThrow().kind()).isEqualTo(Kind.TAKEN_AWAY);
    }
}
