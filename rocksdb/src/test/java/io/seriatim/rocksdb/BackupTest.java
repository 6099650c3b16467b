package io.seriatim.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.seriatim.store.Change;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import io.seriatim.store.WriteMode;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies of a store, and what is made of them. */
@Timeout(120)
final class BackupTest {

    private static final Instant NOW = Instant.parse("2026-11-29T02:30:00Z");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path temp;

    private Path data() {
        return temp.resolve("data");
    }

    private Path copy() {
        return temp.resolve("copies").resolve("first");
    }

    private Path restored() {
        return temp.resolve("restored");
    }

    private static Backup backup(RocksDbStore store, Path target) throws IOException {
        return store.backup(target, NOW, part -> {});
    }

    /** A store with a counter at revision 3 and rows of logs, and its backup. */
    private Backup made() throws IOException {
        try (RocksDbStore store = RocksDbStore.open(data())) {
            for (long revision = 1; revision <= 3; revision++) {
                Rows.write(store, Change.of(Rows.counter(7, revision)));
            }
            LogRows.writeAll(store);
            return backup(store, copy());
        }
    }

    private void restore() throws IOException {
        Backup.read(copy()).restoreTo(restored(), part -> {});
    }

    private static Kind kindOf(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return catchThrowableOfType(StoreException.class, call).kind();
    }

    @Test
    void backup_ofAStoreInUse_isWholeAndSaysWhatItIs() throws IOException {
        Backup made = made();
        Backup read = Backup.read(copy());
        read.verify(part -> {});
        assertThat(read.storeId()).isEqualTo(made.storeId());
        assertThat(read.taken()).isEqualTo(NOW);
        assertThat(read.incarnation()).isEqualTo(1);
        assertThat(read.written()).isPositive();
        assertThat(read.fileCount()).isGreaterThan(3);
        assertThat(data().resolve("checkpoint.part")).doesNotExist();
        assertThat(temp.resolve("copies").resolve("first.part")).doesNotExist();
        assertThat(Files.readString(data().resolve("seriatim.store")))
                .contains(read.storeId().toString());
    }

    @Test
    void restoreTo_anyBackup_hasEveryRowAndServesNothing() throws IOException {
        made();
        restore();
        assertThat(kindOf(() -> RocksDbStore.open(restored()).close())).isEqualTo(Kind.RESTORED);
        try (RocksDbStore store = RocksDbStore.openForRestore(restored(), Optional.empty())) {
            assertThat(store.copied()).contains(NOW);
            assertThat(store.incarnation()).isEqualTo(2);
            store.serve();
        }
        try (RocksDbStore store = RocksDbStore.open(restored())) {
            assertThat(Rows.revision(store, 7)).isEqualTo(3);
            assertThat(store.eventLog().partition(LogRows.KEY).lastOffset()).hasValue(10);
            assertThat(store.eventLog().partition(LogRows.KEY).events(1, 10)).isEqualTo(LogRows.events(1, 10));
            assertThat(store.eventLog().partition(LogRows.KEY).record(7, 1)).isPresent();
            assertThat(store.incarnation()).isEqualTo(2);
            assertThat(store.copied()).isEmpty();
        }
    }

    /** Whoever had the partition before the copy, or since, is shut out for good. */
    @Test
    void restoreTo_anyBackup_raisesTheEpochs() throws IOException {
        made();
        restore();
        try (RocksDbStore store = RocksDbStore.openToRead(restored())) {
            var partition = store.eventLog().partition(LogRows.KEY);
            assertThat(partition.epoch()).isEqualTo(1 + RocksDbEventLog.EPOCHS_OF_A_LIFE);
            assertThat(partition.append(1, WriteMode.INSERT_IF_ABSENT, LogRows.events(11, 11)))
                    .isInstanceOf(io.seriatim.store.LogOutcome.Fenced.class);
        }
    }

