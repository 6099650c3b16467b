package io.seriatim.server;

import io.seriatim.eventlog.application.ClusterState;
import io.seriatim.eventlog.application.ElsewhereException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Hands calls on partitions that run elsewhere to the node that has them, and brings back its answer.
 *
 * <p>Safe for use by many threads.
 */
final class Forwarding implements AutoCloseable {

    /*
     * A call goes on once. It carries a mark, and who gets one with a mark and does not have the partition says so: of two
     * nodes that take each other for the owner, neither hands it back. They agree again within a look of Membership.
     *
     * The owner asks for the caller's token itself, as if the caller had come to it. A server that speaks TLS sends no call,
     * and no token, to a node that does not.
     *
     * Everything is bounded: calls under way, how long each waits, how long its answer is. Calls that hold a worker while
     * they wait may take half of them: were it all, two nodes that wait for each other would answer nobody.
     *
     * What is known about a call without an answer: where no connection came about, or no handshake, nothing was sent. Else a command may have
     * been carried out, and its caller is told that nobody knows; any other call can simply come again.
     */

    /** The header by which a call is known that another node has sent on. */
    static final String MARK = "seriatim-forwarded";

    static final String AUTHORIZATION = "authorization";

    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final int MOST = 512;
    private static final int ANSWER_BYTES = 32 << 20;
    private static final int THREADS = 2;

    /** What goes with a call. */
    private static final List<String> CARRIED =
            List.of(Call.ACCEPT, Call.IDEMPOTENCY_KEY, Call.LAST_EVENT_ID, AUTHORIZATION);

    /** What an answer may have beside status, type and body. */
    private static final List<String> BROUGHT_BACK = List.of("Retry-After", "WWW-Authenticate", "Allow", "Location");

    private static final Logger LOG = LoggerFactory.getLogger(Forwarding.class);

    private final String node;
    private final boolean isSecure;
    private final HttpClient client;
    private final ExecutorService threads;
    private final Semaphore places = new Semaphore(MOST);
    private final Semaphore workers = new Semaphore(Limits.standard().workers() / 2);
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    /** Whether the log has been told, once, of a certificate that is not trusted. */
    private final AtomicBoolean distrusts = new AtomicBoolean();

    /**
     * Opens no connection yet.
     *
     * @param node this one, as the mark names it
     * @param isSecure whether this server speaks TLS, so that others must too
     * @param trust what the certificates of other nodes have to rest on; empty: on what this machine trusts
     */
    Forwarding(String node, boolean isSecure, Optional<SSLContext> trust) {
        this.node = node;
        this.isSecure = isSecure;
        AtomicInteger number = new AtomicInteger();
        threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "seriatim-forward-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT)
                .executor(threads);
        trust.ifPresent(builder::sslContext);
        client = builder.build();
    }

    /** Calls that were handed to another node and answered by it, since the start. */
    long answered() {
        return answered.sum();
    }

    /** Those to which no answer came. */
    long failed() {
        return failed.sum();
    }

    /** Answers a call by its owner; the thread waits. */
    Reply answer(Call call, ElsewhereException elsewhere) {
        if (!workers.tryAcquire()) {
            throw new Refusal(Problem.busy("too many calls wait for other nodes"));
        }
        try {
            return start(call, elsewhere, Runnable::run).get(Limits.LATEST.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Refusal refusal) {
                throw refusal;
            }
            throw new CompletionException(e.getCause());
        } catch (TimeoutException e) {
            throw unanswered(call);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unanswered(call);
        } finally {
            workers.release();
        }
    }

    /**
     * Begins a call at its owner.
     *
     * @param executor is told the answer
     * @throws Refusal if it is not sent: RECOVERING where no owner can be asked, BUSY
     */
    CompletableFuture<Reply> start(Call call, ElsewhereException elsewhere, Executor executor) {
        URI owner = owner(call, elsewhere);
        if (call.path().endsWith("/events") && EventFeed.isWanted(call)) {
            return CompletableFuture.completedFuture(redirect(call, owner));
        }
        if (!places.tryAcquire()) {
            throw new Refusal(Problem.busy("too many calls wait for other nodes"));
        }
        CompletableFuture<HttpResponse<String>> response;
        try {
            response = client.sendAsync(request(call, owner), answer -> new BoundedText(ANSWER_BYTES));
        } catch (RuntimeException | Error e) {
            places.release();
            throw e;
        }
        return response.handleAsync(
                (answer, e) -> {
                    places.release();
                    if (answer != null) {
                        answered.increment();
                        return reply(answer);
                    }
                    failed.increment();
                    throw refused(call, owner, e);
                },
                executor);
    }

