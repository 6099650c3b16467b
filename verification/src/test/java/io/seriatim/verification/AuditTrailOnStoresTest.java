package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.AuditEntry;
import io.seriatim.Author;
import io.seriatim.Contract;
import io.seriatim.ErrorCode;
import io.seriatim.Restart;
import io.seriatim.SequenceDefinition;
import io.seriatim.SequenceException;
import io.seriatim.Sequences;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.CounterKey;
import io.seriatim.store.CounterStore;
import io.seriatim.store.LedgerRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every change of a definition has its entry in the audit trail, and one, on every store and whatever befalls it. */
final class AuditTrailOnStoresTest {

    private static final String NAME = "orders";

    @TempDir
    private Path folder;

    @Test
    void memory_changesAtOnce_leaveAWholeTrail() throws Exception {
        try (CounterStore store = new MemoryCounterStore()) {
            changeAtOnce(store);
        }
    }

    @Test
    void rocksDb_changesAtOnce_leaveAWholeTrail() throws Exception {
        long entries;
        try (CounterStore store = RocksDbStore.open(folder.resolve("data"))) {
            entries = changeAtOnce(store);
        }
        try (CounterStore store = RocksDbStore.open(folder.resolve("data"))) {
            assertThat(whole(store)).isEqualTo(entries);
        }
    }

    @Test
    void postgres_changesAtOnce_leaveAWholeTrail() throws Exception {
        PostgresSettings settings = PostgresServer.shared().newSchema();
        long entries;
        try (CounterStore store = PostgresStore.open(settings)) {
            entries = changeAtOnce(store);
        }
        try (CounterStore store = PostgresStore.open(settings)) {
            assertThat(whole(store)).isEqualTo(entries);
        }
    }

    /** Two engines alter, drop and create one sequence; returns how many entries there are. */
    private static long changeAtOnce(CounterStore store) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (Sequences one = Sequences.on(store);
                Sequences two = Sequences.on(store)) {
            List<Future<Long>> changing = new ArrayList<>();
            for (Sequences engine : List.of(one, two)) {
                changing.add(threads.submit(() -> changes(engine)));
            }
            long changes = changing.get(0).get() + changing.get(1).get();
            assertThat(whole(store)).isEqualTo(changes);
            List<AuditEntry> trail = one.audit(NAME, 0, 1_000);
            assertThat(trail).hasSize(Math.toIntExact(changes));
            assertThat(trail.get(trail.size() - 1).why()).isPresent();
            return changes;
        } finally {
            threads.shutdown();
        }
    }

    /** Changes the sequence as often as it can; returns how many times that was. */
    private static long changes(Sequences engine) {
        SequenceDefinition ordered = SequenceDefinition.ascending().contract(Contract.ORDERED);
        Author author = Author.of(engine.node()).because("тест — \ud83d\ude00");
        long changes = 0;
        for (int turn = 1; turn <= 40; turn++) {
            try {
                if (turn % 10 == 0) {
                    engine.get(NAME).by(author).drop();
                } else if (engine.find(NAME).isEmpty()) {
                    engine.create(NAME, ordered, author);
                } else {
                    engine.get(NAME)
                            .by(author)
                            .alter(SequenceDefinition.changes().max(1_000 + turn));
                }
                changes++;
            } catch (SequenceException e) { // the other one was first
                assertThat(e.code()).isIn(ErrorCode.NOT_FOUND, ErrorCode.ALREADY_EXISTS);
            }
        }
        return changes;
    }

    /** That the entries are 1 to the revision of the definition; returns how many. */
    private static long whole(CounterStore store) {
        long revision = store.findDefinition(NAME).orElseThrow().revision();
        assertThat(store.listLedger(new CounterKey(0, NAME, ""), 1, 1_000))
                .extracting(LedgerRow::index)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, revision).boxed().toList());
        return revision;
    }

    // ---- under faults

    private static final List<Fault> FAULTS = List.of(
            Fault.unavailable(),
            Fault.unknownApplied(),
            Fault.unknownApplied(),
            Fault.unknownLost(),
            Fault.unknownOnItsWay());

    /** What a caller was told of a change. */
    private enum Told {
        DONE,
        PERHAPS,
        NOTHING
    }

    /** {@code -Dseriatim.seed=N} repeats a run. */
    @Test
    void faults_onReadsAndWrites_leaveOneEntryForEachChangeAndNoneForOthers() {
        long seed = Long.getLong("seriatim.seed", System.nanoTime());
        System.out.println("audit trail under faults: seed=" + seed);
        for (int run = 0; run < 20; run++) {
            underFaults(seed + run);
        }
    }

    private static void underFaults(long seed) {
        Random random = new Random(seed);
        MemoryCounterStore memory = new MemoryCounterStore();
        FaultyStore store = new FaultyStore(memory, FaultPlan.seeded(seed, 25, FAULTS));
        Map<String, Told> told = new HashMap<>();
        Sequences one = Sequences.on(store);
        Sequences two = Sequences.on(store);
        for (int turn = 0; turn < 100; turn++) {
            Author author = Author.of("change " + turn);
            boolean first = random.nextBoolean();
            told.put(author.who(), change(first ? one : two, first ? two : one, author, random));
            if (random.nextInt(4) == 0) {
                store.land();
            }
        }
        while (store.onTheirWay() > 0) {
            store.land();
        }

        whole(memory);
        FaultyStore after = store.crash(FaultPlan.none());
        one.close();
        two.close();
        try (Sequences next = Sequences.on(after)) {
            List<String> signed =
                    next.audit(NAME, 0, 1_000).stream().map(AuditEntry::who).toList();
            told.forEach((who, answer) -> {
                int entries = Collections.frequency(signed, who);
                switch (answer) {
                    case DONE -> assertThat(entries).as("seed=%d %s", seed, who).isEqualTo(1);
                    case PERHAPS ->
                        assertThat(entries).as("seed=%d %s", seed, who).isBetween(0, 1);
                    case NOTHING ->
                        assertThat(entries).as("seed=%d %s", seed, who).isZero();
                }
            });
            assertThat(told).as("seed=%d", seed).containsValues(Told.DONE, Told.PERHAPS, Told.NOTHING);
        }
    }

    private static Told change(Sequences engine, Sequences other, Author author, Random random) {
        int what = random.nextInt(6);
        try {
            switch (what) {
                case 0 -> engine.create(NAME, SequenceDefinition.ascending().cache(3), author);
                case 1 -> engine.get(NAME).by(author).drop();
                case 2 -> engine.get(NAME).by(author).restart(Restart.at(1).allowingReuse("test"));
                case 3 -> {
                    engine.get(NAME).next();
                    other.get(NAME).by(author).declareGone(engine.node());
                }
                default ->
                    engine.get(NAME)
                            .by(author)
                            .alter(SequenceDefinition.changes().max(1_000 + what));
            }
            return what == 3 ? Told.PERHAPS : Told.DONE; // a node that has nothing left is not listed
        } catch (SequenceException e) {
            // what was created is opened then, and that may fail
            return e.code() == ErrorCode.OUTCOME_UNKNOWN || what == 0 ? Told.PERHAPS : Told.NOTHING;
        }
    }
}
