package io.seriatim.rocksdb;

import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;

/**
 * Whose files these are, and whether numbers may be served from them.
 *
 * @param storeId drawn when the store was created; stays through every restore
 * @param incarnation counts from 1 how often the store began anew as a copy of itself
 * @param incarnationId drawn with the incarnation: two copies of one backup are two stores. The store id in the first
 * @param copied while {@code state} is RESTORED: when the copy was made, if that is known; cut to seconds
 */
record StoreHeader(UUID storeId, long incarnation, UUID incarnationId, State state, Optional<Instant> copied) {

    /** Whether numbers may be served. */
    enum State {
        SERVING(0),
        /** Restored from a copy; nobody has said yet what was handed out since. */
        RESTORED(1),
        /** Everything went to another store, for good. */
        MOVED(2);

        private final int code;

        State(int code) {
            this.code = code;
        }

        /** In the header row. */
        int code() {
            return code;
        }

        static Optional<State> of(int code) {
            return Arrays.stream(values()).filter(state -> state.code == code).findFirst();
        }
    }

    /** Of a new store. */
    static StoreHeader first(UUID storeId) {
        return new StoreHeader(storeId, 1, storeId, State.SERVING, Optional.empty());
    }

    /** Of the same store, come back as a copy. */
    StoreHeader restored(UUID nextId, Optional<Instant> at) {
        return new StoreHeader(storeId, incarnation + 1, nextId, State.RESTORED, at);
    }

    StoreHeader in(State next) {
        return new StoreHeader(storeId, incarnation, incarnationId, next, Optional.empty());
    }
}
