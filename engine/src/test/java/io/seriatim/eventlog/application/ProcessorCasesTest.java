package io.seriatim.eventlog.application;

import io.seriatim.eventlog.LogWorld;

final class ProcessorCasesTest extends ProcessorCases {

    @Override
    protected LogWorld world() {
        return LogWorld.inMemory();
    }
}
