package io.seriatim.server;

import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.store.CounterStore;

class MemorySequenceCallsTest extends SequenceCallsContract {

    @Override
    CounterStore emptyStore() {
        return new MemoryCounterStore();
    }
}
