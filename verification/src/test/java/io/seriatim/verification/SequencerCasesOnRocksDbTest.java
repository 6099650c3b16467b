package io.seriatim.verification;

import io.seriatim.eventlog.LogWorld;
import io.seriatim.eventlog.SequencerCases;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class SequencerCasesOnRocksDbTest extends SequencerCases {

    @TempDir
    private Path folder;

    @Override
    protected LogWorld world() {
        return new RocksDbLogWorld(folder.resolve("data"));
    }
}
