package io.seriatim.eventlog;

/** A log and the numbers stored of it do not belong together. */
final class CorruptLogException extends Exception {

    private static final long serialVersionUID = 1;

    CorruptLogException(String message) {
        super(message);
    }
}
