package io.seriatim.server;

import java.time.Duration;

/**
 * The bounds of {@link HttpServer}; docs/http.md says what a caller sees of them.
 *
 * @param header how long a request's headers may take from their first byte
 * @param body how long a request's body may take from the end of its headers
 * @param idle how long nothing may come on a connection; longer than any answer takes
 * @param workers threads that wait for the store
 * @param waiting calls that wait for such a thread; one more is answered with BUSY
 * @param patience how long a call waits for such a thread; then it is answered with BUSY too
 * @param connections open connections; further ones wait in the system's queue
 * @param followers callers that follow events; one more is answered with TOO_MANY
 */
record Limits(
        Duration header,
        Duration body,
        Duration idle,
        int workers,
        int waiting,
        Duration patience,
        int connections,
        int followers) {

    /** Of the request line, and of all headers together. */
    static final int HEADER_BYTES = 16 * 1024;

    /** How long a command waits for its answer; a partition answers earlier, unless the storage hangs. */
    static final Duration LATEST = Duration.ofSeconds(10);

    static final int HEADERS = 100;
    static final int BODY_BYTES = 64 * 1024;

    /** A call waits for one sync of the disk; more threads than that shares only wait together. */
    private static final int WORKERS = 32;

    /** Each may hold a body that is still coming; together they are a quarter of a gigabyte at worst. */
    private static final int CONNECTIONS = 4_000;

    /** Each may hold a page of events that its caller has not read. */
    private static final int FOLLOWERS = 128;

    /** The same with as many followers as there usually may be. */
    Limits(
            Duration header,
            Duration body,
            Duration idle,
            int workers,
            int waiting,
            Duration patience,
            int connections) {
        this(header, body, idle, workers, waiting, patience, connections, FOLLOWERS);
    }

    /** The same with so many followers. */
    Limits withFollowers(int most) {
        return new Limits(header, body, idle, workers, waiting, patience, connections, most);
    }

    static Limits standard() {
        return new Limits(
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                WORKERS,
                1_000,
                Duration.ofSeconds(5),
                CONNECTIONS,
                FOLLOWERS);
    }
}
