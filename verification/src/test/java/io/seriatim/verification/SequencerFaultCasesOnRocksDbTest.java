package io.seriatim.verification;

import io.seriatim.eventlog.LogWorld;
import io.seriatim.eventlog.SequencerFaultCases;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class SequencerFaultCasesOnRocksDbTest extends SequencerFaultCases {

    @TempDir
    private Path folder;

    @Override
    protected LogWorld world() {
        return new RocksDbLogWorld(folder.resolve("data"));
    }

    /** Each event waits for the disk. */
    @Override
    protected int writing(int all) {
        return all / 10;
    }
}
