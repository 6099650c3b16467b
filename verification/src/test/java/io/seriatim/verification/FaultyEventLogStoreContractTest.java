package io.seriatim.verification;

import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.store.EventLogStore;

/** Without faults a faulty store is a store. */
final class FaultyEventLogStoreContractTest extends EventLogStoreContract {

    @Override
    protected EventLogStore open() {
        return new FaultyEventLogStore(new MemoryEventLogStore(), FaultPlan.none());
    }
}
