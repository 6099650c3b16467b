package io.seriatim.eventlog;

final class SequencerCasesTest extends SequencerCases {

    @Override
    protected LogWorld world() {
        return LogWorld.inMemory();
    }
}
