package io.seriatim.verification;

import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.EventLogStore;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

final class RocksDbEventLogStoreContractTest extends DurableEventLogStoreContract {

    @TempDir
    private Path folder;

    private Optional<RocksDbStore> store = Optional.empty();

    @Override
    protected EventLogStore open() {
        store = Optional.of(RocksDbStore.open(folder.resolve("data")));
        return store.get().eventLog();
    }

    @Override
    protected void close(EventLogStore opened) {
        opened.close();
        store.ifPresent(RocksDbStore::close);
    }
}
