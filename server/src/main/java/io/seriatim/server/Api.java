package io.seriatim.server;

import io.seriatim.SequenceException;
import io.seriatim.Sequences;
import io.seriatim.StoreUnavailableException;
import io.seriatim.Warning;
import io.seriatim.eventlog.EventLogException;
import io.seriatim.numbering.Numbering;
import io.seriatim.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers calls on the sequences and event logs of one store, whatever brought them here. An answer is always a
 * {@link Reply}; an error is a {@link Problem} in one.
 *
 * <p>Safe for use by many threads.
 */
final class Api {

    private static final Logger LOG = LoggerFactory.getLogger(Api.class);

    private final OpenStore store;
    private final Sequences sequences;
    private final Warnings warnings;
    private final Routes routes = new Routes();
    private volatile Optional<Metrics> metrics = Optional.empty();
    private final AtomicBoolean failureLogged = new AtomicBoolean();

    /** @param defaultDefinition what {@code next?define=true} defines an unknown name with */
    Api(OpenStore store, NewSequence defaultDefinition) {
        this.store = store;
        this.sequences = store.sequences();
        Numbering numbering = Numbering.on(sequences);
        this.warnings = new Warnings(numbering, System::nanoTime);
        routes.addQuick("GET", "/health/live", (call, names) -> status("live"));
        routes.addQuick("GET", "/health/ready", (call, names) -> ready(call));
        routes.addQuick("GET", "/metrics", (call, names) -> metrics(call));
        routes.addQuick("GET", "/openapi.json", (call, names) -> openApi(call));
        new SequenceCalls(sequences, numbering, defaultDefinition).addTo(routes);
        new ImportCalls(sequences, numbering).addTo(routes);
        new NumberCalls(sequences, numbering).addTo(routes);
        new LogCalls(store).addTo(routes);
        new ClusterCalls(store).addTo(routes);
    }

    /** The same, without event logs. */
    Api(Sequences sequences, NewSequence defaultDefinition) {
        this(OpenStore.of(sequences), defaultDefinition);
    }

    /** The same, in a server that was started with settings. */
    Api(OpenStore store, NewSequence defaultDefinition, Settings settings) {
        this(store, defaultDefinition);
        routes.addQuick("GET", "/v1/config", (call, names) -> {
            Query.of(call);
            return Reply.json(200, settings.json());
        });
        new BackupCalls(store, settings.path(Setting.BACKUP_DIR)).addTo(routes);
    }

    /** Answers a call; may wait for the store, as long as {@link Sequences} was told to wait at most. */
    Reply answer(Call call) {
        Routes.Found found = routes.find(call);
        try {
            requireLeave(call, found);
            requireStore(found);
            return found.handler().answer(call, found.names()).on(found.route());
        } catch (RuntimeException | Error e) {
            return problem(call, e).reply().on(found.route());
        }
    }

    /** Answers a call if that takes no waiting. Where it is empty, nothing has happened. */
    Optional<Reply> tryAnswer(Call call) {
        Routes.Found found = routes.find(call);
        try {
            requireLeave(call, found);
            requireStore(found);
            return found.quick().tryAnswer(call, found.names()).map(reply -> reply.on(found.route()));
        } catch (RuntimeException | Error e) {
            return Optional.of(problem(call, e).reply().on(found.route()));
        }
    }

    /** Whether the answer to a call comes by itself. */
    boolean comesLater(Call call) {
        return routes.find(call).later().isPresent();
    }

    /**
     * Begins a call whose answer comes by itself, so that no thread has to wait for it; empty if this is none.
     *
     * @param executor makes the answer, and whatever depends on it
     */
    Optional<CompletableFuture<Reply>> start(Call call, Executor executor) {
        Routes.Found found = routes.find(call);
        return found.later().map(later -> {
            try {
                requireLeave(call, found);
                requireStore(found);
                return later.start(call, found.names(), executor)
                        .handle((reply, e) ->
                                (e == null ? reply : problem(call, e).reply()).on(found.route()));
            } catch (RuntimeException | Error e) {
                return CompletableFuture.completedFuture(
                        problem(call, e).reply().on(found.route()));
            }
        });
    }

