package io.seriatim.verification;

import io.seriatim.eventlog.LogWorld;
import io.seriatim.eventlog.application.ProcessorCases;

final class ProcessorCasesOnPostgresTest extends ProcessorCases {

    @Override
    protected LogWorld world() {
        return new PostgresLogWorld();
    }
}
