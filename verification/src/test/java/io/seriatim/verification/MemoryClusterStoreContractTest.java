package io.seriatim.verification;

import io.seriatim.memory.MemoryClusterStore;
import io.seriatim.store.ClusterStore;

class MemoryClusterStoreContractTest extends ClusterStoreContract {

    private final ClusterStore store = new MemoryClusterStore(System::nanoTime);

    @Override
    protected ClusterStore store() {
        return store;
    }
}
