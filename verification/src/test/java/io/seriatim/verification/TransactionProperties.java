package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.store.TransactionalStore.PutOutcome;
import io.seriatim.store.VersionedValue;
import io.seriatim.transaction.TransactionalSequences;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/**
 * Random lives: transactions beside each other that put, go back to savepoints, commit in any order or are aborted, and
 * crashes in between. After each step {@code get} is the greatest version of the transactions that were committed.
 */
final class TransactionProperties {

    private static final int SEQUENCES = 3;
    private static final int TRANSACTIONS = 4;

    /** What one transaction would leave, and what it would at each of its savepoints. */
    private static final class Open {
        private final UserTransaction transaction;
        private Map<Integer, VersionedValue> puts = new HashMap<>();
        private final Deque<Map<Integer, VersionedValue>> savepoints = new ArrayDeque<>();

        Open(UserTransaction transaction) {
            this.transaction = transaction;
        }
    }

    /** A step is one number; what it says depends on what is open. */
    @Provide
    Arbitrary<List<Integer>> lives() {
        return Arbitraries.integers().between(0, 1 << 20).list().ofMinSize(20).ofMaxSize(80);
    }

    @Property(tries = 15, shrinking = ShrinkingMode.OFF)
    void rocksDb_get_isTheGreatestDurableVersion(@ForAll("lives") List<Integer> life) throws IOException {
        Path folder = Files.createTempDirectory("seriatim-transactions");
        try {
            try (TransactionalWorld world = new RocksDbWorld(folder)) {
                live(world, life);
            }
        } finally {
            delete(folder);
        }
    }

    @Property(tries = 10, shrinking = ShrinkingMode.OFF)
    void postgres_get_isTheGreatestDurableVersion(@ForAll("lives") List<Integer> life) {
        try (TransactionalWorld world =
                new PostgresWorld(PostgresServer.shared().newSchema())) {
            live(world, life);
        }
    }

    private static void live(TransactionalWorld world, List<Integer> life) {
        TransactionalSequences sequences = TransactionalSequences.on(world.store());
        List<Long> ids = new ArrayList<>();
        Map<Integer, VersionedValue> durable = new HashMap<>();
        for (int i = 0; i < SEQUENCES; i++) {
            ids.add(sequences.create());
            durable.put(i, VersionedValue.NONE);
        }
        Map<Integer, Open> open = new HashMap<>();
        for (int step : life) {
            int which = step % TRANSACTIONS;
            int choice = step / TRANSACTIONS % 16;
            int detail = step / (TRANSACTIONS * 16);
            if (choice == 15) {
                open.values().forEach(each -> each.transaction.close());
                open.clear();
                world.crash();
                sequences = TransactionalSequences.on(world.store());
            } else {
                Open at = open.computeIfAbsent(which, unused -> new Open(world.begin()));
                if (choice < 8) {
                    put(sequences, ids, at, detail);
                } else if (choice < 10) {
                    at.transaction.setSavepoint();
                    at.savepoints.push(new HashMap<>(at.puts));
                } else if (choice < 11 && !at.savepoints.isEmpty()) {
                    at.transaction.rollbackToSavepoint();
                    at.puts = at.savepoints.pop();
                } else if (choice < 14) {
                    at.transaction.commit();
                    at.transaction.close();
                    at.puts.forEach((sequence, pair) ->
                            durable.merge(sequence, pair, (one, other) -> other.isNewerThan(one) ? other : one));
                    open.remove(which);
                } else {
                    at.transaction.close();
                    open.remove(which);
                }
            }
            for (int i = 0; i < SEQUENCES; i++) {
                assertThat(sequences.get(ids.get(i))).isEqualTo(durable.get(i));
            }
        }
        open.values().forEach(each -> each.transaction.close());
    }

    /** One version has one value, as of a generator. */
    private static void put(TransactionalSequences sequences, List<Long> ids, Open at, int detail) {
        int sequence = detail % SEQUENCES;
        long version = 1L + detail / SEQUENCES % 20;
        VersionedValue pair = new VersionedValue(version, -version);
        PutOutcome outcome = sequences.put(at.transaction.handle(), ids.get(sequence), pair.value(), pair.version());
        boolean newer = pair.isNewerThan(at.puts.getOrDefault(sequence, VersionedValue.NONE));
        assertThat(outcome).isEqualTo(newer ? PutOutcome.WRITTEN : PutOutcome.NOT_NEWER);
        if (newer) {
            at.puts.put(sequence, pair);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
