package io.seriatim.rocksdb;

/** Bytes that no version of this program can have written; the store that holds them stops. */
final class CorruptRowException extends Exception {

    private static final long serialVersionUID = 1;

    CorruptRowException(String reason) {
        super(reason);
    }

    CorruptRowException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
