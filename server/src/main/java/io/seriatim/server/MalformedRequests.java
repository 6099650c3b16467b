package io.seriatim.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.StreamConnection;
import org.xnio.conduits.AbstractStreamSinkConduit;
import org.xnio.conduits.StreamSinkConduit;
import org.xnio.conduits.StreamSourceConduit;

/** Gives the answer to a request that Undertow refuses before any handler sees it the body that our errors have. */
final class MalformedRequests extends AbstractStreamSinkConduit<StreamSinkConduit> {

    /*
     * What Undertow cannot parse, and a request without a good Host, it answers with a 400 of its own that no
     * handler sees and no option changes, and closes the connection. Such an answer is the end of what is written
     * then, and none of ours looks like it: our 400 have a length, and in JSON a line break is escaped. So it can
     * be told here, below the protocols, and another be written in its place.
     *
     * To close a connection with something unread resets it, and the caller might never see the answer. So the
     * text in place is taken for written only when the caller has closed, or LINGER is over; until then what
     * comes is read and dropped. Used on the connection's I/O thread only.
     */

    private static final Logger LOG = LoggerFactory.getLogger(MalformedRequests.class);

    private static final String STATUS = "HTTP/1.1 400 ";
    private static final String NO_BODY = "\r\nContent-Length: 0\r\n";
    private static final String END = "\r\n\r\n";
    /** No head of Undertow's is as long. */
    private static final int LONGEST_BYTES = 512;

    private static final byte[] PROBLEM = problem();

    private static final Duration LINGER = Duration.ofMillis(250);
    private static final int DROPPED_BYTES = 1 << 20;

    private final StreamConnection connection;
    private final StreamSourceConduit source;
    private final ByteBuffer problem = ByteBuffer.wrap(PROBLEM);
    private int droppedBytes;
    private boolean lingering;
    private boolean over;

    private MalformedRequests(StreamConnection connection) {
        super(connection.getSinkChannel().getConduit());
        this.connection = connection;
        this.source = connection.getSourceChannel().getConduit();
    }

    /** Watches what is written to a connection from now on. */
    static void watch(StreamConnection connection) {
        connection.getSinkChannel().setConduit(new MalformedRequests(connection));
    }

    private static byte[] problem() {
        Reply reply = Problem.badRequest("the request is not HTTP that this server can read: its first line, a header"
                        + " such as Host, or its length is malformed, or there is too much of them")
                .reply();
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        byte[] head = (STATUS + "Bad Request\r\nContent-Type: " + reply.contentType() + "\r\nContent-Length: "
                        + body.length + "\r\nConnection: close" + END)
                .getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(head.length + body.length)
                .put(head)
                .put(body)
                .array();
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
        int before = beforeBare(bytes);
        if (before < 0) {
            return next.write(bytes);
        }
        if (before == 0) {
            return writeProblem(bytes);
        }
        int limit = bytes.limit();
        bytes.limit(bytes.position() + before);
        try {
            return next.write(bytes);
        } finally {
            bytes.limit(limit);
        }
    }

    @Override
    public long write(ByteBuffer[] buffers, int offset, int length) throws IOException {
        if (length == 0 || beforeBare(buffers[offset + length - 1]) < 0) {
            return next.write(buffers, offset, length);
        }
        long written = 0;
        for (int i = offset; i < offset + length; i++) {
            written += write(buffers[i]);
            if (buffers[i].hasRemaining()) {
                break;
            }
        }
        return written;
    }

    /** How many bytes stand before an answer of Undertow's own; below 0 if there is none. */
    private static int beforeBare(ByteBuffer bytes) {
        int limit = bytes.limit();
        if (bytes.remaining() < STATUS.length() || bytes.get(limit - 1) != '\n' || bytes.get(limit - 3) != '\n') {
            return -1; // nearly always
        }
        byte[] end = new byte[Math.min(bytes.remaining(), LONGEST_BYTES)];
        bytes.get(limit - end.length, end);
        String text = new String(end, StandardCharsets.ISO_8859_1);
        int status = text.lastIndexOf(STATUS);
        boolean isBare = status >= 0
                && text.indexOf(END, status) == text.length() - END.length()
                && text.indexOf(NO_BODY, status) >= 0;
        return isBare ? bytes.remaining() - (text.length() - status) : -1;
    }

    /** Takes the answer for written once the other one is, and the caller has had its time to read it. */
    private int writeProblem(ByteBuffer bare) throws IOException {
        while (problem.hasRemaining()) {
            if (next.write(problem) == 0) {
                return 0;
            }
        }
        if (!lingering) {
            lingering = true;
            linger();
        }
        if (!over) {
            return 0;
        }
        int taken = bare.remaining();
        bare.position(bare.limit());
        return taken;
    }

    private void linger() {
        drop();
        if (over) {
            return;
        }
        connection.getSourceChannel().setReadListener(channel -> {
            drop();
            if (over) {
                next.wakeupWrites();
            }
        });
        connection.getSourceChannel().resumeReads();
        try {
            connection.getIoThread().executeAfter(this::end, LINGER.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("the server is ending", e);
            over = true;
        }
    }

    private void end() {
        over = true;
        if (connection.isOpen()) {
            next.wakeupWrites();
        }
    }

    /** Drops what has come; it is over when nothing more can come, or too much has. */
    private void drop() {
        ByteBuffer dropped = ByteBuffer.allocate(16 * 1024);
        try {
            int read = source.read(dropped);
            while (read > 0 && droppedBytes < DROPPED_BYTES) {
                droppedBytes += read;
                read = source.read(dropped.clear());
            }
            over |= read != 0;
        } catch (IOException e) {
            LOG.debug("the caller is gone", e);
            over = true;
        }
    }

    /** While it lingers, the connection can be written to all the time, and there is nothing to write. */
    @Override
    public void resumeWrites() {
        if (!lingering || over) {
            next.resumeWrites();
        }
    }
}
