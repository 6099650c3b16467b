package io.seriatim.server;

import io.seriatim.store.CounterStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Where each contract of the calls begins: an {@link Api} on a store with nothing in it, whatever store it is. */
abstract class CallsContract {

    @SuppressWarnings("NullAway.Init")
    Calls calls;

    /** A store with nothing in it. */
    abstract CounterStore emptyStore();

    @BeforeEach
    void open() {
        calls = new Calls(emptyStore());
    }

    @AfterEach
    void close() {
        calls.close();
    }
}
