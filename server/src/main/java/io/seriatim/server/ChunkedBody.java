package io.seriatim.server;

import io.undertow.connector.PooledByteBuffer;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import io.undertow.util.Headers;
import java.nio.ByteBuffer;

/** Looks whether a body in chunks is what RFC 9112, section 7.1, says, as far as it has come with its headers. */
final class ChunkedBody {

    /*
     * Undertow takes nearly anything for a chunk: a line without a size counts as the last one, and what stands behind it is
     * waited for until the body is late. It has no hook below that, but it keeps what it has read behind the headers, which is
     * all of most bodies. That is looked at here, before any of it is taken. What comes later is Undertow's alone: it closes
     * the connection, or waits.
     */

    private static final int MOST_DIGITS = 8;

    private final ByteBuffer bytes;

    private ChunkedBody(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /** Whether what has come of the body can be no body; before anything is read of it. */
    static boolean isMalformed(HttpServerExchange exchange) {
        String encoding = exchange.getRequestHeaders().getFirst(Headers.TRANSFER_ENCODING);
        if (encoding == null
                || !encoding.strip().equalsIgnoreCase("chunked")
                || !(exchange.getConnection() instanceof HttpServerConnection connection)) {
            return false;
        }
        PooledByteBuffer come = connection.getExtraBytes();
        return come != null && come.isOpen() && isMalformed(come.getBuffer());
    }

    /** Whether these bytes are the beginning of no body in chunks. Leaves them as they are. */
    static boolean isMalformed(ByteBuffer come) {
        return new ChunkedBody(come.duplicate()).isMalformed();
    }

    private boolean isMalformed() {
        while (bytes.hasRemaining()) {
            long size = 0;
            int digits = 0;
            int digit = digit();
            for (; digit >= 0; digit = digit()) {
                size = size * 16 + digit;
                digits++;
                if (digits > MOST_DIGITS) {
                    return true;
                }
            }
            if (!bytes.hasRemaining()) {
                return false;
            }
            takeExtension();
            if (digits == 0 || !isLineEnd()) {
                return true;
            }
            if (size == 0) {
                return isTrailerMalformed();
            }
            if (size >= bytes.remaining()) {
                return false;
            }
            bytes.position(bytes.position() + (int) size);
            if (!isLineEnd()) {
                return true;
            }
        }
        return false;
    }

    /** The next digit of a size, which is taken then; below 0 if there is none. */
    private int digit() {
        int digit = bytes.hasRemaining() ? Character.digit(bytes.get(bytes.position()), 16) : -1;
        if (digit >= 0) {
            bytes.get();
        }
        return digit;
    }

    /** Takes what may stand between a size and the end of its line. */
    private void takeExtension() {
        byte first = bytes.get(bytes.position());
        if (first == ';' || first == ' ' || first == '\t') {
            takeLine();
        }
    }

    private void takeLine() {
        while (bytes.hasRemaining() && bytes.get(bytes.position()) != '\r' && bytes.get(bytes.position()) != '\n') {
            bytes.get();
        }
    }

    /** Takes the end of a line, or what has come of it. */
    private boolean isLineEnd() {
        return (!bytes.hasRemaining() || bytes.get() == '\r') && (!bytes.hasRemaining() || bytes.get() == '\n');
    }

    /** Fields up to an empty line; what is behind that is the next request. */
    private boolean isTrailerMalformed() {
        while (bytes.hasRemaining()) {
            int begin = bytes.position();
            takeLine();
            boolean isEmpty = bytes.position() == begin;
            if (!isLineEnd()) {
                return true;
            }
            if (isEmpty) {
                return false;
            }
        }
        return false;
    }
}
