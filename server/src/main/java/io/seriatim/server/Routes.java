package io.seriatim.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
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

    /**
     * A route that fits a call.
     *
     * @param needsStore whether it can be answered by a store that works only
     * @param access what the caller needs leave for
     */
    record Found(Handler handler, QuickHandler quick, boolean needsStore, Access access, List<String> names) {}

    private record Target(Handler handler, QuickHandler quick, boolean needsStore, Access access) {}

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

    private final Node root = new Node();

    /** A call that may wait for the store. */
    void add(String method, String path, Handler handler) {
        add(method, path, handler, (call, names) -> Optional.empty());
    }

    /** A call that never asks the store, so that it never waits and is answered even where the store has stopped. */
    void addQuick(String method, String path, Handler handler) {
        put(
                method,
                path,
                new Target(
                        handler,
                        (call, names) -> Optional.of(handler.answer(call, names)),
                        false,
                        Access.needed(method, path)));
    }

    /** A call that waits only sometimes. */
    void add(String method, String path, Handler handler, QuickHandler quick) {
        put(method, path, new Target(handler, quick, true, Access.needed(method, path)));
    }

    private void put(String method, String path, Target target) {
        Node node = root;
        for (String part : path.substring(1).split("/")) {
            node = node.child(part);
        }
        node.methods.put(method, target);
    }

    /** The route for a call; refused with 404 or 405 if there is none. */
    Found find(Call call) {
        List<String> names = new ArrayList<>(2);
        Node node = root;
        if (!call.path().startsWith("/")) {
            throw nothingThere();
        }
        for (String part : call.path().substring(1).split("/", -1)) {
            String decoded = Utf8.percentDecode(part)
                    .orElseThrow(() -> new Refusal(Problem.badRequest("the path is not percent-encoded UTF-8")));
            Node next = node.spelledOut.get(decoded);
            if (next == null) {
                next = node.any;
                names.add(decoded);
            }
            if (next == null) {
                throw nothingThere();
            }
            node = next;
        }
        if (node.methods.isEmpty()) {
            throw nothingThere();
        }
        String method = call.method().equals("HEAD") ? "GET" : call.method();
        Target target = node.methods.get(method);
        if (target == null) {
            target = otherMethod(method, allowed(node));
        }
        return new Found(target.handler(), target.quick(), target.needsStore(), target.access(), names);
    }

    private static Target otherMethod(String method, String allowed) {
        Map<String, String> headers = Map.of("Allow", allowed);
        Reply reply = method.equals("OPTIONS")
                ? Reply.noContent(headers)
                : Problem.badHttp(405, "this path takes " + allowed).reply(headers);
        return new Target((call, names) -> reply, (call, names) -> Optional.of(reply), false, Access.NOBODY_ASKED);
    }

    private static String allowed(Node node) {
        TreeSet<String> methods = new TreeSet<>(node.methods.keySet());
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        methods.add("OPTIONS");
        return String.join(", ", methods);
    }

    private static Refusal nothingThere() {
        return new Refusal(Problem.notFound("there is nothing at this path"));
    }
}
