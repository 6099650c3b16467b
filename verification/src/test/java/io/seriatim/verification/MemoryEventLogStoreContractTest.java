package io.seriatim.verification;

import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.store.EventLogStore;

final class MemoryEventLogStoreContractTest extends EventLogStoreContract {

    @Override
    protected EventLogStore open() {
        return new MemoryEventLogStore();
    }
}
