package io.seriatim.server;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.HeaderMap;
import io.undertow.util.HeaderValues;
import java.util.Optional;

/** The size of what stands before a request's body, in both versions of HTTP. */
final class RequestHead {

    /** The colon, the space and the line break of a header. */
    private static final int LINE = 4;

    private RequestHead() {}

    /** What is wrong with a request whose first line or headers are beyond {@link Limits}. */
    static Optional<Problem> tooLong(HttpServerExchange exchange) {
        int line = exchange.getRequestURI().length() + exchange.getQueryString().length();
        if (line > Limits.HEADER_BYTES) {
            return Optional.of(
                    Problem.badHttp(414, "path and query must be at most " + Limits.HEADER_BYTES + " bytes"));
        }
        HeaderMap headers = exchange.getRequestHeaders();
        int count = 0;
        int bytes = 0;
        for (long at = headers.fastIterateNonEmpty(); at != -1; at = headers.fiNextNonEmpty(at)) {
            HeaderValues values = headers.fiCurrent(at);
            count += values.size();
            for (int i = 0; i < values.size(); i++) {
                bytes += values.getHeaderName().length() + values.get(i).length() + LINE;
            }
        }
        if (count > Limits.HEADERS) {
            return Optional.of(Problem.badHttp(431, "there must be at most " + Limits.HEADERS + " headers"));
        }
        if (bytes > Limits.HEADER_BYTES) {
            return Optional.of(
                    Problem.badHttp(431, "the headers must be at most " + Limits.HEADER_BYTES + " bytes together"));
        }
        return Optional.empty();
    }
}
