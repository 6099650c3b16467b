package io.seriatim.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Which code answers which method and path. Filled once, then only read. */
final class Routes {

    /*
     * A tree over the parts of paths. A part in braces stands for any part; one that is spelled out goes first.
     * Parts are compared after they are decoded, so %2F is in a part and never between two.
     */

    /** Answers a call, given the parts of its path that stand for a name; may wait for the store. */
    interface Handler {
        Reply answer(Call call, List<String> names);
    }

    /** The same, if that takes no waiting. */
    interface QuickHandler {
        Optional<Reply> tryAnswer(Call call, List<String> names);
    }

    /** The same, where the answer comes by itself and no thread has to wait for it; the executor makes it then. */
    interface LaterHandler {
        CompletableFuture<Reply> start(Call call, List<String> names, Executor executor);
    }

    /**
     * A route that fits a call.
     *
     * @param needsStore whether it can be answered by a store that works only
     * @param access what the caller needs leave for
     */
    record Found(
            Route route,
            Handler handler,
            QuickHandler quick,
            Optional<LaterHandler> later,
            boolean needsStore,
            Access access,
            List<String> names) {}

    private record Target(
            Route route,
            Handler handler,
            QuickHandler quick,
            Optional<LaterHandler> later,
            boolean needsStore,
            Access access) {

        /** One that gives the same answer to every call. */
        static Target always(Reply reply) {
            return new Target(
                    Route.OTHER,
                    (call, names) -> reply,
                    (call, names) -> Optional.of(reply),
                    Optional.empty(),
                    false,
                    Access.NOBODY_ASKED);
        }
    }

    private static final class Node {
        final Map<String, Node> spelledOut = new HashMap<>();

        @Nullable
        Node any;

        final Map<String, Target> methods = new TreeMap<>();

        Node child(String part) {
            if (!part.startsWith("{")) {
                return spelledOut.computeIfAbsent(part, unused -> new Node());
            }
            Node present = any;
            if (present == null) {
                present = new Node();
                any = present;
            }
            return present;
        }
    }

    private static final Target NOTHING_THERE =
            Target.always(Problem.notFound("there is nothing at this path").reply());

    private static final Target NOT_DECODED = Target.always(
            Problem.badRequest("the path is not percent-encoded UTF-8").reply());

    private final Node root = new Node();
    private final List<Route> all = new ArrayList<>();

    /** A call that may wait for the store. */
    void add(String method, String path, Handler handler) {
        add(method, path, handler, (call, names) -> Optional.empty());
    }

    /** A call that never asks the store, so that it never waits and is answered even where the store has stopped. */
    void addQuick(String method, String path, Handler handler) {
        put(
                handler,
                (call, names) -> Optional.of(handler.answer(call, names)),
                Optional.empty(),
                false,
                new Route(method, path));
    }

    /** A call that waits only sometimes. */
    void add(String method, String path, Handler handler, QuickHandler quick) {
        put(handler, quick, Optional.empty(), true, new Route(method, path));
    }

    /** A call whose answer comes by itself; who cannot be told later waits for it, within a bound. */
    void addLater(String method, String path, LaterHandler later) {
        put(
                (call, names) -> await(later.start(call, names, Runnable::run)),
                (call, names) -> Optional.empty(),
                Optional.of(later),
                true,
                new Route(method, path));
    }

    /** Waits for an answer that comes by itself, within a bound. */
    static Reply await(CompletableFuture<Reply> reply) {
        try {
            return reply.get(Limits.LATEST.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new Refusal(Problem.tooLate());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refusal(Problem.tooLate());
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        }
    }

    private void put(
            Handler handler, QuickHandler quick, Optional<LaterHandler> later, boolean needsStore, Route route) {
        Node node = root;
        for (String part : route.path().substring(1).split("/")) {
            node = node.child(part);
        }
        node.methods.put(
                route.method(),
                new Target(route, handler, quick, later, needsStore, Access.needed(route.method(), route.path())));
        all.add(route);
    }

    /** Every route, in the order in which they were added. */
    List<Route> all() {
        return List.copyOf(all);
    }

    /** The route for a call; one that answers with 404 or 405 if there is none. */
    Found find(Call call) {
        List<String> names = new ArrayList<>(2);
        Target target = target(call, names);
        return new Found(
                target.route(),
                target.handler(),
                target.quick(),
                target.later(),
                target.needsStore(),
                target.access(),
                names);
    }

    private Target target(Call call, List<String> names) {
        Node node = root;
        if (!call.path().startsWith("/")) {
            return NOTHING_THERE;
        }
        for (String part : call.path().substring(1).split("/", -1)) {
            Optional<String> decoded = Utf8.percentDecode(part);
            if (decoded.isEmpty()) {
                return NOT_DECODED;
            }
            Node next = node.spelledOut.get(decoded.get());
            if (next == null) {
                next = node.any;
                names.add(decoded.get());
            }
            if (next == null) {
                return NOTHING_THERE;
            }
            node = next;
        }
        if (node.methods.isEmpty()) {
            return NOTHING_THERE;
        }
        Target target = node.methods.get(call.method().equals("HEAD") ? "GET" : call.method());
        return target == null ? otherMethod(call.method(), allowed(node)) : target;
    }

    private static Target otherMethod(String method, String allowed) {
        Map<String, String> headers = Map.of("Allow", allowed);
        return Target.always(
                method.equals("OPTIONS")
                        ? Reply.noContent(headers)
                        : Problem.badHttp(405, "this path takes " + allowed).reply(headers));
    }

    private static String allowed(Node node) {
        TreeSet<String> methods = new TreeSet<>(node.methods.keySet());
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        methods.add("OPTIONS");
        return String.join(", ", methods);
    }
}
