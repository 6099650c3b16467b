package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.postgresql.PostgresSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every case of cases/transactional.jsonl comes out as written, on every store with transactions. */
final class TransactionalCasesTest {

    private final List<TransactionalCase> cases = TransactionalCase.all();

    @TempDir
    private Path folder;

    @Test
    void cases_whole_areRead() {
        assertThat(cases).hasSize(25);
        assertThat(cases)
                .allSatisfy(
                        each -> assertThat(each.expected()).hasSize(each.ops().size()));
    }

    @TestFactory
    Stream<DynamicTest> rocksDb() {
        return inEachWorld(each -> new RocksDbWorld(folder.resolve(each.name())));
    }

    @TestFactory
    Stream<DynamicTest> postgres() {
        PostgresSettings settings = PostgresServer.shared().newSchema();
        return inEachWorld(each -> new PostgresWorld(settings));
    }

    private Stream<DynamicTest> inEachWorld(Function<TransactionalCase, TransactionalWorld> opening) {
        return cases.stream()
                .map(each -> DynamicTest.dynamicTest(each.name(), () -> {
                    try (TransactionalWorld world = opening.apply(each)) {
                        assertThat(new TransactionalCaseRun(each, world).outcomes())
                                .isEqualTo(each.expected());
                    }
                }));
    }
}
