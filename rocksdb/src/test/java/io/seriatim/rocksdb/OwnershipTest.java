package io.seriatim.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.store.Change;
import io.seriatim.store.CounterKey;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import io.seriatim.store.WriteOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An owner whose folder or lock files are taken away under it stops, before a second owner repeats a number. */
final class OwnershipTest {

    @TempDir
    private Path temp;

    private volatile WriteOutcome lastOutcome = new WriteOutcome.Applied();
    private final ExecutorService writer = Executors.newSingleThreadExecutor();

    @AfterEach
    void endWriter() throws InterruptedException {
        writer.shutdown();
        assertThat(writer.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    private RocksDbStore storeWithRevision(Path folder, long revision) {
        RocksDbStore store = RocksDbStore.open(folder);
        for (long i = 1; i <= revision; i++) {
            Rows.write(store, Change.of(Rows.counter(7, i)));
        }
        return store;
    }

    private static void deleteLocks(Path folder) throws IOException {
        Files.delete(folder.resolve("rocksdb/LOCK"));
        Files.delete(folder.resolve("seriatim.lock"));
    }

    private static void assertStopped(RocksDbStore store) {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> store.apply(Change.of(Rows.counter(7, 4))))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TAKEN_AWAY))
                    .hasMessageContaining("the data folder was taken away or its lock file deleted");
        }
        assertThat(store.failure().orElseThrow().kind()).isEqualTo(Kind.TAKEN_AWAY);
        assertThatThrownBy(() -> store.findCounter(CounterKey.of(7))).isInstanceOf(StoreException.class);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"seriatim.lock", "rocksdb/LOCK"})
    void apply_oneLockFileDeleted_stops(String lock) throws IOException {
        try (RocksDbStore store = storeWithRevision(temp.resolve("data"), 3)) {
            Files.delete(temp.resolve("data").resolve(lock));
            assertStopped(store);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"seriatim.lock", "rocksdb/LOCK"})
    void apply_lockFileMadeAnew_stops(String lock) throws IOException {
        Path file = temp.resolve("data").resolve(lock);
        try (RocksDbStore store = storeWithRevision(temp.resolve("data"), 3)) {
            for (int i = 0; i < 3; i++) {
                Files.delete(file);
                Files.createFile(file);
            }
            assertStopped(store);
        }
    }

    @Test
    void apply_folderMoved_stopsAlsoAfterItCameBack() throws IOException {
        Path folder = temp.resolve("data");
        try (RocksDbStore store = storeWithRevision(folder, 3)) {
            Files.move(folder, temp.resolve("elsewhere"));
            assertStopped(store);
            Files.move(temp.resolve("elsewhere"), folder);
            assertStopped(store);
        }
    }

    @Test
    void apply_folderReplacedByACopy_stops() throws IOException {
        Path folder = temp.resolve("data");
        try (RocksDbStore store = storeWithRevision(folder, 3)) {
            StoreFiles.copy(folder, temp.resolve("copy"));
            Files.move(folder, temp.resolve("elsewhere"));
            Files.move(temp.resolve("copy"), folder);
            assertStopped(store);
        }
    }

    @Test
    void apply_folderDeleted_stops() throws IOException {
        Path folder = temp.resolve("data");
        try (RocksDbStore store = storeWithRevision(folder, 3)) {
            StoreFiles.delete(folder);
            assertStopped(store);
        }
    }

    /** Both locks are gone, so a second process gets in; the first one may not go on beside it. */
    @Test
    void apply_secondProcessLetIn_stopsAndLeavesItsFilesAlone() throws Exception {
        Path folder = temp.resolve("data");
        RocksDbStore store = storeWithRevision(folder, 3);
        deleteLocks(folder);
        try (Child second = Child.start(Opener.class, folder)) {
            second.expect("open, revision 3");
            List<Path> files = files(folder);
            assertStopped(store);
            store.close();
            assertThat(files(folder)).isEqualTo(files);
            second.kill();
        }
        try (Child third = Child.start(Opener.class, folder)) {
            third.expect("open, revision 3");
        }
    }

    /** The owner that writes nothing in between: RocksDB's close would delete files by their names. */
    @Test
    void close_secondProcessLetIn_leavesItsFilesAlone() throws Exception {
        Path folder = temp.resolve("data");
        RocksDbStore store = storeWithRevision(folder, 3);
        deleteLocks(folder);
        try (Child second = Child.start(Opener.class, folder)) {
            second.expect("open, revision 3");
            List<Path> files = files(folder);
            store.close();
            assertThat(store.failure().orElseThrow().kind()).isEqualTo(Kind.TAKEN_AWAY);
            assertThat(files(folder)).isEqualTo(files);
        }
    }

    /** What was acknowledged before the locks went is what the second owner finds. */
    @Test
    void apply_locksDeletedUnderLoad_secondProcessFindsEveryAcknowledgedWrite() throws Exception {
        Path folder = temp.resolve("data");
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            CountDownLatch underWay = new CountDownLatch(20);
            Future<Long> acknowledged = writeUntilStopped(store, underWay);
            underWay.await();
            deleteLocks(folder);
            try (Child second = Child.start(Opener.class, folder)) {
                String line = String.valueOf(second.readLine());
                long found = Long.parseLong(line.substring("open, revision ".length()));
                assertThat(found).isGreaterThanOrEqualTo(acknowledged.get(60, TimeUnit.SECONDS));
            }
        }
    }

    /** Most of a write's time is its sync, so most deletions fall between the two looks. */
    @Test
    void apply_locksDeletedDuringAWrite_isUnknown() throws Exception {
        for (int round = 0; round < 200; round++) {
            Path folder = temp.resolve("data" + round);
            try (RocksDbStore store = RocksDbStore.open(folder)) {
                CountDownLatch underWay = new CountDownLatch(3);
                Future<Long> acknowledged = writeUntilStopped(store, underWay);
                underWay.await();
                Files.delete(folder.resolve("seriatim.lock"));
                acknowledged.get(60, TimeUnit.SECONDS);
                if (lastOutcome instanceof WriteOutcome.Unknown unknown) {
                    assertThat(unknown.cause()).hasMessageContaining("lock file deleted");
                    return;
                }
            }
        }
        throw new AssertionError("200 deletions, and none during a write");
    }

    /** Writes until a write is not acknowledged; says how many were. */
    private Future<Long> writeUntilStopped(RocksDbStore store, CountDownLatch underWay) {
        return writer.submit(() -> {
            for (long revision = 1; ; revision++) {
                try {
                    lastOutcome = store.apply(Change.of(Rows.counter(7, revision)));
                } catch (StoreException e) {
                    assertThat(e.kind()).isEqualTo(Kind.TAKEN_AWAY);
                    return revision - 1;
                }
                if (!(lastOutcome instanceof WriteOutcome.Applied)) {
                    return revision - 1;
                }
                underWay.countDown();
            }
        });
    }
}
