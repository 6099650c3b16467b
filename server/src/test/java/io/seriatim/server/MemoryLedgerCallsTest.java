package io.seriatim.server;

import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.store.CounterStore;

class MemoryLedgerCallsTest extends LedgerCallsContract {

    @Override
    CounterStore emptyStore() {
        return new MemoryCounterStore();
    }
}
