package io.seriatim.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.channels.StreamSinkChannel;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.StreamSourceConduit;

/** Closes a connection on which nothing has come for a while. */
final class IdleCut extends AbstractStreamSourceConduit<StreamSourceConduit> {

    /*
     * Lies below the protocols, so it holds for all of them: Undertow's own limit ends where a connection turns
     * to HTTP/2. No answer takes as long as a connection may be idle, so it need not know of requests. Used on
     * the connection's I/O thread only, but a request's body may be read by another.
     */

    /** Looks within the time: a connection closed by others is held by its timer for no longer than one. */
    private static final int LOOKS = 10;

    private final StreamConnection connection;
    private final long idleNanos;
    private volatile long lastReadNanos = System.nanoTime();

    private IdleCut(StreamConnection connection, Duration idle) {
        super(connection.getSourceChannel().getConduit());
        this.connection = connection;
        this.idleNanos = idle.toNanos();
    }

    /** Watches a connection from now on. */
    static void watch(StreamConnection connection, Duration idle) {
        IdleCut cut = new IdleCut(connection, idle);
        connection.getSourceChannel().setConduit(cut);
        cut.lookLater();
    }

    private void lookLater() {
        try {
            connection.getIoThread().executeAfter(this::look, idleNanos / LOOKS, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            IoUtils.safeClose(connection); // the server is ending
        }
    }

    private void look() {
        if (!connection.isOpen()) {
            return;
        }
        if (System.nanoTime() - lastReadNanos < idleNanos) {
            lookLater();
        } else {
            IoUtils.safeClose(connection);
        }
    }

    private long seen(long bytes) {
        if (bytes > 0) {
            lastReadNanos = System.nanoTime();
        }
        return bytes;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return Math.toIntExact(seen(next.read(target)));
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        return seen(next.read(targets, offset, length));
    }

    @Override
    public long transferTo(long position, long count, FileChannel target) throws IOException {
        return seen(next.transferTo(position, count, target));
    }

    @Override
    public long transferTo(long count, ByteBuffer through, StreamSinkChannel target) throws IOException {
        return seen(next.transferTo(count, through, target));
    }
}
