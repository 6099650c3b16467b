package io.seriatim.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.rocksdb.Storage.Settings;
import io.seriatim.store.Change;
import java.io.IOException;
import java.nio.file.Path;

/** A process that writes to a store until it is killed, and says what was acknowledged. */
final class Writer {

    /** Memory of all memtables: some dozens of large writes fill several logs. */
    private static final long MEMTABLE_BYTES = 256 << 10;

    private Writer() {}

    /**
     * Writes as often as it is told and then waits to be killed.
     *
     * @param args folder; how many writes; length of the answer in each
     */
    public static void main(String[] args) throws InterruptedException {
        RocksDbStore store =
                RocksDbStore.open(Path.of(args[0]), new Settings(Settings.DEFAULT.closeBound(), MEMTABLE_BYTES));
        long writes = Long.parseLong(args[1]);
        String answer = "x".repeat(Integer.parseInt(args[2]));
        long revision = Rows.revision(store, 7);
        System.out.println("open");
        for (long i = 0; i < writes; i++) {
            revision++;
            Rows.write(store, Change.of(Rows.counter(7, revision)).with(Rows.answer(7, "k" + revision, answer)));
            System.out.println(revision);
        }
        System.out.println("done");
        Thread.currentThread().join(); // until it is killed
    }

    /** Leaves what a process leaves that was killed when that many writes were acknowledged. */
    static void killAfter(Path store, int writes, int answerBytes) throws IOException, InterruptedException {
        try (Child writer = Child.start(Writer.class, store, writes, answerBytes)) {
            String line = writer.readLine();
            while (!"done".equals(line)) {
                assertThat(line).isNotNull();
                line = writer.readLine();
            }
            writer.kill();
        }
    }
}
