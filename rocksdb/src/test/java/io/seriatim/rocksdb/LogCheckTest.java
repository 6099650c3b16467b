package io.seriatim.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.rocksdb.LogCheck.DamagedLogException;
import io.seriatim.store.Change;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogCheckTest {

    /** Bytes of one write of a counter row in a log: record header, batch header, one row. */
    private static final int WRITE_BYTES = 98;

    private static final int WRITES = 12;

    /** Bits from one flip to the next: every byte has its turn, and every bit of a byte in some byte. */
    private static final int STRIDE = 7;

    @TempDir
    private Path temp;

    private Path store;
    private Path database;

    /** A store after a crash: written to, not closed. */
    @BeforeEach
    void crash() throws IOException {
        store = crashed("crashed", WRITES, 0);
        database = store.resolve("rocksdb");
    }

    private Path crashed(String name, int writes, int answerBytes) throws IOException {
        Path live = temp.resolve(name + ".live");
        RocksDbStore.open(live).close();
        try (RocksDbStore open = RocksDbStore.open(live)) {
            for (int revision = 1; revision <= writes; revision++) {
                Change change = Change.of(Rows.counter(7, revision));
                Rows.write(
                        open,
                        answerBytes == 0
                                ? change
                                : change.with(Rows.answer(7, "k" + revision, "x".repeat(answerBytes))));
            }
            return StoreFiles.copy(live, temp.resolve(name));
        }
    }

    private void check() throws IOException, DamagedLogException {
        LogCheck.check(database, true);
    }

    @Test
    void check_filesOfACrash_passes() throws Exception {
        assertThat(Files.size(StoreFiles.log(store))).isEqualTo(WRITES * WRITE_BYTES);
        check();
    }

    /** A flip looks like an unfinished write to RocksDB in some places; here it does in none. */
    @Test
    void check_anyBitOfTheLogFlipped_damaged() throws Exception {
        Path log = StoreFiles.log(store);
        byte[] good = Files.readAllBytes(log);
        for (long bit = 0; bit < good.length * 8L; bit += STRIDE) {
            Files.write(log, StoreFiles.flipped(good, bit));
            assertThatThrownBy(this::check).as("bit %d", bit).isInstanceOf(DamagedLogException.class);
        }
    }

    @Test
    void check_anyBitOfTheManifestFlipped_damaged() throws Exception {
        Path manifest = StoreFiles.manifest(store);
        byte[] good = Files.readAllBytes(manifest);
        for (long bit = 0; bit < good.length * 8L; bit += STRIDE) {
            Files.write(manifest, StoreFiles.flipped(good, bit));
            assertThatThrownBy(this::check).as("bit %d", bit).isInstanceOf(DamagedLogException.class);
        }
    }

    @Test
    void check_anyBitOfCurrentFlipped_damaged() throws Exception {
        Path current = database.resolve("CURRENT");
        byte[] good = Files.readAllBytes(current);
        for (long bit = 0; bit < good.length * 8L; bit += STRIDE) {
            Files.write(current, StoreFiles.flipped(good, bit));
            assertThatThrownBy(this::check).as("bit %d", bit).isInstanceOf(DamagedLogException.class);
        }
    }

    /** What a crash leaves of a write: its beginning. */
    @Test
    void check_logCutAnywhere_passes() throws Exception {
        Path log = StoreFiles.log(store);
        byte[] good = Files.readAllBytes(log);
        for (int length = 0; length <= good.length; length++) {
            Files.write(log, Arrays.copyOf(good, length));
            assertThatCode(this::check).as("cut at %d", length).doesNotThrowAnyException();
        }
    }

    /** Space that was reserved and never written reads as zeros; so does a sector that a disk has lost. */
    @Test
    void check_zerosBehindTheEnd_damaged() throws Exception {
        Path log = StoreFiles.log(store);
        byte[] good = Files.readAllBytes(log);
        for (int zeros : new int[] {7, 8, 100, 40_000}) {
            Files.write(log, Arrays.copyOf(good, good.length + zeros));
            assertThatThrownBy(this::check).as("%d zeros", zeros).isInstanceOf(DamagedLogException.class);
        }
    }

    @Test
    void check_sectorOfZeros_damaged() throws Exception {
        Path log = StoreFiles.log(store);
        byte[] good = Files.readAllBytes(log);
        for (int from = 0; from + 512 <= good.length; from++) {
            byte[] bad = good.clone();
            Arrays.fill(bad, from, from + 512, (byte) 0);
            Files.write(log, bad);
            assertThatThrownBy(this::check).as("zeros from %d", from).isInstanceOf(DamagedLogException.class);
        }
    }

    /** A write that is missing in the middle leaves records that are all whole. */
    @Test
    void check_wholeWriteCutOut_damaged() throws Exception {
        Path log = StoreFiles.log(store);
        byte[] good = Files.readAllBytes(log);
        for (int write = 0; write < WRITES - 1; write++) {
            byte[] bad = new byte[good.length - WRITE_BYTES];
            System.arraycopy(good, 0, bad, 0, write * WRITE_BYTES);
            System.arraycopy(
                    good, (write + 1) * WRITE_BYTES, bad, write * WRITE_BYTES, bad.length - write * WRITE_BYTES);
            Files.write(log, bad);
            assertThatThrownBy(this::check).as("without write %d", write).isInstanceOf(DamagedLogException.class);
        }
    }

    /** As a script that tidies up "*.log" does. */
    @Test
    void check_logDeleted_damaged() throws Exception {
        Files.delete(StoreFiles.log(store));
        assertThatThrownBy(this::check).isInstanceOf(DamagedLogException.class);
        assertThatThrownBy(() -> LogCheck.check(database, false)).isInstanceOf(DamagedLogException.class);
    }

    @Test
    void check_writesOverSeveralBlocks_passesAndFindsFlips() throws Exception {
        store = crashed("long", 4, 45_000);
        database = store.resolve("rocksdb");
        check();
        Path log = StoreFiles.log(store);
        byte[] good = Files.readAllBytes(log);
        assertThat(good.length).isGreaterThan(5 * 32_768);
        long seed = 20260709;
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            long bit = random.nextLong(good.length * 8L);
            Files.write(log, StoreFiles.flipped(good, bit));
            assertThatThrownBy(this::check).as("seed %d bit %d", seed, bit).isInstanceOf(DamagedLogException.class);
        }
        for (int block = 0; block < good.length / 32_768; block++) {
            for (int bit = 0; bit < 7 * 8; bit++) {
                Files.write(log, StoreFiles.flipped(good, block * 32_768L * 8 + bit));
                assertThatThrownBy(this::check)
                        .as("block %d bit %d", block, bit)
                        .isInstanceOf(DamagedLogException.class);
            }
        }
        for (int i = 0; i < 500; i++) {
            int length = random.nextInt(good.length);
            Files.write(log, Arrays.copyOf(good, length));
            assertThatCode(this::check).as("seed %d cut at %d", seed, length).doesNotThrowAnyException();
        }
    }

    /** A store with many logs has a manifest whose first write is longer than anyone would guess. */
    @Test
    void check_manyLogsAndASecondCrash_passes() throws Exception {
        store = temp.resolve("many");
        database = store.resolve("rocksdb");
        Writer.killAfter(store, 1_200, 4_000);
        assertThat(StoreFiles.logs(store)).hasSizeGreaterThan(50);
        check();
        Writer.killAfter(store, 1, 10);
        check();
    }

    @Test
    void check_severalLogs_passesAndMissesAnyInTheMiddle() throws Exception {
        store = temp.resolve("several");
        database = store.resolve("rocksdb");
        Writer.killAfter(store, 200, 4_000);
        List<Path> logs = StoreFiles.logs(store);
        assertThat(logs).hasSizeGreaterThan(3);
        check();
        for (Path log : logs.subList(1, logs.size() - 1)) {
            byte[] good = Files.readAllBytes(log);
            Files.delete(log);
            assertThatThrownBy(this::check).as("without %s", log).isInstanceOf(DamagedLogException.class);
            Files.write(log, good);
        }
        check();
    }
}
