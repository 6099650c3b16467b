package io.seriatim.server;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.DoubleConsumer;

/** Copies the store that is open, while it is in use. */
interface BackupMaker {

    /**
     * What a backup says of itself.
     *
     * @param store the id of the store
     * @param written how many writes the store had counted
     */
    record Made(String store, long incarnation, Instant taken, long written, int files, long bytes) {}

    /**
     * Makes one.
     *
     * @param target is not there yet
     * @param told the part that is done, 0 to 1
     * @throws io.seriatim.store.StoreException if the store cannot be read
     * @throws IOException if something is at the target, or it cannot be written
     */
    Made make(Path target, Instant now, DoubleConsumer told) throws IOException;
}
