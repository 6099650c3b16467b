package io.seriatim.verification;

import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.rocksdb.RocksDbTransaction;
import io.seriatim.rocksdb.RocksDbTransactions;
import io.seriatim.rocksdb.RowFamily;
import io.seriatim.store.VersionedValue;
import io.seriatim.transaction.SequenceCatalogue;
import io.seriatim.transaction.TransactionalSequences;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Kills a process whose threads draw values and use them in rows, starts it again on the same folder, and so on. At each start
 * {@code get} must be at least every put that was acknowledged, no value may be used twice, and no row may have a value
 * beyond what {@code get} says.
 */
final class TransactionLoop {

    private static final int LEAST_LINES = 2;
    private static final int PAGE = 1_000;

    /**
     * @param starts how often the process came up
     * @param committed how many commits it has acknowledged
     * @param rows how many are there in the end
     */
    record Result(int starts, long committed, long rows, List<String> violations) {}

    private final Path folder;
    private final List<String> violations = new ArrayList<>();
    private final long[] acknowledged = new long[TransactionDriver.SEQUENCES];
    private final List<byte[]> used = new ArrayList<>();
    private int starts;

    TransactionLoop(Path folder) {
        this.folder = folder;
    }

    /** @param most lines of a life, at most */
    Result run(int kills, int most, long seed) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path data = folder.resolve("data");
        SplittableRandom random = new SplittableRandom(seed);
        ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<String> surprises = new ConcurrentLinkedQueue<>();
        DriverProcess driver =
                new DriverProcess(TransactionDriver.class, folder.resolve("errors.txt"), lines::add, surprises::add);
        for (int kill = 0; kill < kills && surprises.isEmpty(); kill++) {
            String drawn = Long.toString(random.nextLong(Long.MAX_VALUE));
            driver.live(List.of(data.toString(), drawn), random.nextInt(LEAST_LINES, most));
        }
        violations.addAll(surprises);
        lines.forEach(this::read);
        try (RocksDbStore store = RocksDbStore.openForTransactions(data)) {
            return new Result(starts, used.size(), check(store.transactions()), List.copyOf(violations));
        }
    }

    private void read(String line) {
        String[] words = line.split(" ");
        switch (words[0]) {
            case TransactionDriver.OPENED -> {
                starts++;
                for (int i = 0; i < acknowledged.length; i++) {
                    requireAtLeastAcknowledged(i, Long.parseLong(words[1 + i]));
                }
            }
            case TransactionDriver.COMMITTED -> {
                int sequence = Integer.parseInt(words[1]);
                used.add(TransactionDriver.key(sequence, Long.parseLong(words[2])));
                acknowledged[sequence] = Math.max(acknowledged[sequence], Long.parseLong(words[3]));
            }
            default -> violations.add("what should not be said: " + line);
        }
    }

    private void requireAtLeastAcknowledged(int sequence, long version) {
        if (version < acknowledged[sequence]) {
            violations.add("sequence " + sequence + " has come to version " + version + ", and version "
                    + acknowledged[sequence] + " was acknowledged before");
        }
    }

    /** Returns how many rows there are. */
    private long check(RocksDbTransactions store) {
        TransactionalSequences sequences = TransactionalSequences.on(store);
        SequenceCatalogue catalogue = SequenceCatalogue.on(sequences);
        RowFamily family = store.family(TransactionDriver.FAMILY);
        try (RocksDbTransaction transaction = store.begin()) {
            long[] last = new long[TransactionDriver.SEQUENCES];
            for (int i = 0; i < last.length; i++) {
                VersionedValue pair = sequences.get(catalogue
                        .find(transaction, TransactionDriver.name(i))
                        .orElseThrow()
                        .id());
                requireAtLeastAcknowledged(i, pair.version());
                last[i] = pair.value();
            }
            for (byte[] key : used) {
                if (transaction.get(family, key).isEmpty()) {
                    violations.add("an acknowledged row is gone: " + nameOf(key));
                }
            }
            return count(transaction, family, last);
        }
    }

    private long count(RocksDbTransaction transaction, RowFamily family, long[] last) {
        long count = 0;
        byte[] from = new byte[0];
        while (true) {
            List<RocksDbTransaction.Row> page = transaction.scan(family, from, PAGE);
            for (RocksDbTransaction.Row row : page) {
                ByteBuffer key = ByteBuffer.wrap(row.key());
                if (key.getLong(Integer.BYTES) > last[key.getInt(0)]) {
                    violations.add("a row has a value that will come again: " + nameOf(row.key()));
                }
            }
            count += page.size();
            if (page.size() < PAGE) {
                return count;
            }
            byte[] end = page.get(PAGE - 1).key();
            from = ByteBuffer.allocate(end.length + 1).put(end).array(); // the next key that there can be
        }
    }

    private static String nameOf(byte[] key) {
        ByteBuffer bytes = ByteBuffer.wrap(key);
        return "sequence " + bytes.getInt() + " value " + bytes.getLong();
    }
}
