package io.seriatim.server;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class RocksDbLogCallsTest extends LogCallsContract {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Override
    OpenStore emptyStore() {
        return new LocalFolder(folder.resolve("data"), io.seriatim.eventlog.application.TrustLevel.VERIFY_ALL).open();
    }
}
