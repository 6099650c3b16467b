package io.seriatim.server;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * An answer without its transport.
 *
 * @param route which kind of call it answers; {@link Route#OTHER} until that is known
 * @param contentType empty if there is no body
 * @param code of a problem; empty of a success
 * @param headers all others, by name
 * @param body whole, or what is there of it yet
 * @param feed what comes behind the body, as it happens; empty of nearly all
 */
record Reply(
        Route route,
        int status,
        String contentType,
        String code,
        Map<String, String> headers,
        String body,
        Optional<EventFeed> feed) {

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
        return new Reply(Route.OTHER, status, contentType, "", headers, body, Optional.empty());
    }

    /** Events as they happen; those that are there already in its body. */
    static Reply following(EventFeed feed) {
        String first = new String(feed.first(), StandardCharsets.UTF_8);
        Map<String, String> headers = Map.of("Cache-Control", "no-store");
        return new Reply(Route.OTHER, 200, EventFeed.CONTENT_TYPE, "", headers, first, Optional.of(feed));
    }

    static Reply problem(int status, String code, Map<String, String> headers, String body) {
        return new Reply(Route.OTHER, status, Problem.CONTENT_TYPE, code, headers, body, Optional.empty());
    }

    Reply on(Route route) {
        return new Reply(route, status, contentType, code, headers, body, feed);
    }

    boolean isSuccess() {
        return status < 300;
    }
}
