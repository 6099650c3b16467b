package io.seriatim.eventlog;

import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.store.EventLogStore;

/** Where event logs are kept: in memory, in a folder, in a schema. Outlives the processes that open it. */
public interface LogWorld extends AutoCloseable {

    /** Opens the store as the next process does; the one before has ended, and what it had opened is closed. */
    EventLogStore open();

    /** Opens the store for a process beside that one; where there can be none, it is that one's. */
    EventLogStore openBeside();

    @Override
    void close();

    /** Memory that no process loses. */
    static LogWorld inMemory() {
        return new InMemory(new MemoryEventLogStore());
    }

    /** Memory that no process loses. */
    record InMemory(EventLogStore store) implements LogWorld {

        @Override
        public EventLogStore open() {
            return store;
        }

        @Override
        public EventLogStore openBeside() {
            return store;
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
