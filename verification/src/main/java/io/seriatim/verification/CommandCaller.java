package io.seriatim.verification;

import io.seriatim.verification.LogClient.Outcome;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;

/** A client that sends commands one after another; those with a key it sends until it has an answer. */
final class CommandCaller {

    private static final int LOOK_MILLIS = 3;
    private static final int WORKSPACES = 4;

    private final int number;
    private final HttpClient http;
    private final AtomicReference<URI> server;
    private final SplittableRandom random;
    private final CommandHistory history;
    /** Customers that this client has made, by workspace. */
    private final List<List<Long>> customers = new ArrayList<>();

    private final Thread thread;
    private volatile boolean finishing;
    private volatile boolean stopped;
    private long sent;

    private CommandCaller(
            int number, HttpClient http, AtomicReference<URI> server, SplittableRandom random, CommandHistory history) {
        this.number = number;
        this.http = http;
        this.server = server;
        this.random = random;
        this.history = history;
        for (int i = 0; i < WORKSPACES; i++) {
            customers.add(new ArrayList<>());
        }
        thread = new Thread(this::run, "verification-caller-" + number);
        thread.setDaemon(true);
    }

    static CommandCaller start(
            int number, HttpClient http, AtomicReference<URI> server, SplittableRandom random, CommandHistory history) {
        CommandCaller caller = new CommandCaller(number, http, server, random, history);
        caller.thread.start();
        return caller;
    }

    /** Lets it end what it has begun, and waits for that. */
    void finish(Duration wait) throws InterruptedException {
        finishing = true;
        thread.join(wait.toMillis());
        if (thread.isAlive()) {
            history.violation("client " + number + " has no answer to its last command");
        }
    }

    void stop() {
        stopped = true;
    }

    private void run() {
        try {
            while (!finishing && !stopped) {
                oneCommand();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            history.violation("client " + number + " broke off: " + e);
        }
    }

    private void oneCommand() throws InterruptedException {
        int workspace = random.nextInt(WORKSPACES);
        String name = number + "-" + ++sent;
        boolean keyed = random.nextInt(3) == 0;
        Optional<String> key = keyed ? Optional.of("key-" + name) : Optional.empty();
        boolean withCustomer = random.nextBoolean();
        String command = command(name, workspace, withCustomer);
        history.sent(name, keyed);
        while (!stopped) {
            URI now = Objects.requireNonNull(server.get());
            if (now.equals(LogFollower.NOWHERE)) {
                Thread.sleep(LOOK_MILLIS);
                continue;
            }
            Outcome outcome = new LogClient(http, now).append(workspace, command, key);
            if (outcome instanceof Outcome.Appended appended) {
                history.appended(name, workspace, appended);
                if (withCustomer) {
                    customers.get(workspace).add(appended.ids().get(9L));
                }
                return;
            }
            if (outcome instanceof Outcome.Unknown && !keyed) {
                history.unknown(name);
                return;
            }
            if (outcome instanceof Outcome.Refused refused && !refused.mayBeRetried()) {
                history.violation("command " + name + " was refused: " + refused);
                return;
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    /** An order with items, now and then a new customer, now and then a change of an old one. */
    private String command(String name, int workspace, boolean withCustomer) {
        StringBuilder items = new StringBuilder();
        int count = random.nextInt(3);
        for (int i = 0; i < count; i++) {
            items.append(i == 0 ? "" : ",")
                    .append("{\"type\":\"item\",\"id\":")
                    .append(2 + i)
                    .append(",\"fields\":{\"count\":")
                    .append(random.nextInt(100))
                    .append("}}");
        }
        List<String> cuds = new ArrayList<>();
        if (withCustomer) {
            cuds.add("{\"type\":\"customer\",\"id\":9,\"fields\":{\"name\":\"" + name + "\",\"orders\":0}}");
        }
        List<Long> known = customers.get(workspace);
        if (!known.isEmpty() && random.nextInt(3) == 0) {
            cuds.add("{\"update\":true,\"id\":" + known.get(random.nextInt(known.size())) + ",\"fields\":{\"orders\":"
                    + sent + "}}");
        }
        return "{\"kind\":\"shop\",\"argument\":{\"type\":\"order\",\"id\":1,\"fields\":{\"name\":\"" + name + "\""
                + (withCustomer ? ",\"customer\":{\"ref\":9}" : "") + "},\"children\":{\"items\":[" + items + "]}}"
                + (cuds.isEmpty() ? "" : ",\"cuds\":[" + String.join(",", cuds) + "]") + "}";
    }
}
