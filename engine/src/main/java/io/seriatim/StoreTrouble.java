package io.seriatim;

import io.seriatim.store.StoreException;

/** Says a store's error in the words of the engine. */
final class StoreTrouble {

    private StoreTrouble() {}

    static StoreUnavailableException of(StoreException e) {
        ErrorCode code = switch (e.kind()) {
            case BUSY -> ErrorCode.BUSY;
            case CONFLICT -> ErrorCode.RETRY_TRANSACTION;
            case UNAVAILABLE, IN_USE, FAILED, TAKEN_AWAY -> ErrorCode.STORE_UNAVAILABLE;
            case RESTORED -> ErrorCode.RESTORE_PENDING;
            case MOVED -> ErrorCode.MOVED_AWAY;
            case CORRUPT -> ErrorCode.STORE_CORRUPT;
        };
        return new StoreUnavailableException(code, String.valueOf(e.getMessage()), e);
    }
}
