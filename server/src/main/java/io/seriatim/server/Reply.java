package io.seriatim.server;

import java.util.Map;

/**
 * An answer without its transport.
 *
 * @param route which kind of call it answers; {@link Route#OTHER} until that is known
 * @param contentType empty if there is no body
 * @param code of a problem; empty of a success
 * @param headers all others, by name
 */
record Reply(Route route, int status, String contentType, String code, Map<String, String> headers, String body) {

    static final String JSON = "application/json";
    static final String TEXT = "text/plain; charset=utf-8";
    static final String CSV = "text/csv; charset=utf-8";

    static Reply json(int status, String body) {
        return success(status, JSON, Map.of(), body);
    }

    static Reply text(String body) {
        return success(200, TEXT, Map.of(), body);
    }

    static Reply noContent(Map<String, String> headers) {
        return success(204, "", headers, "");
    }

    static Reply success(int status, String contentType, Map<String, String> headers, String body) {
        return new Reply(Route.OTHER, status, contentType, "", headers, body);
    }

    static Reply problem(int status, String code, Map<String, String> headers, String body) {
        return new Reply(Route.OTHER, status, Problem.CONTENT_TYPE, code, headers, body);
    }

    Reply on(Route route) {
        return new Reply(route, status, contentType, code, headers, body);
    }

    boolean isSuccess() {
        return status < 300;
    }
}
