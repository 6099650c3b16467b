package io.seriatim.rocksdb;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/** Runs file work of the JDK to its end: an interrupt closes the channel under it, so it is begun again. */
final class Uninterrupted {

    /** File work that may be done twice. */
    interface FileWork<T> {
        T run() throws IOException;
    }

    private Uninterrupted() {}

    static <T> T run(FileWork<T> work) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return work.run();
                } catch (ClosedByInterruptException e) {
                    interrupted = Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
