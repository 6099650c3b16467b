package io.seriatim.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.store.Change;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Whose folder it is: one owner at a time, and only files of a store that is whole. */
final class StoreFolderTest {

    @TempDir
    private Path temp;

    private static void assertRefused(Path folder, Kind kind, String... words) {
        assertThatThrownBy(() -> RocksDbStore.open(folder).close())
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining(folder.normalize().toString());
        for (String word : words) {
            assertThatThrownBy(() -> RocksDbStore.open(folder).close()).hasMessageContaining(word);
        }
    }

    private Path storeWithRevision(long revision) {
        Path folder = temp.resolve("data");
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            for (long i = 1; i <= revision; i++) {
                Rows.write(store, Change.of(Rows.counter(7, i)));
            }
        }
        return folder;
    }

    // ---- one owner

    @Test
    void open_secondTimeInThisProcess_inUse() {
        Path folder = storeWithRevision(1);
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            assertRefused(folder, Kind.IN_USE, "open in this process");
            assertRefused(temp.resolve("x/../data"), Kind.IN_USE);
            Rows.write(store, Change.of(Rows.counter(7, 2)));
        }
        RocksDbStore.open(folder).close();
    }

    @Test
    void open_throughALink_inUse() throws IOException {
        Path folder = storeWithRevision(1);
        Path link = Files.createSymbolicLink(temp.resolve("link"), folder);
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            assertThat(store.failure()).isEmpty();
            assertThatThrownBy(() -> RocksDbStore.open(link))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.IN_USE));
        }
    }

    @Test
    void open_whileAnotherProcessHasIt_inUseUntilItEnds() throws Exception {
        Path folder = storeWithRevision(3);
        try (Child other = Child.start(Opener.class, folder)) {
            other.expect("open, revision 3");
            assertRefused(folder, Kind.IN_USE, "open in another process");
            other.kill();
        }
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            assertThat(Rows.revision(store, 7)).isEqualTo(3);
        }
    }

    @Test
    void open_inAnotherProcessWhileThisHasIt_inUse() throws Exception {
        Path folder = storeWithRevision(3);
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            // A lock of the operating system ends when its process closes any file of that name.
            assertRefused(folder, Kind.IN_USE);
            try (Child other = Child.start(Opener.class, folder)) {
                other.expect("IN_USE");
                assertThat(other.waitFor()).isZero();
            }
            Rows.write(store, Change.of(Rows.counter(7, 4)));
        }
        try (Child other = Child.start(Opener.class, folder)) {
            other.expect("open, revision 4");
        }
    }

    /** RocksDB's lock is the second line; its own words about files of its own were once the answer. */
    @Test
    void open_ownersLockFileDeleted_isToldAsEveryFolderInUse() throws Exception {
        Path folder = storeWithRevision(3);
        try (Child other = Child.start(Opener.class, folder)) {
            other.expect("open, revision 3");
            Files.delete(folder.resolve("seriatim.lock"));
            assertThatThrownBy(() -> RocksDbStore.open(folder))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.IN_USE))
                    .hasMessage(
                            "the store in " + folder + " is open in another process; a store has one owner at a time");
            other.kill();
        }
    }

    /** RocksDB's own tools know nothing of our lock; RocksDB's they take. */
    @Test
    void open_databaseHeldByAnotherProgram_inUse() throws RocksDBException {
        Path folder = storeWithRevision(1);
        List<ColumnFamilyDescriptor> families = new ArrayList<>();
        for (String name : Database.families(folder.resolve("rocksdb"))) {
            families.add(new ColumnFamilyDescriptor(name.getBytes(UTF_8)));
        }
        try (RocksDB other = RocksDB.open(folder.resolve("rocksdb").toString(), families, new ArrayList<>())) {
            assertThat(other.isClosed()).isFalse();
            assertRefused(folder, Kind.IN_USE);
        }
        RocksDbStore.open(folder).close();
    }

    // ---- making it

    @Test
    void open_missingFolders_madeForTheOwnerOnly() throws IOException {
        Path folder = temp.resolve("a/b/data");
        RocksDbStore.open(folder).close();
        for (String made : List.of("a", "a/b", "a/b/data", "a/b/data/rocksdb")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(temp.resolve(made))))
                    .as(made)
                    .isEqualTo("rwx------");
        }
        for (String made : List.of("seriatim.lock", "seriatim.store")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(made))))
                    .as(made)
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void open_interruptedThread_opensAndKeepsTheFlag() {
        Thread.currentThread().interrupt();
        try (RocksDbStore store = RocksDbStore.open(temp.resolve("data"))) {
            assertThat(store.findDefinition("x")).isEmpty();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void open_pathThatIsAFile_unavailable() throws IOException {
        Path file = Files.writeString(temp.resolve("file"), "x");
        assertRefused(file, Kind.UNAVAILABLE);
    }

    /** Creation has four steps that last; after each of them the next open must finish the work. */
    @Test
    void open_creationCutShort_isFinished() throws IOException {
        Path folder = temp.resolve("data");
        Files.createDirectories(folder.resolve("rocksdb"));
        Files.createFile(folder.resolve("seriatim.lock"));
        RocksDbStore.open(folder).close(); // folders and lock were there

        Files.delete(folder.resolve("seriatim.store"));
        try (RocksDbStore store = RocksDbStore.open(folder)) { // header row was there
            Rows.write(store, Change.of(Rows.counter(7, 1)));
        }
        Files.delete(folder.resolve("seriatim.store"));
        Files.writeString(folder.resolve("seriatim.store.new"), "Seriatim st");
        try (RocksDbStore store = RocksDbStore.open(folder)) { // the file was being written
            assertThat(Rows.revision(store, 7)).isEqualTo(1);
        }
    }

    /** A database that RocksDB has begun: its file CURRENT, no family and no header row yet. */
    @Test
    void open_creationCutShortInsideRocksDb_isFinished() throws Exception {
        Path folder = temp.resolve("data");
        Files.createDirectories(folder.resolve("rocksdb"));
        NativeLibrary.load();
        try (Options options = new Options().setCreateIfMissing(true)) {
            RocksDB.open(options, folder.resolve("rocksdb").toString()).close();
        }
        for (Path log : StoreFiles.logs(folder)) {
            Files.delete(log);
        }
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            Rows.write(store, Change.of(Rows.counter(7, 1)));
        }
        RocksDbStore.open(folder).close();
    }

    // ---- what is not a whole store of ours

    /** The disk that was not mounted: an empty store in its place would begin every number again. */
    @Test
    void open_databaseGone_corrupt() throws IOException {
        Path folder = storeWithRevision(3);
        StoreFiles.delete(folder.resolve("rocksdb"));
        assertRefused(folder, Kind.CORRUPT, "lost its data");
        Files.createDirectory(folder.resolve("rocksdb"));
        assertRefused(folder, Kind.CORRUPT, "lost its data");
    }

    @Test
    void open_fileCurrentGone_corrupt() throws IOException {
        Path folder = storeWithRevision(3);
        Files.delete(folder.resolve("rocksdb/CURRENT"));
        assertRefused(folder, Kind.CORRUPT);
        Files.delete(folder.resolve("seriatim.store"));
        assertRefused(folder, Kind.CORRUPT, "CURRENT");
    }

    @Test
    void open_tableGone_corrupt() throws IOException {
        Path folder = storeWithRevision(3);
        List<Path> tables = StoreFiles.named(folder, "", ".sst");
        assertThat(tables).isNotEmpty();
        Files.delete(tables.get(0));
        assertRefused(folder, Kind.CORRUPT);
    }

    @Test
    void open_databaseOfAnotherStore_corrupt() throws IOException {
        Path folder = storeWithRevision(3);
        Path other = temp.resolve("other");
        RocksDbStore.open(other).close();
        StoreFiles.delete(folder.resolve("rocksdb"));
        StoreFiles.copy(other.resolve("rocksdb"), folder.resolve("rocksdb"));
        assertRefused(folder, Kind.CORRUPT, "mixed from two stores");
    }

    @Test
    void open_databaseOfAnotherProgram_corrupt() throws Exception {
        Path folder = temp.resolve("data");
        Files.createDirectories(folder.resolve("rocksdb"));
        NativeLibrary.load();
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB other = RocksDB.open(options, folder.resolve("rocksdb").toString())) {
            other.put(new byte[] {1}, new byte[] {2});
        }
        assertRefused(folder, Kind.CORRUPT, "of another program");
    }

    @Test
    void open_databaseWithMoreFamilies_corrupt() throws Exception {
        Path folder = temp.resolve("data");
        Files.createDirectories(folder.resolve("rocksdb"));
        NativeLibrary.load();
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB other = RocksDB.open(options, folder.resolve("rocksdb").toString())) {
            other.createColumnFamily(new ColumnFamilyDescriptor("new".getBytes(UTF_8)))
                    .close();
        }
        assertRefused(folder, Kind.CORRUPT, "newer version", "new");
    }

    @Test
    void open_storeFileOfANewerFormat_corrupt() throws IOException {
        Path folder = storeWithRevision(3);
        Path file = folder.resolve("seriatim.store");
        Files.writeString(file, Files.readString(file).replace("format 1", "format 2"));
        assertRefused(folder, Kind.CORRUPT, "format 2");
    }

    @Test
    void open_storeFileDamaged_corrupt() throws IOException {
        Path folder = storeWithRevision(3);
        Path file = folder.resolve("seriatim.store");
        for (String text : List.of("", "Seriatim", Files.readString(file) + "x", "\u00e9")) {
            Files.writeString(file, text);
            assertRefused(folder, Kind.CORRUPT, "seriatim.store");
        }
    }

    // ---- what a refused open leaves

    @Test
    void open_refused_leavesTheFolderFree() throws IOException {
        Path folder = storeWithRevision(3);
        Path file = folder.resolve("seriatim.store");
        String good = Files.readString(file);
        Files.writeString(file, "x");
        assertRefused(folder, Kind.CORRUPT);
        assertRefused(folder, Kind.CORRUPT);
        Files.writeString(file, good);
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            assertThat(Rows.revision(store, 7)).isEqualTo(3);
        }
    }

    /** RocksDB's own log files grow with each open; they are kept few. */
    @Test
    void open_manyTimes_keepsTheFolderSmall() throws IOException {
        Path folder = temp.resolve("data");
        for (int i = 0; i < 12; i++) {
            RocksDbStore.open(folder).close();
        }
        long bytes = 0;
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                bytes += Files.size(file);
            }
        }
        assertThat(bytes).isLessThan(1 << 20);
    }
}
