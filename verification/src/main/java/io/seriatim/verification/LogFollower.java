package io.seriatim.verification;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** Follows a partition's log over all lives of its server, and says where an event came twice, or not, or too early. */
final class LogFollower {

    /** Of a server that is not there. */
    static final URI NOWHERE = URI.create("http://nowhere.invalid");

    private static final JsonMapper JSON = new JsonMapper();
    private static final String DATA = "data:";
    private static final int LOOK_MILLIS = 5;

    private final int partition;
    private final HttpClient http;
    private final AtomicReference<URI> server;
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private volatile long next = 1;
    private volatile boolean stopped;

    private LogFollower(int partition, HttpClient http, AtomicReference<URI> server) {
        this.partition = partition;
        this.http = http;
        this.server = server;
    }

    static LogFollower start(int partition, HttpClient http, AtomicReference<URI> server) {
        LogFollower follower = new LogFollower(partition, http, server);
        Thread thread = new Thread(follower::follow, "verification-follower-" + partition);
        thread.setDaemon(true);
        thread.start();
        return follower;
    }

    int partition() {
        return partition;
    }

    void stop() {
        stopped = true;
    }

    /** Waits until it has seen the last event; what it returns must not be. */
    List<String> awaitOffset(long last, Duration wait) throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        while (next <= last && System.nanoTime() < deadline) {
            Thread.sleep(LOOK_MILLIS);
        }
        List<String> found = new ArrayList<>(violations);
        if (next != last + 1) {
            found.add("the follower of partition " + partition + " is at offset " + next + ", the log ends at " + last);
        }
        return found;
    }

    private void follow() {
        try {
            while (!stopped) {
                URI now = Objects.requireNonNull(server.get());
                if (now.equals(NOWHERE)) {
                    Thread.sleep(LOOK_MILLIS);
                } else {
                    follow(now);
                    Thread.sleep(LOOK_MILLIS); // before it asks again: there may be no owner for now
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads until the server is gone. */
    private void follow(URI now) throws InterruptedException {
        try (Stream<String> lines = new LogClient(http, now).follow(partition, next)) {
            Iterator<String> each = lines.iterator();
            while (!stopped && each.hasNext()) {
                String line = each.next();
                if (line.startsWith(DATA)) {
                    see(JSON.readTree(line.substring(DATA.length()))
                            .path("plogOffset")
                            .asLong());
                }
            }
        } catch (IOException | UncheckedIOException e) {
            Thread.sleep(LOOK_MILLIS); // killed: the next life goes on
        }
    }

    private void see(long offset) {
        if (offset != next) {
            violations.add("the follower of partition " + partition + " wants offset " + next + " and sees " + offset);
        }
        next = offset + 1;
    }
}