    /** Which kind of call this is. */
    Route route(Call call) {
        return routes.find(call).route();
    }

    /** Every kind of call there is. */
    List<Route> routes() {
        return routes.all();
    }

    /**
     * Begins to count; once, by whoever brings calls here from many callers.
     *
     * @param inFlight how many calls are under way
     */
    Metrics count(LongSupplier inFlight) {
        Metrics counting = new Metrics(store, warnings, inFlight);
        metrics = Optional.of(counting);
        return counting;
    }

    private static Reply openApi(Call call) {
        Query.of(call);
        try (InputStream in = Objects.requireNonNull(Api.class.getResourceAsStream("openapi.json"))) {
            return Reply.json(200, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Reply metrics(Call call) {
        Query.of(call);
        return Reply.success(
                200,
                Metrics.CONTENT_TYPE,
                Map.of(),
                metrics.map(Metrics::scrape)
                        .orElseThrow(() -> new Refusal(Problem.notFound("nothing is counted here"))));
    }

    private static void requireLeave(Call call, Routes.Found found) {
        String sequence = found.names().isEmpty() ? "" : found.names().get(0);
        if (!call.caller().may(found.access(), sequence)) {
            throw new Refusal(Problem.forbidden("this token is not for such calls"));
        }
    }

    /** What a stopped store still holds in memory is no answer either: nobody could tell it from the truth. */
    private void requireStore(Routes.Found found) {
        if (found.needsStore()) {
            sequences.failure().ifPresent(failure -> {
                throw failure;
            });
        }
    }

    private Problem problem(Call call, Throwable thrown) {
        Throwable e = thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (e instanceof Refusal refusal) {
            return refusal.problem();
        }
        if (e instanceof SequenceException expected) {
            if (e instanceof StoreUnavailableException) {
                logStoppedStore();
            }
            return Problem.of(expected);
        }
        if (e instanceof EventLogException expected) {
            return Problem.of(expected);
        }
        if (e instanceof StoreException trouble) {
            return Problem.of(trouble);
        }
        LOG.atError()
                .setCause(e)
                .addKeyValue("method", call.method())
                .addKeyValue("path", call.path())
                .addKeyValue("caller", call.caller().name())
                .log("a call failed unexpectedly");
        return Problem.internal();
    }

    /** Once: the store does not come back, and each call would say the same. */
    private void logStoppedStore() {
        sequences.failure().ifPresent(failure -> {
            if (failureLogged.compareAndSet(false, true)) {
                LOG.error(
                        "the store has stopped; calls are refused until the server is started again: {}",
                        Causes.of(failure));
                LOG.debug("the store has stopped", failure);
            }
        });
    }

    /**
     * Few values left are no failure, and a partition that waits for an operator is none of the others. Which sequences and
     * partitions these are is not for those whom nobody has asked for a token.
     */
    private Reply ready(Call call) {
        Optional<StoreUnavailableException> failure = sequences.failure();
        if (failure.isPresent()) {
            logStoppedStore();
            return Problem.of(failure.get()).reply();
        }
        boolean maySee = call.caller().may(Access.VIEW, "");
        List<NotReady> notReady = NotReady.in(store);
        if (notReady.stream().anyMatch(NotReady::isRecovering)) {
            Problem problem = Problem.recovering();
            return (maySee ? problem.with("partitions", NotReady.facts(notReady)) : problem).reply();
        }
        List<Warning> all = warnings.all();
        return Reply.json(200, Json.object(out -> {
            out.writeStringProperty("status", "ready");
            Warnings.write(out, all, maySee);
            out.writeNumberProperty("notReady", notReady.size());
            if (maySee) {
                out.writeName("partitions");
                Problem.write(out, NotReady.facts(notReady));
            }
        }));
    }

    private static Reply status(String status) {
        return Reply.json(200, Json.object(out -> out.writeStringProperty("status", status)));
    }
}
