package io.seriatim.server;

import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.store.CounterStore;

class MemoryDefinitionCallsTest extends DefinitionCallsContract {

    @Override
    CounterStore emptyStore() {
        return new MemoryCounterStore();
    }
}
