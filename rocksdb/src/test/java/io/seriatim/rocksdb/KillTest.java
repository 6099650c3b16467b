package io.seriatim.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.rocksdb.Storage.Settings;
import io.seriatim.store.Change;
import io.seriatim.store.IdempotencyKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed while it writes: what it had acknowledged is there, whole, and goes on from there. */
final class KillTest {

    private static final int THREADS = 4;
    private static final int ROUNDS = Integer.getInteger("seriatim.kills", 5);

    @TempDir
    private Path temp;

    /** Four threads write four counters as fast as they can and say what was acknowledged. */
    static final class Hammer {

        private Hammer() {}

        /**
         * Writes until it is killed.
         *
         * @param args the folder
         */
        public static void main(String[] args) {
            RocksDbStore store =
                    RocksDbStore.open(Path.of(args[0]), new Settings(Settings.DEFAULT.closeBound(), 256 << 10));
            String answer = "x".repeat(300);
            for (int i = 1; i <= THREADS; i++) {
                long id = i;
                new Thread(() -> {
                            for (long revision = Rows.revision(store, id) + 1; ; revision++) {
                                Rows.write(
                                        store,
                                        Change.of(Rows.counter(id, revision))
                                                .with(Rows.answer(id, "k" + revision, answer)));
                                System.out.println(id + " " + revision + " acknowledged");
                            }
                        })
                        .start();
            }
        }
    }

    @Test
    void open_afterKills_hasEveryAcknowledgedWriteWhole() throws Exception {
        Path folder = temp.resolve("data");
        long seed = Long.getLong("seriatim.seed", System.nanoTime());
        Random random = new Random(seed);
        Map<Long, Long> found = new HashMap<>();
        for (int round = 1; round <= ROUNDS; round++) {
            Map<Long, Long> acknowledged = acknowledgedBeforeKill(folder, 1 + random.nextInt(1_500));
            try (RocksDbStore store = RocksDbStore.open(folder)) {
                for (long id = 1; id <= THREADS; id++) {
                    long revision = Rows.revision(store, id);
                    String as = "seed " + seed + " round " + round + " counter " + id;
                    assertThat(revision)
                            .as(as)
                            .isGreaterThanOrEqualTo(acknowledged.getOrDefault(id, 0L))
                            .isGreaterThanOrEqualTo(found.getOrDefault(id, 0L))
                            // at most the one write under way was not acknowledged
                            .isLessThanOrEqualTo(
                                    Math.max(acknowledged.getOrDefault(id, 0L), found.getOrDefault(id, 0L)) + 1);
                    for (long each = 1; each <= revision; each++) {
                        assertThat(store.findIdempotency(new IdempotencyKey(id, "", "k" + each)))
                                .as(as)
                                .isPresent();
                    }
                    assertThat(store.findIdempotency(new IdempotencyKey(id, "", "k" + (revision + 1))))
                            .as(as)
                            .isEmpty();
                    found.put(id, revision);
                }
            }
        }
    }

    private static Map<Long, Long> acknowledgedBeforeKill(Path folder, int lines) throws Exception {
        try (Child hammer = Child.start(Hammer.class, folder)) {
            List<String> said = new ArrayList<>();
            for (int i = 0; i < lines; i++) {
                String line = hammer.readLine();
                assertThat(line).isNotNull();
                said.add(line);
            }
            said.addAll(hammer.kill());
            Map<Long, Long> acknowledged = new HashMap<>();
            for (String line : said) {
                String[] words = line.split(" ", -1);
                if (words.length == 3 && words[2].equals("acknowledged")) { // else the kill came in between
                    acknowledged.put(Long.valueOf(words[0]), Long.valueOf(words[1]));
                }
            }
            return acknowledged;
        }
    }
}
