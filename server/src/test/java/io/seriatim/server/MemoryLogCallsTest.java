package io.seriatim.server;

import io.seriatim.Sequences;
import io.seriatim.eventlog.application.ApplicationSettings;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.memory.MemoryEventLogStore;

class MemoryLogCallsTest extends LogCallsContract {

    @Override
    OpenStore emptyStore() {
        return OpenStore.of(
                Sequences.on(new MemoryCounterStore()), new MemoryEventLogStore(), ApplicationSettings.usual());
    }
}
