package io.seriatim.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.rocksdb.Storage.Settings;
import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Closing a store whose storage hangs; what all stores promise is in CounterStoreContract. */
final class RocksDbStoreTest {

    private static final Settings IMPATIENT = new Settings(Duration.ofMillis(50), 1 << 20);

    @TempDir
    private Path temp;

    private final ExecutorService caller = Executors.newSingleThreadExecutor();
    private final CountDownLatch underWay = new CountDownLatch(1);
    private final CountDownLatch storageAnswers = new CountDownLatch(1);

    @AfterEach
    void endCaller() throws InterruptedException {
        storageAnswers.countDown();
        caller.shutdown();
        assertThat(caller.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    /** A call that is inside RocksDB until the test lets it go, and then looks at a row. */
    private Future<Long> hang(RocksDbStore store) throws InterruptedException {
        Future<Long> call = caller.submit(() -> store.storage().inside(() -> {
            underWay.countDown();
            try {
                storageAnswers.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return store.readCounter(CounterCodec.key(CounterKey.of(1)))
                    .orElseThrow()
                    .revision();
        }));
        underWay.await();
        return call;
    }

    @Test
    void close_callHangs_givesUpAfterItsBoundAndKeepsTheFolder() throws Exception {
        RocksDbStore store = RocksDbStore.open(temp, IMPATIENT);
        Rows.write(store, Change.of(Rows.counter(1, 1)));
        Future<Long> call = hang(store);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(store::close)
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
                    .hasMessageContaining("hangs");
        }
        assertThatThrownBy(() -> RocksDbStore.open(temp))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.IN_USE));
        assertThatThrownBy(() -> store.findCounter(CounterKey.of(1)))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE));

        storageAnswers.countDown();
        assertThat(call.get(60, TimeUnit.SECONDS)).isEqualTo(1); // its handles were still good
        close(store);
        try (RocksDbStore next = RocksDbStore.open(temp)) {
            assertThat(Rows.revision(next, 1)).isEqualTo(1);
        }
    }

    /** Closes again until the storage has answered. */
    private static void close(RocksDbStore store) {
        while (true) {
            try {
                store.close();
                return;
            } catch (StoreException e) {
                assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE);
            }
        }
    }

    @Test
    void close_interruptedWhileItWaits_waitsOnAndKeepsTheFlag() throws Exception {
        RocksDbStore store = RocksDbStore.open(temp);
        Rows.write(store, Change.of(Rows.counter(1, 1)));
        Future<Long> call = hang(store);
        Thread.currentThread().interrupt();
        storageAnswers.countDown();
        store.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(call.get(60, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @Test
    void failure_afterAHungClose_saysSo() throws Exception {
        RocksDbStore store = RocksDbStore.open(temp, IMPATIENT);
        Rows.write(store, Change.of(Rows.counter(1, 1)));
        Future<Long> call = hang(store);
        assertThatThrownBy(store::close).isInstanceOf(StoreException.class);
        assertThat(store.failure().orElseThrow()).hasMessageContaining("hangs");
        storageAnswers.countDown();
        assertThat(call.get(60, TimeUnit.SECONDS)).isEqualTo(1);
        close(store);
    }
}