    @Test
    void openForRestore_ofACopyMadeByOtherMeans_isANewIncarnationOnce() throws IOException {
        made();
        Path copied = StoreFiles.copy(data(), temp.resolve("copied"));
        RocksDbStore.openForRestore(copied, Optional.empty()).close();
        assertThat(kindOf(() -> RocksDbStore.open(copied).close())).isEqualTo(Kind.RESTORED);
        try (RocksDbStore store = RocksDbStore.openForRestore(copied, Optional.of(NOW))) {
            assertThat(store.incarnation()).isEqualTo(2);
            assertThat(store.copied()).contains(NOW);
            assertThat(store.eventLog().partition(LogRows.KEY).epoch()).isEqualTo(1 + RocksDbEventLog.EPOCHS_OF_A_LIFE);
        }
        try (RocksDbStore store = RocksDbStore.openToRead(copied)) {
            assertThat(Rows.revision(store, 7)).isEqualTo(3);
        }
    }

    // ---- what is no backup

    @Test
    void backup_whereSomethingIs_isRefusedAndTouchesNothing() throws IOException {
        made();
        try (RocksDbStore store = RocksDbStore.open(data())) {
            assertThatThrownBy(() -> backup(store, copy())).isInstanceOf(FileAlreadyExistsException.class);
            Files.createFile(
                    Files.createDirectories(temp.resolve("second.part")).resolve("of somebody"));
            assertThatThrownBy(() -> backup(store, temp.resolve("second")))
                    .isInstanceOf(FileAlreadyExistsException.class)
                    .hasMessageContaining("second.part");
            Rows.write(store, Change.of(Rows.counter(8, 1)));
            backup(store, temp.resolve("third"));
        }
        Files.createDirectory(restored());
        assertThatThrownBy(this::restore).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(restored()).isEmptyDirectory();
    }

    /** A backup that was killed left a folder that stood in the way of every later one of its name. */
    @Test
    void backup_whereADeadOneWasMadeHalf_takesItsPlace() throws IOException {
        Path part = Files.createDirectories(copy().resolveSibling(copy().getFileName() + ".part"));
        Files.createFile(part.resolve("seriatim.part"));
        Files.createFile(Files.createDirectory(part.resolve("files")).resolve("000009.sst"));
        made();
        assertThat(part).doesNotExist();
        Backup.read(copy()).verify(read -> {});
    }

    @Test
    void begin_whileAnotherOneFillsTheFolder_isRefusedAndTouchesNothing() throws IOException {
        try (PartFolder first = PartFolder.begin(copy())) {
            Files.createFile(first.path().resolve("half"));
            assertThatThrownBy(() -> PartFolder.begin(copy()).close())
                    .isInstanceOf(FileAlreadyExistsException.class)
                    .hasMessageContaining("another process");
            assertThat(first.path().resolve("half")).exists();
        }
        PartFolder.begin(copy()).close();
    }

