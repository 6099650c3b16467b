package io.seriatim.verification;

import io.seriatim.verification.SequenceClient.Outcome;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * What clients were given of a sequence of contract gapless. Each call has a key and is made again until it is answered;
 * so when all are, they have 1 to n, each once.
 */
final class GaplessHistory {

    private static final String NAME = "gapless";
    private static final int LOOK_MILLIS = 5;

    private final Map<Long, String> given = new ConcurrentHashMap<>();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();

    void define(SequenceClient client) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(
                "PUT", "/v1/sequences/" + NAME, "{\"contract\":\"gapless\",\"format\":{\"template\":\"{seq}\"}}");
        if (answer.statusCode() != 201) {
            throw new IllegalStateException("the gapless sequence was not defined: " + answer.body());
        }
    }

    /** A client that draws one number after another at one server. */
    static final class Caller {
        private final Thread thread;
        private final Consumer<String> violation;
        private volatile boolean finishing;
        private volatile boolean stopped;

        private Caller(GaplessHistory history, int number, HttpClient http, AtomicReference<URI> server) {
            violation = history.violations::add;
            thread = new Thread(() -> run(history, number, http, server), "verification-gapless-" + number);
            thread.setDaemon(true);
        }

        private void run(GaplessHistory history, int number, HttpClient http, AtomicReference<URI> server) {
            try {
                for (long call = 1; !finishing && !stopped; call++) {
                    String key = "gapless-" + number + "-" + call;
                    while (!stopped && !history.draw(http, Objects.requireNonNull(server.get()), key)) {
                        Thread.sleep(LOOK_MILLIS);
                    }
                    Thread.sleep(LOOK_MILLIS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                violation.accept("client " + number + " of the gapless sequence broke off: " + e);
            }
        }

        /** Lets it end what it has begun, and waits for that. */
        void finish(Duration wait) throws InterruptedException {
            finishing = true;
            thread.join(wait.toMillis());
            if (thread.isAlive()) {
                violation.accept("a gapless number that was asked for never came");
            }
        }

        void stop() {
            stopped = true;
        }
    }

    Caller start(int number, HttpClient http, AtomicReference<URI> server) {
        Caller caller = new Caller(this, number, http, server);
        caller.thread.start();
        return caller;
    }

    /** Whether there was an answer. */
    private boolean draw(HttpClient http, URI server, String key) throws InterruptedException {
        if (server.equals(LogFollower.NOWHERE)) {
            return false;
        }
        Outcome outcome =
                new SequenceClient(http, server).take(NAME, HistoryEvent.Wish.EXACTLY, 1, 1, Optional.of(key));
        if (outcome instanceof Outcome.Values values) {
            long value = values.runs().get(0).first();
            String other = given.put(value, key);
            if (other != null && !other.equals(key)) {
                violations.add("gapless number " + value + " was given for " + other + " and for " + key);
            }
            return true;
        }
        if (outcome instanceof Outcome.Refused refused && refused.status() != 503) {
            violations.add("a gapless number was answered " + refused);
        }
        return false;
    }

    int count() {
        return given.size();
    }

    List<String> violations() {
        List<String> all = new ArrayList<>(violations);
        long expected = 1;
        for (long value : new TreeMap<>(given).keySet()) {
            if (value != expected) {
                all.add("gapless numbers go on at " + value + " behind " + (expected - 1));
            }
            expected = value + 1;
        }
        return all;
    }
}
