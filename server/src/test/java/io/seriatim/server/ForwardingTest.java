package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.Sequences;
import io.seriatim.eventlog.application.ApplicationSettings;
import io.seriatim.memory.MemoryClusterStore;
import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.server.Access.Role;
import io.seriatim.store.ApplicationRow;
import io.seriatim.store.EventLogStore;
import io.seriatim.store.LogOutcome;
import io.seriatim.store.PartitionKey;
import io.seriatim.store.PartitionStore;
import io.seriatim.store.StoreException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Two servers on one store in memory: whichever is called, the owner of the partition answers. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ForwardingTest {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final String SHOP = """
            {"partitions": 2, "kinds": {"shop": {"sequences": {"RecordID": 200001}}},
             "types": {"customer": {"kind": "CDoc"}}}""";
    private static final String CUSTOMER = """
            {"kind": "shop", "cuds": [{"type": "customer", "id": 1, "fields": {"name": "Ada"}}]}""";

    private final HttpClient client = HttpClient.newHttpClient();
    private final MemoryEventLogStore log = new MemoryEventLogStore();
    private final MemoryClusterStore cluster = new MemoryClusterStore(System::nanoTime);
    private final List<Node> nodes = new ArrayList<>();
    private final AtomicInteger applicationReads = new AtomicInteger();
    private Optional<String> token = Optional.empty();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private Node a;

    @SuppressWarnings("NullAway.Init")
    private Node b;

    private final class Node {
        final OpenStore store;
        final HttpServer server;
        boolean isClosed;

        Node(Guard guard) throws Exception {
            this(guard, "");
        }

        /** @param url where it says that it is called; empty: where it is */
        Node(Guard guard, String url) throws Exception {
            int port;
            try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = free.getLocalPort();
            }
            store = OpenStore.sharing(
                    Sequences.on(new MemoryCounterStore()), new Kept(), ApplicationSettings.usual(), cluster, LEASE);
            store.startLogs(new OpenStore.Served(url.isEmpty() ? "http://127.0.0.1:" + port : url, Optional.empty()));
            server = HttpServer.start(
                    new Api(store, NewSequence.usual()),
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                    Limits.standard(),
                    guard);
            nodes.add(this);
        }

        String name() {
            return store.sequences().node();
        }

        HttpResponse<String> send(String method, String path, String body, String... headers) throws Exception {
            HttpRequest.Builder request = HttpRequest.newBuilder(server.uri().resolve(path))
                    .method(method, HttpRequest.BodyPublishers.ofString(body));
            token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
            if (headers.length > 0) {
                request.headers(headers);
            }
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }

        JsonNode get(String path) throws Exception {
            HttpResponse<String> answer = send("GET", path, "");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return Calls.json(answer.body());
        }

        int partition() throws Exception {
            return place().path("partition").asInt();
        }

        JsonNode place() throws Exception {
            for (JsonNode each : get("/v1/cluster").path("partitions")) {
                if (each.path("owner").asString().equals(name())) {
                    return each;
                }
            }
            throw new AssertionError("node " + name() + " has no partition");
        }

        void close() {
            if (!isClosed) {
                isClosed = true;
                server.close();
                store.close();
            }
        }
    }

    /** The store goes on when one of its users ends. */
    private final class Kept implements EventLogStore {
        @Override
        public PartitionStore partition(PartitionKey key) {
            return log.partition(key);
        }

        @Override
        public List<PartitionKey> partitions() {
            return log.partitions();
        }

        @Override
        public List<ApplicationRow> applications() {
            applicationReads.incrementAndGet();
            return log.applications();
        }

        @Override
        public LogOutcome write(ApplicationRow row) {
            return log.write(row);
        }

        @Override
        public boolean enforcesEpoch() {
            return log.enforcesEpoch();
        }

        @Override
        public boolean isShared() {
            return true;
        }

        @Override
        public Optional<StoreException> failure() {
            return log.failure();
        }

        @Override
        public void close() {}
    }

    @BeforeEach
    void start() throws Exception {
        start(Guard.NONE);
    }

    private void start(Guard guard) throws Exception {
        a = new Node(guard);
        b = new Node(guard);
        assertThat(a.send("PUT", "/v1/logs/shop", SHOP).statusCode()).isEqualTo(201);
        await(() -> Stream.of(a, b).allMatch(node -> owns(node, 1)));
        for (int workspace : List.of(0, 1)) {
            await(() -> a.send("POST", events(workspace), CUSTOMER).statusCode() == 201);
        }
    }

    private boolean owns(Node node, int partitions) {
        try {
            JsonNode state = node.get("/v1/cluster");
            for (JsonNode each : state.path("nodes")) {
                if (each.path("node").asString().equals(node.name())) {
                    return each.path("partitions").asInt() == partitions;
                }
            }
            return false;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void stop() {
        nodes.forEach(Node::close);
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        while (!condition.call()) {
            Thread.onSpinWait();
        }
    }

    private static String events(int workspace) {
        return "/v1/logs/shop/workspaces/" + workspace + "/events";
    }

    @Test
    void call_atEitherNode_isAnsweredByTheOwner() throws Exception {
        for (Node node : List.of(a, b)) {
            for (int workspace : List.of(0, 1)) {
                HttpResponse<String> answer = node.send("POST", events(workspace), CUSTOMER);
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
                assertThat(Calls.json(answer.body()).path("partition").asInt()).isEqualTo(workspace);
                long id = Calls.json(answer.body()).path("ids").path("1").asLong();
                for (Node reader : List.of(a, b)) {
                    JsonNode record = reader.get("/v1/logs/shop/workspaces/" + workspace + "/records/" + id);
                    assertThat(record.at("/fields/name").asString()).isEqualTo("Ada");
                }
            }
        }
        for (int partition : List.of(0, 1)) {
            String path = "/v1/logs/shop/partitions/" + partition;
            assertThat(a.get(path).path("owner")).isEqualTo(b.get(path).path("owner"));
            assertThat(a.get(path + "/events")).isEqualTo(b.get(path + "/events"));
            assertThat(a.get(path + "/events").path("events")).hasSize(3);
        }
        assertThat(a.get("/v1/logs/shop/partitions/" + a.partition())
                        .path("owner")
                        .asString())
                .isEqualTo(a.name());
        assertThat(a.send("POST", "/v1/logs/shop/partitions/" + b.partition() + "/check", "")
                        .statusCode())
                .isEqualTo(200);
        assertThat(a.send("GET", "/metrics", "").body())
                .contains("seriatim_cluster_nodes 2.0")
                .contains("seriatim_cluster_partitions_owned 1.0")
                .doesNotContain("seriatim_cluster_calls_forwarded_total 0.0");
    }

    @Test
    void refusal_ofTheOwner_comesBackAsItIs() throws Exception {
        for (int workspace : List.of(0, 1)) {
            HttpResponse<String> bad = a.send("POST", events(workspace), CUSTOMER.replace("customer", "nothing"));
            assertThat(bad.statusCode()).isEqualTo(400);
            assertThat(bad.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(bad.body()).contains("UNKNOWN_TYPE");
            assertThat(a.send("GET", "/v1/logs/shop/workspaces/" + workspace + "/records/7", "")
                            .statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void key_isTheSameAtEveryNode() throws Exception {
        String path = events(a.partition());
        HttpResponse<String> first = b.send("POST", path, CUSTOMER, "Idempotency-Key", "k");
        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(a.send("POST", path, CUSTOMER, "Idempotency-Key", "k").body())
                .isEqualTo(first.body());
    }

    @Test
    void whatOneServerDeploys_isKnownAtTheOtherAtOnce() throws Exception {
        for (int i = 0; i < 5; i++) {
            String type = "type" + i;
            String kind = "kind" + i;
            String more = SHOP.replace(
                            "\"shop\": {", "\"" + kind + "\": {\"sequences\": {\"RecordID\": 200001}}, \"shop\": {")
                    .replace("\"customer\": {", "\"" + type + "\": {\"kind\": \"CDoc\"}, \"customer\": {");
            String log = "/v1/logs/log" + i;
            assertThat(a.send("PUT", log, more).statusCode()).isEqualTo(201);
            assertThat(b.send("GET", log, "").statusCode()).isEqualTo(200);
            for (int workspace : List.of(0, 1)) {
                String path = log + "/workspaces/" + workspace + "/events";
                HttpResponse<String> answer = b.send("POST", path, CUSTOMER);
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            }
            String evenMore = more.replace("\"customer\": {", "\"late\": {\"kind\": \"CDoc\"}, \"customer\": {")
                    .replace("\"shop\": {", "\"later\": {\"sequences\": {\"RecordID\": 200001}}, \"shop\": {");
            assertThat(a.send("PUT", log, evenMore).statusCode()).isEqualTo(200);
            for (int workspace : List.of(0, 1)) {
                String path = log + "/workspaces/" + workspace + "/events";
                HttpResponse<String> late = b.send("POST", path, CUSTOMER.replace("customer", "late"));
                assertThat(late.statusCode()).as(late.body()).isEqualTo(201);
                HttpResponse<String> later = b.send(
                        "POST",
                        log + "/workspaces/" + (workspace + 2) + "/events",
                        CUSTOMER.replace("\"shop\"", "\"later\""));
                assertThat(later.statusCode()).as(later.body()).isEqualTo(201);
            }
        }
    }

    @Test
    void whatNobodyHasDeployed_isRefused_andTheStoreIsNotReadForEach() throws Exception {
        int read = applicationReads.get();
        long since = System.nanoTime();
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            answers.add(client.sendAsync(
                    HttpRequest.newBuilder(b.server.uri().resolve("/v1/logs/none/workspaces/" + i + "/events"))
                            .POST(HttpRequest.BodyPublishers.ofString(CUSTOMER))
                            .build(),
                    HttpResponse.BodyHandlers.ofString()));
        }
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            assertThat(answer.join().statusCode()).isEqualTo(404);
        }
        long tenths = 1 + Duration.ofNanos(System.nanoTime() - since).toMillis() / 100;
        assertThat(applicationReads.get() - read).isLessThan(Math.toIntExact(3 * tenths + 4));
    }

    @Test
    void twoNodes_thatSayTheyAreCalledAtOnePlace_haveOneOwnerEach_andTheCallerIsTold() throws Exception {
        Node c = new Node(Guard.NONE, a.server.uri().toString());
        await(() -> a.send("PUT", "/v1/logs/third", SHOP).statusCode() / 100 == 2);
        await(() -> b.get("/v1/cluster").path("nodes").size() == 3);
        await(() -> {
            List<String> owners = owned(a); // each shows what its own last look has seen
            return owners.stream().distinct().count() == 3
                    && !owners.contains("")
                    && owners.equals(owned(b))
                    && owners.equals(owned(c));
        });
        JsonNode place = c.place();
        String path = "/v1/logs/" + place.path("log").asString() + "/partitions/"
                + place.path("partition").asInt();
        HttpResponse<String> lost = a.send("GET", path, "");
        assertThat(lost.statusCode()).isEqualTo(503);
        assertThat(lost.body())
                .contains("RECOVERING")
                .contains("--advertise-url")
                .contains(c.name());
        assertThat(c.get(path).path("owner").asString()).isEqualTo(c.name());
    }

    /** It was 500, and nobody's log had a word of it. */
    @Test
    void node_whoseAddressIsNone_cannotBeCalled() throws Exception {
        Node c = new Node(Guard.NONE, "http://127.0.0.1:99999");
        await(() -> a.send("PUT", "/v1/logs/third", SHOP).statusCode() / 100 == 2);
        await(() -> owned(a).contains(c.name()));
        JsonNode place = c.place();
        String path = "/v1/logs/" + place.path("log").asString() + "/partitions/"
                + place.path("partition").asInt();
        HttpResponse<String> answer = a.send("GET", path, "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
        assertThat(answer.body()).contains("RECOVERING", c.name(), "its address is none");
    }

    /** The owner of each partition, as a node tells it. */
    private static List<String> owned(Node node) throws Exception {
        return node.get("/v1/cluster")
                .path("partitions")
                .valueStream()
                .map(each -> each.path("owner").asString(""))
                .toList();
    }

    @Test
    void call_thatWasHandedOnAlready_goesNoFurther() throws Exception {
        for (HttpResponse<String> answer : List.of(
                a.send("POST", events(b.partition()), CUSTOMER, Forwarding.MARK, "x"),
                a.send("GET", "/v1/logs/shop/partitions/" + b.partition(), "", Forwarding.MARK, "x"))) {
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).contains("RECOVERING").contains(b.name());
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        }
    }

    @Test
    void events_asTheyHappen_areFollowedAtTheOwner() throws Exception {
        String path = events(b.partition());
        HttpResponse<String> answer = a.send("GET", path + "?from=1", "", "Accept", "text/event-stream");
        assertThat(answer.statusCode()).isEqualTo(307);
        assertThat(answer.headers().firstValue("Location"))
                .contains(b.server.uri().resolve(path + "?from=1").toString());
    }

    @Test
    void node_thatStops_handsItsPartitionOverAtOnce() throws Exception {
        int partition = a.partition();
        a.close();
        long since = System.nanoTime();
        await(() -> b.send("POST", events(partition), CUSTOMER).statusCode() == 201);
        assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(LEASE);
        assertThat(b.get("/v1/cluster").path("nodes")).hasSize(1);
        assertThat(b.get("/v1/cluster").path("takenFromDead").asInt()).isZero();
    }

    @Test
    void owner_thatCannotBeReached_isRecovering_andHealthSaysWhatWaits() throws Exception {
        int partition = a.partition();
        a.server.close();
        for (HttpResponse<String> answer : List.of(
                b.send("POST", events(partition), CUSTOMER),
                b.send("GET", "/v1/logs/shop/partitions/" + partition + "/events", ""))) {
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
            assertThat(answer.body()).contains("RECOVERING");
        }
        assertThat(b.send("GET", "/metrics", "").body()).contains("seriatim_cluster_calls_forwarded_failed_total 2.0");
        assertThat(b.send("GET", "/health/ready", "").statusCode()).isEqualTo(200);
    }

    @Test
    void token_ofTheCaller_isAskedForByTheOwner() throws Exception {
        stop();
        List<String> lines = new ArrayList<>();
        Map<Role, String> tokens = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            String name = role.name().toLowerCase(Locale.ROOT);
            Tokens.Fresh fresh = Tokens.fresh(new SecureRandom(), name, name, List.of());
            tokens.put(role, fresh.token());
            lines.add(fresh.line());
        }
        Path file = Files.write(folder.resolve("tokens"), lines);
        Guard guard = GuardFiles.of(Settings.of(Map.of(Setting.TOKENS, file.toString()), Map.of()))
                .guard();
        token = Optional.ofNullable(tokens.get(Role.OPERATOR));
        a = new Node(guard);
        b = new Node(guard);
        await(() -> Stream.of(a, b).allMatch(node -> owns(node, 1)));
        int there = b.partition();
        await(() -> a.send("POST", events(there), CUSTOMER).statusCode() == 201);
        token = Optional.ofNullable(tokens.get(Role.VIEWER));
        assertThat(a.send("POST", events(there), CUSTOMER).statusCode()).isEqualTo(403);
        assertThat(a.send("GET", events(there), "").statusCode()).isEqualTo(200);
        assertThat(a.send("GET", "/v1/cluster", "").statusCode()).isEqualTo(200);
        token = Optional.empty();
        assertThat(a.send("GET", events(there), "").statusCode()).isEqualTo(401);
        assertThat(a.send("GET", "/v1/cluster", "").statusCode()).isEqualTo(401);
    }
}