    /** A copy inside of what it is a copy of was made, and would have been lost with it. */
    @Test
    void backup_insideADataFolderOrABackup_isRefused() throws IOException {
        made();
        try (RocksDbStore store = RocksDbStore.open(data())) {
            for (Path inside :
                    List.of(data().resolve("copy"), data().resolve("rocksdb/copy"), copy().resolve("deep/copy"))) {
                assertThatThrownBy(() -> backup(store, inside))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("inside");
                assertThat(inside).doesNotExist();
            }
            Path link = Files.createSymbolicLink(temp.resolve("link"), data());
            assertThatThrownBy(() -> backup(store, link.resolve("copy"))).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void open_aBackup_isRefused() throws IOException {
        made();
        assertThat(kindOf(() -> RocksDbStore.open(copy()).close())).isEqualTo(Kind.RESTORED);
        assertThat(copy().resolve("rocksdb")).doesNotExist();
    }

    @Test
    void read_halfABackup_isNone() throws IOException {
        made();
        Path half = StoreFiles.copy(copy(), temp.resolve("half.part"));
        Files.delete(half.resolve("seriatim.backup"));
        assertThatThrownBy(() -> Backup.read(half))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("no backup");
        assertThatThrownBy(() -> Backup.read(temp.resolve("nothing"))).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void read_everyFlippedBitOfTheList_isNoticed() throws IOException {
        made();
        Path list = copy().resolve("seriatim.backup");
        byte[] bytes = Files.readAllBytes(list);
        for (long bit = 0; bit < bytes.length * 8L; bit++) {
            Files.write(list, StoreFiles.flipped(bytes, bit));
            assertThat(kindOf(() -> Backup.read(copy()))).as("bit %d", bit).isEqualTo(Kind.CORRUPT);
        }
        Files.writeString(list, "Seriatim backup, format 2\n");
        assertThatThrownBy(() -> Backup.read(copy())).hasMessageContaining("another version");
        Files.write(list, java.util.Arrays.copyOf(bytes, bytes.length / 2));
        assertThat(kindOf(() -> Backup.read(copy()))).isEqualTo(Kind.CORRUPT);
    }

    @Test
    void restoreTo_damagedMissingOrForeignFile_leavesNothingBehind() throws IOException {
        made();
        List<String> names = FileCopy.names(copy().resolve("files"));
        for (String name : names) {
            Path file = copy().resolve("files").resolve(name);
            byte[] bytes = Files.readAllBytes(file);
            if (bytes.length > 0) {
                Files.write(file, StoreFiles.flipped(bytes, bytes.length * 4L));
                assertNotWhole();
            }
            Files.write(file, new byte[bytes.length + 1]);
            assertNotWhole();
            Files.delete(file);
            assertNotWhole();
            Files.write(file, bytes);
        }
        String last = names.get(names.size() - 1);
        byte[] bytes = Files.readAllBytes(copy().resolve("files").resolve(last));
        Files.write(copy().resolve("files").resolve(last), StoreFiles.flipped(bytes, 8));
        assertRefused(last);
        Files.delete(copy().resolve("files").resolve(last));
        assertRefused("has lost the file " + last);
        Files.write(copy().resolve("files").resolve(last), bytes);
        Files.writeString(copy().resolve("files").resolve("more"), "x");
        assertRefused("not in its list");
        Files.delete(copy().resolve("files").resolve("more"));
        restore();
        assertThat(restored()).exists();
    }

    private void assertNotWhole() {
        assertThat(kindOf(() -> Backup.read(copy()).verify(part -> {}))).isEqualTo(Kind.CORRUPT);
    }

    private void assertRefused(String word) {
        StoreException refused = catchThrowableOfType(StoreException.class, this::restore);
        assertThat(refused.kind()).isEqualTo(Kind.CORRUPT);
        assertThat(refused).hasMessageContaining(word);
        assertThat(kindOf(() -> Backup.read(copy()).verify(part -> {}))).isEqualTo(Kind.CORRUPT);
        assertThat(restored()).doesNotExist();
        assertThat(temp.resolve("restored.part")).doesNotExist();
    }

    // ---- while it is in use

    /** What was acknowledged before the call is in the copy, and of what came later a beginning. */
    @Test
    void backup_underLoad_isOneMomentOfIt() throws Exception {
        AtomicLong acknowledged = new AtomicLong();
        AtomicBoolean enough = new AtomicBoolean();
        try (RocksDbStore store = RocksDbStore.open(data())) {
            Thread writer = new Thread(() -> {
                for (long revision = 1; !enough.get(); revision++) {
                    // Both rows in one write, counter 2 one revision ahead in a write of its own: an order to look for.
                    Rows.write(store, Change.of(Rows.counter(2, revision)));
                    Rows.write(store, Change.of(Rows.counter(1, revision)));
                    acknowledged.set(revision);
                }
            });
            writer.start();
            for (int i = 0; i < 3; i++) {
                long before = acknowledged.get();
                while (acknowledged.get() < before + 10) {
                    Thread.onSpinWait();
                }
                long known = acknowledged.get();
                Path target = temp.resolve("copies").resolve("n" + i);
                backup(store, target);
                Path folder = temp.resolve("restored" + i);
                Backup.read(target).restoreTo(folder, part -> {});
                try (RocksDbStore copy = RocksDbStore.openToRead(folder)) {
                    long one = Rows.revision(copy, 1);
                    long two = Rows.revision(copy, 2);
                    assertThat(one).isGreaterThanOrEqualTo(known);
                    assertThat(two).isBetween(one, one + 1);
                }
            }
            enough.set(true);
            writer.join();
        }
    }

    @Test
    void open_afterABackupThatACrashCutShort_clearsItsLinks() throws IOException {
        made();
        Files.createDirectories(data().resolve("checkpoint.part").resolve("sub"));
        Files.createDirectories(data().resolve("checkpoint.part.tmp"));
        RocksDbStore.open(data()).close();
        assertThat(data().resolve("checkpoint.part")).doesNotExist();
        assertThat(data().resolve("checkpoint.part.tmp")).doesNotExist();
    }
}
