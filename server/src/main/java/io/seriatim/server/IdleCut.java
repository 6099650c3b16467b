package io.seriatim.server;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.Map;
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
     * to HTTP/2. Only a follower of events and an operator's check of a log have reason to be silent for as long as a
     * connection may be idle; their calls tell that they are alive by the address of the caller, which is the one thing
     * that all protocols know of the connection below. Used on
     * the connection's I/O thread only, but a request's body may be read by another.
     */

    /** Looks within the time: a connection closed by others is held by its timer for no longer than one. */
    private static final int LOOKS = 10;

    private final StreamConnection connection;
    private final SocketAddress peer;
    private final Map<SocketAddress, IdleCut> open;
    private final long idleNanos;
    private volatile long lastReadNanos = System.nanoTime();

    private IdleCut(StreamConnection connection, Duration idle, Map<SocketAddress, IdleCut> open) {
        super(connection.getSourceChannel().getConduit());
        this.peer = connection.getPeerAddress();
        this.open = open;
        this.connection = connection;
        this.idleNanos = idle.toNanos();
    }

    /** Watches a connection from now on; as long as it is open, its cut stands at its caller's address. */
    static void watch(StreamConnection connection, Duration idle, Map<SocketAddress, IdleCut> open) {
        IdleCut cut = new IdleCut(connection, idle, open);
        connection.getSourceChannel().setConduit(cut);
        open.put(cut.peer, cut);
        cut.lookLater();
    }

    /** The caller is there, although nothing comes: it reads what it is sent. */
    void isAlive() {
        lastReadNanos = System.nanoTime();
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
            open.remove(peer, this);
        } else if (System.nanoTime() - lastReadNanos < idleNanos) {
            lookLater();
        } else {
            open.remove(peer, this);
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
