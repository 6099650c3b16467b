package io.seriatim.verification;

import io.seriatim.eventlog.LogWorld;
import io.seriatim.eventlog.SequencerCases;

final class SequencerCasesOnPostgresTest extends SequencerCases {

    @Override
    protected LogWorld world() {
        return new PostgresLogWorld();
    }
}
