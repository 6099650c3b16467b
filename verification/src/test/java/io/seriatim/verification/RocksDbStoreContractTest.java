package io.seriatim.verification;

import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.CounterStore;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class RocksDbStoreContractTest extends DurableCounterStoreContract {

    @TempDir
    private Path folder;

    @Override
    protected CounterStore open() {
        return RocksDbStore.open(folder.resolve("data"));
    }
}
