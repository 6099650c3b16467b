package io.seriatim.server;

import io.seriatim.Author;
import io.seriatim.ErrorCode;
import io.seriatim.RequestKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request without its transport: what HTTP and the command line have in common.
 *
 * @param method in capital letters
 * @param path as it is sent, percent-encoded
 * @param query as it is sent, without the question mark; empty if there is none
 * @param headers by name in small letters; only {@link #READ_HEADERS} matter, the last two to other nodes
 * @param body empty if there is none
 * @param caller who makes it
 */
record Call(String method, String path, String query, Map<String, String> headers, String body, Caller caller) {

    static final String ACCEPT = "accept";
    static final String IDEMPOTENCY_KEY = "idempotency-key";

    static final String LAST_EVENT_ID = "last-event-id";

    /** The headers that answers depend on. */
    static final List<String> READ_HEADERS =
            List.of(ACCEPT, IDEMPOTENCY_KEY, LAST_EVENT_ID, Forwarding.AUTHORIZATION, Forwarding.MARK);

    /** A call by somebody without a name, who may do everything. */
    Call(String method, String path, String query, Map<String, String> headers, String body) {
        this(method, path, query, headers, body, Caller.ANYONE);
    }

    /** Without what nobody may read, in a log above all: the caller's token is among the headers. */
    @Override
    public String toString() {
        return method + " " + path;
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    /** By which a repetition of it is known. */
    Optional<RequestKey> key() {
        return header(IDEMPOTENCY_KEY).map(key -> {
            try {
                return new RequestKey(caller.name(), key);
            } catch (IllegalArgumentException e) {
                throw new Refusal(Problem.badOption(
                        ErrorCode.BAD_REQUEST,
                        "Idempotency-Key",
                        "Idempotency-Key must be 1 to 200 visible ASCII characters, given once"));
            }
        });
    }

    /** Who makes it, with the reason that they give. */
    Author author(Optional<String> reason) {
        Author author = Author.of(caller.who());
        try {
            return reason.map(author::because).orElse(author);
        } catch (IllegalArgumentException e) {
            throw new Refusal(Problem.badOption(
                    ErrorCode.BAD_REQUEST,
                    "reason",
                    "reason must be 1 to 1,000 characters, not all of them blank and none a control character"));
        }
    }
}
