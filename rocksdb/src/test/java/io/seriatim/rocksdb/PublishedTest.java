package io.seriatim.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.rocksdb.Database.Family;
import io.seriatim.store.VersionedValue;
import io.seriatim.store.WriterMark;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksIterator;

/** The newest durable put of each sequence, where there is no room for all of them. */
final class PublishedTest {

    private static final int SEQUENCES = 6;
    private static final int ROUNDS = 4_000;

    @TempDir
    private Path temp;

    @SuppressWarnings("NullAway.Init")
    private RocksDbStore store;

    @BeforeEach
    void open() {
        store = RocksDbStore.openForTransactions(temp.resolve("data"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void putRow(long id, long version, WriterMark mark) {
        byte[] key = PutCodec.key(id, version, mark);
        store.storage().putRaw(Family.PUTS, key, PutCodec.value(key, 10 * version));
    }

    /**
     * The look whether an entry is there, the reading of its row and the entry were three steps. Somebody else forgot all
     * entries between them, and a sequence that had come to 1,000 had come to nothing: its values were drawn again.
     */
    @Test
    void newest_othersForgetEntriesMeanwhile_isNeverLessThanWhatIsDurable() throws Exception {
        Published published = new Published(store.storage(), 1);
        for (long id = 1; id <= SEQUENCES; id++) {
            putRow(id, 1_000, new WriterMark(1, 1));
        }
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int thread = 0; thread < 3; thread++) {
                int first = thread;
                ends.add(threads.submit(() -> {
                    for (int i = 0; i < ROUNDS; i++) {
                        long id = 1L + (first + i) % SEQUENCES;
                        VersionedValue newest = store.storage().inside(() -> published.newest(id));
                        assertThat(newest).isEqualTo(new VersionedValue(1_000, 10_000));
                    }
                    return null;
                }));
            }
            for (Future<?> each : ends) {
                each.get(2, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** The same while transactions put: what was added once is the least that is found from then on. */
    @Test
    void add_othersForgetEntriesMeanwhile_isFoundFromThenOn() throws Exception {
        Published published = new Published(store.storage(), 2);
        AtomicLongArray added = new AtomicLongArray(SEQUENCES + 1);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int thread = 0; thread < 2; thread++) {
                int which = thread;
                ends.add(threads.submit(() -> {
                    for (int version = 1; version <= 300; version++) {
                        long id = 1 + which * 3L + version % 3;
                        WriterMark mark = new WriterMark(which, version);
                        putRow(id, version, mark);
                        Map<Long, VersionedValue> puts = Map.of(id, new VersionedValue(version, 10L * version));
                        boolean unused = store.storage().inside(() -> {
                            published.add(puts, mark);
                            return true;
                        });
                        added.set((int) id, version);
                    }
                    return null;
                }));
                ends.add(threads.submit(() -> {
                    for (int i = 0; i < ROUNDS; i++) {
                        long id = 1L + i % SEQUENCES;
                        long least = added.get((int) id);
                        VersionedValue newest = store.storage().inside(() -> published.newest(id));
                        assertThat(newest.version()).isGreaterThanOrEqualTo(least);
                    }
                    return null;
                }));
            }
            for (Future<?> each : ends) {
                each.get(2, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** A transaction with many sequences notes more at once than one write deletes. */
    @Test
    void commit_manySupersededAtOnce_areAllDeleted() {
        RocksDbTransactions transactions = store.transactions();
        for (long version = 1; version <= 3; version++) {
            try (RocksDbTransaction transaction = transactions.begin()) {
                for (long id = 1; id <= 2_500; id++) {
                    transactions.put(transaction, id, new VersionedValue(version, 10 * version));
                }
                transaction.commit();
            }
        }
        assertThat(rows()).isLessThan(2_500 + 1_000);
    }

    private int rows() {
        return store.storage().inside(() -> {
            int count = 0;
            try (RocksIterator at = store.storage().database().rows(Family.PUTS)) {
                for (at.seekToFirst(); at.isValid(); at.next()) {
                    count++;
                }
                at.status();
            }
            return count;
        });
    }
}
