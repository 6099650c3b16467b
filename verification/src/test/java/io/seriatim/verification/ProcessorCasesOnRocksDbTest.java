package io.seriatim.verification;

import io.seriatim.eventlog.LogWorld;
import io.seriatim.eventlog.application.ProcessorCases;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class ProcessorCasesOnRocksDbTest extends ProcessorCases {

    @TempDir
    private Path folder;

    @Override
    protected LogWorld world() {
        return new RocksDbLogWorld(folder.resolve("data"));
    }
}
