package io.seriatim.verification;

import io.seriatim.eventlog.LogWorld;
import io.seriatim.eventlog.SequencerFaultCases;

final class SequencerFaultCasesOnPostgresTest extends SequencerFaultCases {

    @Override
    protected LogWorld world() {
        return new PostgresLogWorld();
    }

    /** Each of them waits for the disk. */
    @Override
    protected int writing(int all) {
        return all / 40;
    }

    @Override
    protected int reading(int all) {
        return all / 10;
    }
}
