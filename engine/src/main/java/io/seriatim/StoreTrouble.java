package io.seriatim;

import io.seriatim.store.StoreException;

/** Says a store's error in the words of the engine. */
final class StoreTrouble {

    private StoreTrouble() {}

    static StoreUnavailableException of(StoreException e) {
        return new StoreUnavailableException(ErrorCode.of(e.kind()), String.valueOf(e.getMessage()), e);
    }
}
