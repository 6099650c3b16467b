package io.seriatim.server;

import io.undertow.protocols.ssl.UndertowXnioSsl;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.server.protocol.http.AlpnOpenListener;
import io.undertow.server.protocol.http.HttpOpenListener;
import io.undertow.server.protocol.http2.Http2OpenListener;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.xnio.ChannelListener;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Sequence;
import org.xnio.StreamConnection;
import org.xnio.Xnio;
import org.xnio.ssl.SslConnection;

/** Speaks TLS on new connections, and over it HTTP/1.1 or HTTP/2 as ALPN finds out. */
final class Secure implements ChannelListener<StreamConnection>, AutoCloseable {

    /*
     * The costly steps of a handshake have threads of their own: those that wait for the store may all be taken.
     * Their queue is bounded by the number of connections. Who does not finish a handshake in time is cut off, as
     * with headers; IdleCut alone would let a caller hold a place for as long as a byte comes now and then.
     */

    private static final OptionMap TLS =
            OptionMap.create(Options.SSL_ENABLED_PROTOCOLS, Sequence.of("TLSv1.3", "TLSv1.2"));

    private final Supplier<SSLContext> context;
    private final Duration handshake;
    private final AlpnOpenListener alpn;
    private final ExecutorService threads;
    private final UndertowXnioSsl ssl;

    Secure(
            Supplier<SSLContext> context,
            HttpOpenListener http,
            DefaultByteBufferPool buffers,
            OptionMap options,
            Duration handshake) {
        this.context = context;
        this.handshake = handshake;
        this.alpn = new AlpnOpenListener(buffers, options, http);
        Http2OpenListener http2 = new Http2OpenListener(buffers, options);
        http2.setRootHandler(http.getRootHandler());
        alpn.addProtocol(Http2OpenListener.HTTP2, http2, 1);
        AtomicInteger number = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(
                Math.max(2, Runtime.getRuntime().availableProcessors()),
                task -> new Thread(task, "seriatim-tls-" + number.incrementAndGet()));
        this.ssl = new UndertowXnioSsl(
                Xnio.getInstance(Secure.class.getClassLoader()), TLS, buffers, context.get(), threads);
    }

    @Override
    public void handleEvent(StreamConnection connection) {
        SSLContext now = context.get();
        if (ssl.getSslContext() != now) {
            ssl.updateSSLContext(now);
        }
        SslConnection secured = ssl.wrapExistingConnection(connection, TLS, false);
        AtomicBoolean done = new AtomicBoolean();
        secured.getHandshakeSetter().set(shaken -> done.set(true));
        try {
            connection
                    .getIoThread()
                    .executeAfter(() -> cutUnless(done, secured), handshake.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            IoUtils.safeClose(connection); // the server is ending
            return;
        }
        MalformedRequests.watch(secured);
        alpn.handleEvent(secured);
    }

    private static void cutUnless(AtomicBoolean done, SslConnection connection) {
        if (!done.get()) {
            IoUtils.safeClose(connection);
        }
    }

    /** Ends the threads. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
