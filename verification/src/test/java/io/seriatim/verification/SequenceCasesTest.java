package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.Sequences;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.CounterStore;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every case of cases/sequence.jsonl comes out as written, whatever the store and the size of a block. The
 * cases of a factory share one store, so that they also show that sequences leave each other alone.
 */
final class SequenceCasesTest {

    /** For the cases that give none. */
    private static final List<String> VARIANTS = List.of("1", "3", "auto", SequenceCase.ORDERED);

    private final List<SequenceCase> cases = SequenceCase.all();

    @TempDir
    private Path folder;

    @Test
    void cases_whole_areRead() {
        assertThat(cases).hasSize(82);
        assertThat(cases)
                .allSatisfy(each ->
                        assertThat(each.expected()).hasSize(1 + each.ops().size()));
    }

    @TestFactory
    Stream<DynamicTest> memory() {
        return forEachVariant(variant -> inOneLife(variant, new MemoryCounterStore()));
    }

    @TestFactory
    Stream<DynamicTest> rocksDb() {
        return forEachVariant(variant -> inOneLife(variant, openFolder(variant)));
    }

    /** A clean stop leaves no trace in the numbers. */
    @TestFactory
    Stream<DynamicTest> rocksDb_closedAndOpenedAfterEachOp() {
        return forEachVariant(variant -> reopenedAfterEachStep(variant, () -> openFolder(variant)));
    }

    @TestFactory
    Stream<DynamicTest> postgres() {
        return forEachVariant(variant ->
                inOneLife(variant, PostgresStore.open(PostgresServer.shared().newSchema())));
    }

    @TestFactory
    Stream<DynamicTest> postgres_closedAndOpenedAfterEachOp() {
        return forEachVariant(variant -> {
            PostgresSettings settings = PostgresServer.shared().newSchema();
            return reopenedAfterEachStep(variant, () -> PostgresStore.open(settings));
        });
    }

    private static Stream<DynamicTest> forEachVariant(Function<String, List<SequenceCaseRun>> run) {
        return VARIANTS.stream()
                .flatMap(cache -> run.apply(cache).stream()
                        .map(done -> DynamicTest.dynamicTest(
                                done.title(), () -> assertThat(done.outcomes()).isEqualTo(done.expected()))));
    }

    private List<SequenceCaseRun> inOneLife(String variant, CounterStore store) {
        List<SequenceCaseRun> runs = runs(variant);
        try (Sequences sequences = Sequences.on(store)) {
            runs.forEach(run -> run.runAll(sequences));
        }
        return runs;
    }

    /** Step by step over all cases at once: so a few openings do for all of them. */
    private List<SequenceCaseRun> reopenedAfterEachStep(String variant, Supplier<CounterStore> opening) {
        List<SequenceCaseRun> runs = runs(variant);
        int steps = runs.stream().mapToInt(SequenceCaseRun::steps).max().orElseThrow();
        for (int step = 0; step < steps; step++) {
            try (Sequences sequences = Sequences.on(opening.get())) {
                for (SequenceCaseRun run : runs) {
                    if (step < run.steps()) {
                        run.runStep(sequences, step);
                    }
                }
            }
        }
        return runs;
    }

    private List<SequenceCaseRun> runs(String variant) {
        return cases.stream().map(each -> new SequenceCaseRun(each, variant)).toList();
    }

    private CounterStore openFolder(String name) {
        return RocksDbStore.open(folder.resolve(name));
    }
}
