package io.seriatim.server;

import io.seriatim.Sequences;
import io.seriatim.eventlog.application.Applications;
import io.undertow.io.IoCallback;
import io.undertow.io.Receiver;
import io.undertow.io.Sender;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.HttpContinueReadHandler;
import io.undertow.server.protocol.http.HttpContinue;
import io.undertow.util.AttachmentKey;
import io.undertow.util.HeaderMap;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.SameThreadExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.IoUtils;
import org.xnio.XnioExecutor;

/**
 * Serves the sequences and event logs of one store over HTTP/1.1 and HTTP/2.
 *
 * <p>Does not close the {@link Sequences} and {@link Applications} it was given. Safe for use by many threads.
 */
public final class HttpServer implements AutoCloseable {

    /*
     * Two kinds of threads. An I/O thread reads a request and answers it at once if that takes no waiting,
     * which is the way of nearly every number. Whatever may wait for the store goes to a worker. Places
     * for that are counted before a call is handed over, so the workers' queue cannot grow: who finds none is
     * answered with BUSY by the I/O thread.
     *
     * A request is in flight from its headers to the last byte of its answer. Stopping first refuses new ones,
     * then waits for those; a request counts itself before it looks whether the server is stopping, so none is
     * overlooked.
     */

    /** How long {@link #close} waits for requests in flight: as long as one may wait for the store, nearly. */
    static final Duration DRAIN = Duration.ofSeconds(4);

    /** So often a caller who is silent for good reason is said to be alive, in the time that a connection may be idle. */
    private static final int LOOKS = 4;

    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final String LIVE = "/health/live";
    /** With a blank, so that two keys are never taken for one that has a comma in it. */
    private static final String BETWEEN_HEADERS = ", ";

    private static final List<HttpString> READ_HEADERS =
            Call.READ_HEADERS.stream().map(HttpString::new).toList();

    private static final AttachmentKey<Long> SINCE_NANOS = AttachmentKey.create(Long.class);

    private final Api api;
    private final Limits limits;
    private final Guard guard;
    private final WebPages webPages;
    private final Semaphore places;
    private final Metrics metrics;
    private final Followers followers;
    private final Network network;

    private final Object lock = new Object();
    /** Guarded by the lock. */
    private long inFlight;

    private volatile boolean stopping;

    private HttpServer(Api api, InetSocketAddress address, Limits limits, Guard guard) throws IOException {
        this.api = api;
        this.limits = limits;
        this.guard = guard;
        this.webPages = new WebPages(scheme(), guard.tokens().isPresent());
        this.places = new Semaphore(limits.workers() + limits.waiting());
        this.metrics = api.count(this::inFlight);
        this.followers = new Followers(limits.followers(), limits.idle().dividedBy(LOOKS), this::isAlive);
        metrics.countFollowers(followers::count);
        this.network = Network.listen(address, new HttpContinueReadHandler(this::handle), limits, guard.tls());
    }

    /**
     * Starts serving whoever reaches the address and calls this machine {@code localhost} or by a loopback address;
     * accepts connections on return.
     *
     * @param address where to listen; port 0 for any free one
     * @throws IOException if the address cannot be listened on
     */
    public static HttpServer start(Sequences sequences, InetSocketAddress address) throws IOException {
        return start(new Api(sequences, NewSequence.usual()), address, Limits.standard());
    }

    /**
     * The same, with event logs.
     *
     * @throws IOException if the address cannot be listened on
     */
    public static HttpServer start(Sequences sequences, Applications applications, InetSocketAddress address)
            throws IOException {
        Api api = new Api(OpenStore.of(sequences, applications), NewSequence.usual());
        return start(api, address, Limits.standard());
    }

    static HttpServer start(Api api, InetSocketAddress address, Limits limits) throws IOException {
        return start(api, address, limits, Guard.NONE);
    }

    static HttpServer start(Api api, InetSocketAddress address, Limits limits, Guard guard) throws IOException {
        return new HttpServer(api, address, limits, guard);
    }

    /** Where this server listens: {@code http://127.0.0.1:7450}. */
    public URI uri() {
        return url(scheme(), network.address());
    }

