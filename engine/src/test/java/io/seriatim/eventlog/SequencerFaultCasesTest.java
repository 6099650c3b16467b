package io.seriatim.eventlog;

final class SequencerFaultCasesTest extends SequencerFaultCases {

    @Override
    protected LogWorld world() {
        return LogWorld.inMemory();
    }
}
