package io.seriatim.verification;

import io.seriatim.postgresql.PostgresStore;
import io.seriatim.store.ClusterStore;
import org.junit.jupiter.api.AfterEach;

class PostgresClusterStoreContractTest extends ClusterStoreContract {

    private final PostgresStore store =
            PostgresStore.open(PostgresServer.shared().newSchema());

    @Override
    protected ClusterStore store() {
        return store.cluster();
    }

    @AfterEach
    void close() {
        store.close();
    }
}