    static URI url(String scheme, InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return URI.create(scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort());
    }

    private String scheme() {
        return guard.tls().isPresent() ? "https" : "http";
    }

    /**
     * Refuses new requests, answers those in flight, and stops listening. What is not answered within some
     * seconds is cut off. May be called twice.
     */
    @Override
    public void close() {
        stopping = true;
        followers.close();
        awaitNoneInFlight(System.nanoTime() + DRAIN.toNanos());
        network.close();
        metrics.close();
    }

    private void awaitNoneInFlight(long deadlineNanos) {
        synchronized (lock) {
            try {
                while (inFlight > 0) {
                    long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
                    if (leftMillis <= 0) {
                        LOG.warn("{} requests were not answered in time and are cut off", inFlight);
                        return;
                    }
                    lock.wait(leftMillis);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private long inFlight() {
        synchronized (lock) {
            return inFlight;
        }
    }

    // ---- one request

    /** Counts a request in flight once in and once out, however it ends. */
    private final class Flight {
        private final AtomicBoolean over = new AtomicBoolean();

        Flight() {
            synchronized (lock) {
                inFlight++;
            }
        }

        void end() {
            if (over.compareAndSet(false, true)) {
                synchronized (lock) {
                    inFlight--;
                    if (inFlight == 0) {
                        lock.notifyAll();
                    }
                }
            }
        }
    }

    private void handle(HttpServerExchange exchange) {
        exchange.putAttachment(SINCE_NANOS, System.nanoTime());
        Flight flight = new Flight();
        exchange.addExchangeCompleteListener((ended, next) -> {
            flight.end();
            next.proceed();
        });
        Optional<Problem> refused =
                RequestHead.tooLong(exchange).or(() -> webPages.refuse(exchange.getRequestHeaders()));
        Optional<Caller> caller = caller(exchange);
        if (refused.isPresent()) {
            refuse(exchange, refused.get().reply());
        } else if (caller.isEmpty()) {
            refuse(exchange, Problem.unauthorized().reply(Map.of("WWW-Authenticate", "Bearer realm=\"seriatim\"")));
        } else if (exchange.isRequestComplete()) {
            answer(exchange, "", caller.get());
        } else if (ChunkedBody.isMalformed(exchange)) {
            cut(exchange, flight, Problem.badRequest("the body is not in chunks as Transfer-Encoding says"));
            return;
        } else if (exchange.getRequestContentLength() > Limits.BODY_BYTES) {
            refuseTooLarge(exchange);
        } else {
            receive(exchange, caller.get());
        }
        if (!exchange.isRequestComplete() && exchange.getConnection().isOpen()) {
            cutLater(exchange, flight);
        }
    }

    /** Bodies that came with their headers, nearly all, need no timer. */
    private void cutLater(HttpServerExchange exchange, Flight flight) {
        XnioExecutor.Key cut = exchange.getIoThread()
                .executeAfter(
                        () -> cut(exchange, flight, Problem.badHttp(408, "the body did not come in time")),
                        limits.body().toMillis(),
                        TimeUnit.MILLISECONDS);
        exchange.addExchangeCompleteListener((ended, next) -> {
            cut.remove();
            next.proceed();
        });
    }

    /** Who calls; empty if a token is required and none is known. */
    private Optional<Caller> caller(HttpServerExchange exchange) {
        if (guard.tokens().isEmpty()) {
            return Optional.of(Caller.ANYONE);
        }
        if (Access.isOpen(path(exchange))) {
            return Optional.of(Caller.UNKNOWN);
        }
        HeaderValues given = exchange.getRequestHeaders().get(Headers.AUTHORIZATION);
        return given == null || given.size() > 1
                ? Optional.empty()
                : guard.tokens().get().get().find(given.getFirst());
    }

    private void receive(HttpServerExchange exchange, Caller caller) {
        Receiver receiver = exchange.getRequestReceiver();
        receiver.setMaxBufferSize(Limits.BODY_BYTES);
        receiver.receiveFullBytes((read, body) -> decodeAndAnswer(read, body, caller), (failed, e) -> {
            if (e instanceof Receiver.RequestToLargeException) {
                refuseTooLarge(failed);
            } else { // the caller is gone, or chunks are malformed: Undertow has closed the connection
                LOG.debug("a request's body could not be read", e);
                IoUtils.safeClose(failed.getConnection());
                failed.endExchange();
            }
        });
    }

    /**
     * Answers before the rest of the body has come. The rest is read and dropped, for as long as a body may take:
     * closing at once would reset the connection, and the caller would not see the answer. Who has not begun to
     * send it, and asks first, needs not begin.
     */
    private void refuse(HttpServerExchange exchange, Reply reply) {
        exchange.setPersistent(!HttpContinue.requiresContinueResponse(exchange));
        send(exchange, reply);
    }

    private void refuseTooLarge(HttpServerExchange exchange) {
        refuse(
                exchange,
                Problem.badHttp(413, "the body must be at most " + Limits.BODY_BYTES + " bytes")
                        .reply());
    }

    /** Ends a request whose body does not come, and its connection: what comes later could not be told apart. */
    private void cut(HttpServerExchange exchange, Flight flight, Problem problem) {
        if (exchange.isRequestComplete()) {
            return;
        }
        IoCallback close = new ThenClose(flight);
        if (exchange.isResponseStarted()) {
            close.onComplete(exchange, exchange.getResponseSender());
            return;
        }
        exchange.setPersistent(false);
        ByteBuffer body = begin(exchange, problem.reply());
        exchange.setResponseContentLength(body.remaining());
        exchange.getResponseSender().send(body, new IoCallback() {
            @Override
            public void onComplete(HttpServerExchange sent, Sender sender) {
                sender.close(close);
            }

            @Override
            public void onException(HttpServerExchange failed, Sender sender, IOException e) {
                close.onException(failed, sender, e);
            }
        });
    }

    /** Closes a connection, and takes its request for ended. */
    private record ThenClose(Flight flight) implements IoCallback {
        @Override
        public void onComplete(HttpServerExchange exchange, Sender sender) {
            IoUtils.safeClose(exchange.getConnection());
            flight.end();
        }

        @Override
        public void onException(HttpServerExchange exchange, Sender sender, IOException e) {
            LOG.debug("the caller is gone", e);
            onComplete(exchange, sender);
        }
    }

    private void decodeAndAnswer(HttpServerExchange exchange, byte[] body, Caller caller) {
        Optional<String> text = Utf8.decode(body);
        if (text.isPresent()) {
            answer(exchange, text.get(), caller);
        } else {
            send(exchange, Problem.badRequest("the body is not UTF-8").reply());
        }
    }

    private void answer(HttpServerExchange exchange, String body, Caller caller) {
        if (stopping && !exchange.getRequestPath().equals(LIVE)) {
            exchange.setPersistent(false);
            send(exchange, Problem.busy("the server is stopping").reply());
            return;
        }
        Call call = call(exchange, body, caller);
        Optional<Reply> now = api.tryAnswer(call);
        if (now.isPresent()) {
            send(exchange, now.get());
        } else if (places.tryAcquire()) {
            if (api.comesLater(call)) {
                exchange.dispatch(SameThreadExecutor.INSTANCE, () -> new Later(exchange, call).start());
                return;
            }
            long since = System.nanoTime();
            exchange.dispatch(() -> answerLater(exchange, call, since));
        } else {
            send(exchange, tooManyWait().on(api.route(call)));
        }
    }

    private void answerLater(HttpServerExchange exchange, Call call, long sinceNanos) {
        Reply reply;
        SocketAddress caller = exchange.getConnection().getPeerAddress();
        XnioExecutor.Key alive = exchange.getIoThread()
                .executeAtInterval(() -> isAlive(caller), limits.idle().toMillis() / LOOKS, TimeUnit.MILLISECONDS);
        try {
            boolean inTime = System.nanoTime() - sinceNanos < limits.patience().toNanos();
            reply = inTime ? api.answer(call) : tooManyWait().on(api.route(call));
        } finally {
            alive.remove();
            places.release();
        }
        send(exchange, reply);
    }

    /**
     * A call whose answer comes by itself. Everything of it happens on the I/O thread of its connection: whoever has the
     * answer only hands it over there.
     */
    private final class Later {
        private final HttpServerExchange exchange;
        private final Call call;
        private boolean answered;

        Later(HttpServerExchange exchange, Call call) {
            this.exchange = exchange;
            this.call = call;
        }

        void start() {
            CompletableFuture<Reply> reply = api.start(call, this::handOver).orElseThrow();
            XnioExecutor.Key late = exchange.getIoThread()
                    .executeAfter(
                            () -> answer(Problem.tooLate().reply().on(api.route(call))),
                            Limits.LATEST.toMillis(),
                            TimeUnit.MILLISECONDS);
            var unused = reply.thenAccept(made -> {
                late.remove();
                answer(made);
            });
        }

        private void handOver(Runnable task) {
            try {
                exchange.getIoThread().execute(task);
            } catch (RejectedExecutionException e) {
                LOG.debug("an answer came when the connections were closed", e);
            }
        }

        private void answer(Reply reply) {
            if (!answered) {
                answered = true;
                places.release();
                send(exchange, reply);
            }
        }
    }

    private static Reply tooManyWait() {
        return Problem.busy("too many calls wait for the store").reply();
    }

    private void isAlive(SocketAddress caller) {
        network.isAlive(caller);
    }

    private static Call call(HttpServerExchange exchange, String body, Caller caller) {
        return new Call(
                exchange.getRequestMethod().toString(),
                path(exchange),
                exchange.getQueryString(),
                readHeaders(exchange.getRequestHeaders()),
                body,
                caller);
    }

    private static Map<String, String> readHeaders(HeaderMap given) {
        Map<String, String> headers = Map.of(); // of most calls
        for (HttpString name : READ_HEADERS) {
            HeaderValues values = given.get(name);
            if (values != null) {
                headers = headers.isEmpty() ? new HashMap<>() : headers;
                headers.put(name.toString(), String.join(BETWEEN_HEADERS, values));
            }
        }
        return headers;
    }

    /** The path as it was sent; {@code GET http://host/path} is as good as {@code GET /path}, RFC 9112. */
    private static String path(HttpServerExchange exchange) {
        String uri = exchange.getRequestURI();
        if (!exchange.isHostIncludedInRequestURI()) {
            return uri;
        }
        int authority = uri.indexOf("://");
        int path = authority < 0 ? -1 : uri.indexOf('/', authority + 3);
        return path < 0 ? "/" : uri.substring(path);
    }

    private void send(HttpServerExchange exchange, Reply reply) {
        if (reply.feed().isPresent()) {
            follow(exchange, reply, reply.feed().get());
            return;
        }
        ByteBuffer body = begin(exchange, reply);
        if (body.hasRemaining()) {
            exchange.getResponseSender().send(body, IoCallback.END_EXCHANGE);
        } else {
            exchange.endExchange();
        }
    }

    private void follow(HttpServerExchange exchange, Reply reply, EventFeed feed) {
        if (!followers.admit()) {
            send(exchange, Problem.tooManyFollow().reply().on(reply.route()));
            return;
        }
        ByteBuffer first = begin(exchange, reply);
        followers.start(exchange, feed, first);
    }

    /** Counts an answer, and sets its status and headers; returns its body. */
    private ByteBuffer begin(HttpServerExchange exchange, Reply reply) {
        Long since = exchange.getAttachment(SINCE_NANOS);
        metrics.add(reply, since == null ? 0 : System.nanoTime() - since);
        exchange.setStatusCode(reply.status());
        HeaderMap headers = exchange.getResponseHeaders();
        reply.headers().forEach((name, value) -> headers.put(new HttpString(name), value));
        if (!reply.contentType().isEmpty()) {
            headers.put(Headers.CONTENT_TYPE, reply.contentType());
        }
        return ByteBuffer.wrap(reply.body().getBytes(StandardCharsets.UTF_8));
    }
}
