package io.seriatim.server;

import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.CounterStore;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class RocksDbDefinitionCallsTest extends DefinitionCallsContract {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private int stores;

    @Override
    CounterStore emptyStore() {
        return RocksDbStore.open(folder.resolve("store" + stores++));
    }
}
