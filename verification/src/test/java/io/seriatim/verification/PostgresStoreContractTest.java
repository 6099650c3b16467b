package io.seriatim.verification;

import io.seriatim.postgresql.PostgresSettings;
import io.seriatim.postgresql.PostgresStore;
import io.seriatim.store.CounterStore;

final class PostgresStoreContractTest extends DurableCounterStoreContract {

    private final PostgresSettings settings = PostgresServer.shared().newSchema();

    @Override
    protected CounterStore open() {
        return PostgresStore.open(settings);
    }
}
