package io.seriatim.verification;

final class PostgresTransactionalStoreContractTest extends TransactionalStoreContract {

    @Override
    protected TransactionalWorld open() {
        return new PostgresWorld(PostgresServer.shared().newSchema());
    }
}
