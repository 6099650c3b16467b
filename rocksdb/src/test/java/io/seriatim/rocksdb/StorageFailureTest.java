package io.seriatim.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Storage that fails under a running store: the write under way is unknown, nothing is answered afterwards, and
 * the next open has every acknowledged write. Each in a process of its own.
 */
final class StorageFailureTest {

    /** Mounts a small file system that ends with the process, then runs the rest of the command line. */
    private static final String SMALL_DISK =
            "mount -t tmpfs -o size=8m tmpfs \"$0\" && dd status=none if=/dev/zero of=\"$0/reserve\" bs=1M count=4 && exec \"$@\"";

    @TempDir
    private Path temp;

    private static void expectStopAndRecovery(Child child) throws IOException, InterruptedException {
        child.expect("Unknown");
        child.expect("FAILED");
        child.expect("FAILED");
        child.expect("FAILED");
        child.expect("FAILED");
        child.expect("nothing lost");
        child.expect("nothing invented");
        child.expect("written on");
        assertThat(child.waitFor()).isZero();
    }

    /** Needs a mount: as root, or where users may have name spaces of their own. Fails where neither is. */
    @Test
    void apply_diskFull_stopsAndLosesNothing() throws Exception {
        Path disk = Files.createDirectory(temp.resolve("disk"));
        List<String> onSmallDisk = new ArrayList<>(List.of("unshare", "--mount"));
        if (!Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
            onSmallDisk.addAll(List.of("--user", "--map-root-user"));
        }
        onSmallDisk.addAll(List.of("sh", "-c", SMALL_DISK, disk.toString()));
        for (int answerBytes : new int[] {10, 1_000, 100_000}) {
            try (Child child = Child.start(
                    onSmallDisk,
                    Failing.class,
                    disk.resolve("data"),
                    answerBytes,
                    temp.resolve("mark"),
                    disk.resolve("reserve"))) {
                expectStopAndRecovery(child);
            }
        }
    }

    /** As a full disk, but with the beginning of a record in the log. */
    @Test
    void apply_fileTooLarge_stopsAndLosesNothing() throws Exception {
        for (int limit : new int[] {150_000, 150_001, 150_050, 163_840}) {
            try (Child child = Child.start(
                    List.of("prlimit", "--fsize=" + limit),
                    Failing.class,
                    temp.resolve("data" + limit),
                    10,
                    temp.resolve("mark"),
                    temp.resolve("none"))) {
                expectStopAndRecovery(child);
            }
        }
    }

    /**
     * The kernel drops pages that it could not write and calls the next sync a success: the store must not try
     * again. Needs a C compiler to build the failing fdatasync with.
     */
    @Test
    void apply_syncFails_stopsAndLosesNothing() throws Exception {
        Path mark = temp.resolve("mark");
        try (Child child = Child.start(
                withFailingSync(mark), Failing.class, temp.resolve("data"), 10, mark, temp.resolve("none"))) {
            expectStopAndRecovery(child);
        }
    }

    /** That they are durable when they are applied: without a sync the write would go through. */
    @Test
    void write_ofAnApplicationOrAnEventWhileSyncFails_isUnknownAndStops() throws Exception {
        Path mark = temp.resolve("mark");
        for (String what : List.of("application", "event")) {
            try (Child child =
                    Child.start(withFailingSync(mark), FailingLog.class, temp.resolve("of " + what), what, mark)) {
                child.expect("Unknown");
                child.expect("FAILED");
                child.expect("nothing lost");
                assertThat(child.waitFor()).isZero();
            }
        }
    }

    /** How a command line begins whose syncs fail while a file is there. */
    private List<String> withFailingSync(Path mark) throws InterruptedException {
        Path library = temp.resolve("failing_sync.so");
        assertThat(compile(Path.of("src/test/c/failing_sync.c").toAbsolutePath(), library))
                .as("cc builds the failing fdatasync: install a C compiler")
                .isTrue();
        return List.of("env", "LD_PRELOAD=" + library, "FAIL_SYNC_WHILE=" + mark);
    }

    private static boolean compile(Path source, Path library) throws InterruptedException {
        try {
            Process compiler = new ProcessBuilder(
                            "cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")
                    .inheritIO()
                    .start();
            assertThat(compiler.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return compiler.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
