package io.seriatim.server;

import java.util.Map;

/**
 * An answer without its transport.
 *
 * @param contentType empty if there is no body
 * @param headers all others, by name
 */
record Reply(int status, String contentType, Map<String, String> headers, String body) {

    static final String JSON = "application/json";
    static final String TEXT = "text/plain; charset=utf-8";

    static Reply json(int status, String body) {
        return new Reply(status, JSON, Map.of(), body);
    }

    static Reply text(String body) {
        return new Reply(200, TEXT, Map.of(), body);
    }

    static Reply noContent(Map<String, String> headers) {
        return new Reply(204, "", headers, "");
    }

    boolean isSuccess() {
        return status < 300;
    }
}
