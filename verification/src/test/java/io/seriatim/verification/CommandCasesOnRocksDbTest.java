package io.seriatim.verification;

import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.EventLogStore;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class CommandCasesOnRocksDbTest extends CommandCases {

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private RocksDbStore store;

    @Override
    EventLogStore openStore() {
        store = RocksDbStore.open(folder.resolve("data"));
        return store.eventLog();
    }

    @Override
    void closeStore() {
        store.close();
    }
}
