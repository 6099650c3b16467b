package io.seriatim.verification;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class RocksDbTransactionalStoreContractTest extends TransactionalStoreContract {

    @TempDir
    private Path folder;

    @Override
    protected TransactionalWorld open() {
        return new RocksDbWorld(folder);
    }
}
