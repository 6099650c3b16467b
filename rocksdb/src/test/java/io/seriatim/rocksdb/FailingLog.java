package io.seriatim.rocksdb;

import io.seriatim.store.EventLogStore;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.StoreException;
import io.seriatim.store.WriteMode;
import java.nio.file.Files;
import java.nio.file.Path;

/** A process whose syncs fail while it writes to an event log, and that says what the store made of it. */
final class FailingLog {

    private FailingLog() {}

    /**
     * Writes once while syncs fail, looks at the store, closes it, and opens it again.
     *
     * @param args folder; what is written: application or event; the file with which syncs fail
     */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        boolean application = args[1].equals("application");
        Path failWhile = Path.of(args[2]);
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            EventLogStore log = store.eventLog();
            PartitionStore partition = log.partition(LogRows.KEY);
            long epoch = partition.take();
            LogRows.applied(log.write(LogRows.application(1)));
            LogRows.applied(partition.append(epoch, WriteMode.INSERT_IF_ABSENT, LogRows.events(1, 1)));
            Files.createFile(failWhile);
            LogOutcome outcome = application
                    ? log.write(LogRows.application(2))
                    : partition.append(epoch, WriteMode.INSERT_IF_ABSENT, LogRows.events(2, 2));
            System.out.println(outcome.getClass().getSimpleName());
            System.out.println(log.failure().map(StoreException::kind).orElseThrow());
            Files.delete(failWhile);
        }
        try (RocksDbStore store = RocksDbStore.open(folder)) {
            long revision = store.eventLog().applications().get(0).revision();
            long last = store.eventLog().partition(LogRows.KEY).lastOffset().orElseThrow();
            boolean whole =
                    revision >= 1 && revision <= (application ? 2 : 1) && last >= 1 && last <= (application ? 1 : 2);
            System.out.println(whole ? "nothing lost" : "revision " + revision + ", last offset " + last);
        }
    }
}
