package io.seriatim.server;

import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.store.CounterStore;

class MemoryNumberCallsTest extends NumberCallsContract {

    @Override
    CounterStore emptyStore() {
        return new MemoryCounterStore();
    }
}
