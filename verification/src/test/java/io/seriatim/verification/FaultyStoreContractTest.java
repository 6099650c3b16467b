package io.seriatim.verification;

import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.store.CounterStore;

/** Without faults a faulty store is a store. */
final class FaultyStoreContractTest extends CounterStoreContract {

    @Override
    protected CounterStore open() {
        return new FaultyStore(new MemoryCounterStore(), FaultPlan.none());
    }
}
