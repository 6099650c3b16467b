package io.seriatim.transaction;

import io.seriatim.store.StoreException;
import java.util.function.Supplier;

/** Calls of the store, whose errors are said in the words of the engine. */
final class StoreCalls {

    private StoreCalls() {}

    static <T> T of(Supplier<T> call) {
        try {
            return call.get();
        } catch (StoreException e) {
            throw new TransactionException(e);
        }
    }
}
