package io.seriatim.verification;

import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.store.CounterStore;

final class MemoryCounterStoreContractTest extends CounterStoreContract {

    @Override
    protected CounterStore open() {
        return new MemoryCounterStore();
    }
}
