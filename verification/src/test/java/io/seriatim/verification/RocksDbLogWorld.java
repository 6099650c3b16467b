package io.seriatim.verification;

import io.seriatim.eventlog.LogWorld;
import io.seriatim.rocksdb.RocksDbStore;
import io.seriatim.store.EventLogStore;
import java.nio.file.Path;
import java.util.Optional;

/** A folder, which one process has open at a time. */
final class RocksDbLogWorld implements LogWorld {

    private final Path folder;
    private Optional<RocksDbStore> opened = Optional.empty();

    RocksDbLogWorld(Path folder) {
        this.folder = folder;
    }

    @Override
    public EventLogStore open() {
        close();
        opened = Optional.of(RocksDbStore.open(folder));
        return openBeside();
    }

    @Override
    public EventLogStore openBeside() {
        return opened.orElseThrow().eventLog();
    }

    @Override
    public void close() {
        opened.ifPresent(RocksDbStore::close);
    }
}
