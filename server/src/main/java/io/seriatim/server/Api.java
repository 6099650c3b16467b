package io.seriatim.server;

import io.seriatim.SequenceDefinition;
import io.seriatim.SequenceException;
import io.seriatim.Sequences;
import io.seriatim.StoreUnavailableException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers calls on the sequences of one store, whatever brought them here. An answer is always a
 * {@link Reply}; an error is a {@link Problem} in one.
 *
 * <p>Safe for use by many threads.
 */
final class Api {

    private static final Logger LOG = LoggerFactory.getLogger(Api.class);

    private final Sequences sequences;
    private final Routes routes = new Routes();
    private final AtomicBoolean failureLogged = new AtomicBoolean();

    /** @param defaultDefinition what {@code next?define=true} defines an unknown name with */
    Api(Sequences sequences, SequenceDefinition defaultDefinition) {
        this.sequences = sequences;
        routes.addQuick("GET", "/health/live", (call, names) -> status("live"));
        routes.addQuick("GET", "/health/ready", (call, names) -> ready());
        new SequenceCalls(sequences, defaultDefinition).addTo(routes);
    }

    /** The same, in a server that was started with settings. */
    Api(Sequences sequences, SequenceDefinition defaultDefinition, Settings settings) {
        this(sequences, defaultDefinition);
        routes.addQuick("GET", "/v1/config", (call, names) -> Reply.json(200, settings.json()));
    }

    /** Answers a call; may wait for the store, as long as {@link Sequences} was told to wait at most. */
    Reply answer(Call call) {
        try {
            Routes.Found found = find(call);
            return found.handler().answer(call, found.names());
        } catch (RuntimeException | Error e) {
            return problem(call, e).reply();
        }
    }

    /** Answers a call if that takes no waiting. Where it is empty, nothing has happened. */
    Optional<Reply> tryAnswer(Call call) {
        try {
            Routes.Found found = find(call);
            return found.quick().tryAnswer(call, found.names());
        } catch (RuntimeException | Error e) {
            return Optional.of(problem(call, e).reply());
        }
    }

    /** What a stopped store still holds in memory is no answer either: nobody could tell it from the truth. */
    private Routes.Found find(Call call) {
        Routes.Found found = routes.find(call);
        String sequence = found.names().isEmpty() ? "" : found.names().get(0);
        if (!call.caller().may(found.access(), sequence)) {
            throw new Refusal(Problem.forbidden("this token is not for such calls"));
        }
        if (found.needsStore()) {
            sequences.failure().ifPresent(failure -> {
                throw failure;
            });
        }
        return found;
    }

    private Problem problem(Call call, Throwable e) {
        if (e instanceof Refusal refusal) {
            return refusal.problem();
        }
        if (e instanceof SequenceException expected) {
            if (e instanceof StoreUnavailableException) {
                logStoppedStore();
            }
            return Problem.of(expected);
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

    private Reply ready() {
        Optional<StoreUnavailableException> failure = sequences.failure();
        if (failure.isEmpty()) {
            return status("ready");
        }
        logStoppedStore();
        return Problem.of(failure.get()).reply();
    }

    private static Reply status(String status) {
        return Reply.json(200, Json.object(out -> out.writeStringProperty("status", status)));
    }
}