    /** Where the owner is, for a call that may go there. */
    private URI owner(Call call, ElsewhereException elsewhere) {
        Problem problem = Problem.of(elsewhere);
        ClusterState.Node owner = elsewhere.owner().orElseThrow(() -> new Refusal(problem));
        if (call.header(MARK).filter(node::equals).isPresent()) {
            throw new Refusal(problem.saying(
                    "node " + owner.name() + " has the partition, and says that it is called at " + owner.url()
                            + ", which leads back to this node: one of them needs another --advertise-url"));
        }
        if (call.header(MARK).isPresent()) {
            throw new Refusal(problem.saying(
                    "this node does not have the partition any more; node " + owner.name() + " should have it"));
        }
        if (owner.url().isEmpty() || isSecure && !owner.url().startsWith("https://")) {
            throw new Refusal(problem.saying("node " + owner.name() + " has the partition, and cannot be called"));
        }
        return Settings.address(owner.url())
                .orElseThrow(() -> new Refusal(
                        problem.saying("node " + owner.name() + " has the partition, and its address is none")));
    }

    /** Events as they happen are followed at the owner itself: a connection held twice for hours helps nobody. */
    private static Reply redirect(Call call, URI owner) {
        return Reply.success(307, "", Map.of("Location", target(call, owner).toString()), "");
    }

    private static URI target(Call call, URI owner) {
        String base = owner.toString();
        String path = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        return URI.create(path + call.path() + (call.query().isEmpty() ? "" : "?" + call.query()));
    }

    private HttpRequest request(Call call, URI owner) {
        HttpRequest.Builder request = HttpRequest.newBuilder(target(call, owner))
                .timeout(Limits.LATEST)
                .header(MARK, node)
                .method(
                        call.method(),
                        call.body().isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(call.body()));
        CARRIED.forEach(name -> call.header(name).ifPresent(value -> request.header(name, value)));
        return request.build();
    }

    private static Reply reply(HttpResponse<String> response) {
        String type = response.headers().firstValue("Content-Type").orElse("");
        Map<String, String> headers = new LinkedHashMap<>();
        for (String name : BROUGHT_BACK) {
            response.headers().firstValue(name).ifPresent(value -> headers.put(name, value));
        }
        return type.equals(Problem.CONTENT_TYPE)
                ? Reply.problem(response.statusCode(), code(response.body()), headers, response.body())
                : Reply.success(response.statusCode(), type, headers, response.body());
    }

    private static String code(String problem) {
        return JsonMapper.shared().readTree(problem).path("code").asString();
    }

    private Refusal refused(Call call, URI owner, @Nullable Throwable thrown) {
        Throwable e = thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        LOG.debug("a call handed to {} was not answered", owner, e);
        if (e instanceof ConnectException || e instanceof HttpConnectTimeoutException) {
            return new Refusal(
                    Problem.recovering().saying("the node that has the partition cannot be reached; nothing happened"));
        }
        if (e instanceof SSLHandshakeException) {
            if (!distrusts.getAndSet(true)) {
                LOG.warn("calls cannot be handed to {}, whose certificate is not trusted: {}", owner, e.getMessage());
            }
            return new Refusal(Problem.recovering()
                    .saying(
                            "this server does not trust the certificate of the node that has the partition (--cluster-ca);"
                                    + " nothing happened"));
        }
        if (e instanceof IOException) {
            return unanswered(call);
        }
        LOG.error("a call handed to {} failed", owner, e);
        return new Refusal(Problem.internal());
    }

    private static Refusal unanswered(Call call) {
        String sentence = "the node that has the partition has not answered";
        return new Refusal(
                call.method().equals("GET") || call.method().equals("HEAD")
                        ? Problem.recovering().saying(sentence)
                        : Problem.outcomeUnknown(sentence + "; whether it carried out the call is not known"));
    }

    /** Ends the threads; calls under way are given up. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
