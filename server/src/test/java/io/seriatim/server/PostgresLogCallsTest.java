package io.seriatim.server;

class PostgresLogCallsTest extends LogCallsContract {

    @Override
    OpenStore emptyStore() {
        return SharedPostgres.newStore().open();
    }
}
