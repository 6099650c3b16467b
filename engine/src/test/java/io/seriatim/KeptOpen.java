package io.seriatim;

import io.seriatim.store.CounterStore;

/** A second way into a store, whose close does not close the store. */
final class KeptOpen extends Forwarding {

    KeptOpen(CounterStore store) {
        super(store);
    }

    @Override
    public void close() {}
}
