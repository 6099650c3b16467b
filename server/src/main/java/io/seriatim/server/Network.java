package io.seriatim.server;

import io.undertow.UndertowOptions;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.server.HttpHandler;
import io.undertow.server.protocol.http.HttpOpenListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.ChannelListener;
import org.xnio.ChannelListeners;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.Xnio;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

/** The threads and the listening socket of a server. */
final class Network implements AutoCloseable {

    /*
     * Undertow's own builder would do all this, but it puts a handler for the Upgrade header before ours, which
     * waits for a request's body without a bound. HTTP/2 begins with its preface here, which is the one way
     * that RFC 9113 has left over without TLS; who asks for an upgrade is answered over HTTP/1.1, as RFC 9110
     * permits.
     */

    private static final Logger LOG = LoggerFactory.getLogger(Network.class);

    private static final int BUFFER_BYTES = 16 * 1024;
    private static final int BACKLOG = 1_000;
    /** Who is somewhat beyond a limit is told so by the server, with a problem; Undertow has one answer for all. */
    private static final int SLACK = 2;

    private static final int MAX_PARAMETERS = 1_000;
    /** Requests under way on one HTTP/2 connection. */
    private static final int MAX_STREAMS = 100;

    private static final Duration END = Duration.ofSeconds(1);

    private final XnioWorker worker;
    private final DefaultByteBufferPool buffers = new DefaultByteBufferPool(true, BUFFER_BYTES);
    private final AcceptingChannel<StreamConnection> socket;
    private final Optional<Secure> secure;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Of the connections that are open, by the caller's address. */
    private final Map<SocketAddress, IdleCut> cuts = new ConcurrentHashMap<>();

    private Network(
            XnioWorker worker,
            InetSocketAddress address,
            HttpHandler handler,
            Limits limits,
            Optional<Supplier<SSLContext>> tls)
            throws IOException {
        this.worker = worker;
        HttpOpenListener http = new HttpOpenListener(buffers, httpOptions(limits));
        http.setRootHandler(handler);
        ChannelListener<StreamConnection> plain = connection -> {
            MalformedRequests.watch(connection);
            http.handleEvent(connection);
        };
        this.secure = tls.map(context -> new Secure(context, http, buffers, httpOptions(limits), limits.header()));
        ChannelListener<StreamConnection> served = secure.isPresent() ? secure.get() : plain;
        ChannelListener<StreamConnection> opened = connection -> {
            IdleCut.watch(connection, limits.idle(), cuts);
            served.handleEvent(connection);
        };
        this.socket = worker.createStreamConnectionServer(
                address, acceptable -> accept(acceptable, opened), socketOptions(limits));
        socket.resumeAccepts();
    }

    /**
     * Listens for HTTP; accepts connections on return.
     *
     * @param handler called on a thread that must not wait
     * @param tls for new connections; empty: plain text
     */
    static Network listen(
            InetSocketAddress address, HttpHandler handler, Limits limits, Optional<Supplier<SSLContext>> tls)
            throws IOException {
        XnioWorker worker = Xnio.getInstance(Network.class.getClassLoader()).createWorker(workerOptions(limits));
        try {
            return new Network(worker, address, handler, limits, tls);
        } catch (IOException | RuntimeException e) {
            worker.shutdownNow();
            throw e;
        }
    }

    /** XNIO's own listener tells of a socket that was closed meanwhile with a stack trace: every clean stop had one. */
    private static void accept(
            AcceptingChannel<StreamConnection> socket, ChannelListener<? super StreamConnection> opened) {
        try {
            StreamConnection connection = socket.accept();
            if (connection != null) {
                ChannelListeners.invokeChannelListener(connection, opened);
            }
        } catch (ClosedChannelException e) {
            LOG.debug("stopped listening while a connection came", e);
        } catch (IOException e) {
            LOG.warn("a connection could not be accepted: {}", Causes.of(e));
        }
    }

    private static OptionMap workerOptions(Limits limits) {
        return OptionMap.builder()
                .set(Options.WORKER_NAME, "seriatim-http")
                .set(Options.WORKER_IO_THREADS, Math.max(2, Runtime.getRuntime().availableProcessors()))
                .set(Options.WORKER_TASK_CORE_THREADS, limits.workers())
                .set(Options.WORKER_TASK_MAX_THREADS, limits.workers())
                .set(Options.TCP_NODELAY, true)
                .getMap();
    }

    private static OptionMap socketOptions(Limits limits) {
        return OptionMap.builder()
                .set(Options.TCP_NODELAY, true)
                .set(Options.REUSE_ADDRESSES, true)
                .set(Options.BACKLOG, BACKLOG)
                .set(Options.CONNECTION_HIGH_WATER, limits.connections())
                .set(Options.CONNECTION_LOW_WATER, limits.connections())
                .getMap();
    }

    private static OptionMap httpOptions(Limits limits) {
        return OptionMap.builder()
                .set(UndertowOptions.ENABLE_HTTP2, true)
                .set(UndertowOptions.BUFFER_PIPELINED_DATA, true)
                .set(UndertowOptions.DECODE_URL, false)
                .set(UndertowOptions.MAX_HEADER_SIZE, SLACK * Limits.HEADER_BYTES)
                .set(UndertowOptions.MAX_HEADERS, SLACK * Limits.HEADERS)
                .set(UndertowOptions.MAX_PARAMETERS, MAX_PARAMETERS)
                .set(UndertowOptions.HTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, MAX_STREAMS)
                .set(UndertowOptions.REQUEST_PARSE_TIMEOUT, millis(limits.header()))
                .getMap();
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }

    /** The connection of a caller is not idle, although nothing comes on it. */
    void isAlive(SocketAddress caller) {
        IdleCut cut = cuts.get(caller);
        if (cut != null) {
            cut.isAlive();
        }
    }

    InetSocketAddress address() {
        return socket.getLocalAddress(InetSocketAddress.class);
    }

    /** Stops listening, cuts off every connection and ends the threads. May be called twice. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return; // a second close of the socket would wait for a thread that has ended
        }
        IoUtils.safeClose(socket);
        secure.ifPresent(Secure::close);
        worker.shutdownNow();
        try {
            if (!worker.awaitTermination(END.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("threads of the server still wait for the store; they are left to themselves");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        buffers.close();
    }
}
