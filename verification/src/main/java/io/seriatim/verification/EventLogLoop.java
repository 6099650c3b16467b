package io.seriatim.verification;

import io.seriatim.rocksdb.RocksDbStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Kills a process that appends events, starts it again on the same folder, and so on; then reads the whole log. */
final class EventLogLoop {

    private static final int LEAST_LINES = 2;
    private static final int MOST_LINES = 5_000;

    private final Path folder;

    EventLogLoop(Path folder) {
        this.folder = folder;
    }

    EventLogHistory.Result run(int kills, long seed) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path data = folder.resolve("data");
        SplittableRandom random = new SplittableRandom(seed);
        ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<String> surprises = new ConcurrentLinkedQueue<>();
        DriverProcess driver =
                new DriverProcess(EventLogDriver.class, folder.resolve("errors.txt"), lines::add, surprises::add);
        for (int kill = 0; kill < kills && surprises.isEmpty(); kill++) {
            String drawn = Long.toString(random.nextLong(Long.MAX_VALUE));
            driver.live(List.of(data.toString(), drawn), random.nextInt(LEAST_LINES, MOST_LINES));
        }
        EventLogHistory history = new EventLogHistory();
        surprises.forEach(history::violation);
        lines.forEach(history::add);
        try (RocksDbStore store = RocksDbStore.open(data)) {
            return history.check(store.eventLog().partition(EventLogDriver.PARTITION), kills);
        }
    }
}
