package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.seriatim.SequenceDefinition;
import io.seriatim.Sequences;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.memory.MemoryEventLogStore;
import io.seriatim.server.Access.Role;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The document and the server say the same. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OpenApiTest {

    private static final String SEQUENCE = "/v1/sequences/{name}";
    private static final Set<String> PARTS_OF_A_PATH = Set.of("get", "put", "post", "patch", "delete");

    private final HttpClient client = HttpClient.newHttpClient();
    private final SchemaRegistry schemas = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private final Map<Role, String> tokens = new EnumMap<>(Role.class);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private TroubledStore store;

    @SuppressWarnings("NullAway.Init")
    private Sequences sequences;

    @SuppressWarnings("NullAway.Init")
    private Applications applications;

    @SuppressWarnings("NullAway.Init")
    private Api api;

    @SuppressWarnings("NullAway.Init")
    private HttpServer server;

    @SuppressWarnings("NullAway.Init")
    private JsonNode document;

    /** One call of the document. */
    private record Operation(String path, String method, JsonNode node, JsonNode shared) {

        String name() {
            return method.toUpperCase(Locale.ROOT) + " " + path;
        }

        List<JsonNode> parameters() {
            List<JsonNode> all = new ArrayList<>();
            shared.forEach(all::add);
            node.path("parameters").forEach(all::add);
            return all;
        }

        boolean isOpen() {
            return node.has("security") && node.path("security").isEmpty();
        }

        Map<String, String> headers() {
            Map<String, String> headers = new HashMap<>();
            for (JsonNode parameter : parameters()) {
                if (parameter.path("in").asString().equals("header")) {
                    headers.put(
                            parameter.path("name").asString(),
                            parameter.path("example").asString());
                }
            }
            return headers;
        }
    }

    @BeforeEach
    void start() throws Exception {
        store = new TroubledStore();
        sequences = Sequences.on(store, Duration.ofSeconds(5));
        List<String> lines = new ArrayList<>();
        for (Role role : Role.values()) {
            String name = role.name().toLowerCase(Locale.ROOT);
            Tokens.Fresh fresh = Tokens.fresh(new SecureRandom(), name, name, List.of());
            tokens.put(role, "Bearer " + fresh.token());
            lines.add(fresh.line());
        }
        Path file = Files.write(folder.resolve("tokens"), lines);
        Settings settings =
                Settings.of(Map.of(Setting.TOKENS, file.toString(), Setting.BACKUP_DIR, folder.toString()), Map.of());
        applications = Applications.on(new MemoryEventLogStore());
        api = new Api(
                OpenStore.of(sequences, applications).with((target, now, told) -> backUp(target, now)),
                NewSequence.usual(),
                settings);
        server = HttpServer.start(
                api,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Limits.standard(),
                GuardFiles.of(settings).guard());
        document = Calls.json(send("GET", "/openapi.json", "", "*/*").body());
    }

    @AfterEach
    void stop() {
        store.release();
        server.close();
        applications.close();
        sequences.close();
    }

    private HttpResponse<String> send(String method, String target, String body, String accept) throws Exception {
        return send(method, target, body, Map.of("Accept", accept), Optional.of(Role.OPERATOR));
    }

    private HttpResponse<String> send(
            String method, String target, String body, Map<String, String> headers, Optional<Role> role)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.uri().resolve(target))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        role.map(tokens::get).ifPresent(token -> request.header("Authorization", token));
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private List<Operation> operations() {
        List<Operation> all = new ArrayList<>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().stream()
                        .filter(part -> PARTS_OF_A_PATH.contains(part.getKey()))
                        .forEach(part -> all.add(new Operation(
                                path.getKey(),
                                part.getKey(),
                                part.getValue(),
                                path.getValue().path("parameters")))));
        return all;
    }

    /** What the document says of an answer with this status; {@code default} where it names it not. */
    private JsonNode response(Operation operation, int status) {
        JsonNode responses = operation.node().path("responses");
        JsonNode response = responses.path(Integer.toString(status));
        return resolved(response.isMissingNode() ? responses.path("default") : response);
    }

    private JsonNode resolved(JsonNode node) {
        String reference = node.path("$ref").asString("");
        return reference.isEmpty() ? node : document.at(reference.substring(1));
    }

    private void requireValid(String what, JsonNode schema, String text) {
        String definitions = document.at("/components/schemas").toString();
        String whole = ("{\"allOf\":[" + schema + "],\"$defs\":" + definitions + "}")
                .replace("#/components/schemas/", "#/$defs/");
        assertThat(schemas.getSchema(whole, InputFormat.JSON).validate(text, InputFormat.JSON))
                .as(what + ": " + text)
                .isEmpty();
    }

    /** Compares an answer with what the document says of its status, type and schema. */
    private void requireAsDocumented(Operation operation, HttpResponse<String> answer) {
        String what = operation.name() + " " + answer.statusCode();
        JsonNode content = response(operation, answer.statusCode()).path("content");
        String type = answer.headers().firstValue("Content-Type").orElse("").replaceFirst(";.*", "");
        if (type.isEmpty()) {
            assertThat(content.isMissingNode()).as(what).isTrue();
            assertThat(answer.body()).isEmpty();
            return;
        }
        JsonNode schema = content.path(type).path("schema");
        assertThat(schema.isMissingNode()).as(what + " as " + type).isFalse();
        if (type.endsWith("json")) {
            requireValid(what, schema, answer.body());
        }
        for (String header : List.of("Retry-After", "WWW-Authenticate")) {
            assertThat(answer.headers().firstValue(header).isPresent())
                    .as(what + " " + header)
                    .isEqualTo(response(operation, answer.statusCode())
                            .at("/headers")
                            .has(header));
        }
    }

    @Test
    void routes_areThoseOfTheDocument() {
        assertThat(operations().stream().map(Operation::name))
                .containsExactlyInAnyOrderElementsOf(api.routes().stream()
                        .map(route -> route.method() + " " + route.path())
                        .toList());
        assertThat(document.path("openapi").asString()).startsWith("3.1");
        assertThat(operations().stream()
                        .map(operation -> operation.node().path("operationId").asString()))
                .doesNotHaveDuplicates();
    }

    /** The router itself is asked, over HTTP: nothing may be served beside the list of routes. */
    @Test
    void methods_areThoseThatTheServerAllows() throws Exception {
        Map<String, Set<String>> methods = new TreeMap<>();
        for (Operation operation : operations()) {
            methods.computeIfAbsent(operation.path(), path -> new TreeSet<>(Set.of("OPTIONS")))
                    .addAll(
                            operation.method().equals("get")
                                    ? Set.of("GET", "HEAD")
                                    : Set.of(operation.method().toUpperCase(Locale.ROOT)));
        }
        for (Map.Entry<String, Set<String>> path : methods.entrySet()) {
            HttpResponse<String> answer = send("OPTIONS", path.getKey().replaceAll("\\{[a-z]+}", "a"), "", "*/*");
            assertThat(answer.headers().firstValue("Allow"))
                    .as(path.getKey())
                    .hasValue(String.join(", ", path.getValue()));
        }
    }

    @Test
    void references_endSomewhere() {
        for (JsonNode reference : document.findValues("$ref")) {
            assertThat(document.at(reference.asString().substring(1)).isMissingNode())
                    .as(reference.asString())
                    .isFalse();
        }
    }

    /** In the order of the document, but the drop last. A parameter without example is for sequences with a format. */
    @Test
    void examples_allWork() throws Exception {
        List<Operation> all = new ArrayList<>(operations());
        all.sort((a, b) ->
                Boolean.compare(a.method().equals("delete"), b.method().equals("delete")));
        defineTheNumbersOfTheExamples();
        for (Operation operation : all) {
            String target = operation.path();
            String query = "";
            for (JsonNode parameter : operation.parameters()) {
                String name = parameter.path("name").asString();
                if (!parameter.has("example")) {
                    continue;
                }
                String example = name.equals("id") && operation.path().startsWith(SEQUENCE)
                        ? heldReservation()
                        : parameter.path("example").asString();
                requireValid(
                        name,
                        parameter.path("schema"),
                        parameter.path("example").toString());
                if (parameter.path("in").asString().equals("path")) {
                    target = target.replace("{" + name + "}", example);
                } else if (parameter.path("in").asString().equals("query")) {
                    query += (query.isEmpty() ? "?" : "&") + name + "=" + example;
                }
            }
            JsonNode body = operation.node().at("/requestBody/content/application~1json");
            if (!body.isMissingNode()) {
                requireValid(
                        operation.name(),
                        body.path("schema"),
                        body.path("example").toString());
            }
            String sent = body.isMissingNode() ? "" : body.path("example").toString();
            boolean answersNothing = operation.node().path("responses").has("204");
            Iterable<String> types = answersNothing
                    ? List.of("*/*")
                    : response(operation, operation.node().path("responses").has("201") ? 201 : 200)
                            .path("content")
                            .propertyNames();
            for (String type : types) {
                if (type.equals("text/event-stream")) {
                    continue; // has no end
                }
                Map<String, String> headers = new HashMap<>(operation.headers());
                headers.put("Accept", type);
                HttpResponse<String> answer = send(
                        operation.method().toUpperCase(Locale.ROOT),
                        target + query,
                        sent,
                        headers,
                        Optional.of(Role.OPERATOR));
                assertThat(answer.statusCode())
                        .as(operation.name() + answer.body())
                        .isBetween(200, 299);
                requireAsDocumented(operation, answer);
            }
        }
    }

    /** With the number that the document has as an example. */
    private void defineTheNumbersOfTheExamples() throws Exception {
        send("PUT", "/v1/sequences/invoices", """
                {"contract": "gapless", "format": {"template": "INV-{year}-{seq:4}", "reset": "yearly"}}""", "*/*");
        send("POST", "/v1/sequences/invoices/next", "{\"date\": \"2026-07-09\"}", "*/*");
    }

    /** The id of one that nobody has ended. */
    private String heldReservation() throws Exception {
        return Calls.json(send("POST", "/v1/sequences/invoices/reservations", "{\"date\": \"2026-07-09\"}", "*/*")
                        .body())
                .path("id")
                .asString();
    }

    /** A call that brings a status about. */
    private record Cause(String method, String path, String target, String body, Map<String, String> headers) {
        Cause with(String key) {
            return new Cause(method, path, target, body, Map.of("Idempotency-Key", key));
        }
    }

    private static Cause on(String method, String rest, String name, String body) {
        return new Cause(method, SEQUENCE + rest, SEQUENCE.replace("{name}", name) + rest, body, Map.of());
    }

    /** One whose path has names behind that of the sequence. */
    private static Cause in(String method, String route, String target, String body) {
        return new Cause(method, SEQUENCE + route, "/v1/sequences/" + target, body, Map.of());
    }

    private static Cause at(String method, String path, String query) {
        return new Cause(method, path, path + query, "", Map.of());
    }

    /** One for each status of each call, in an order in which they work. */
    private static List<Cause> causes() {
        List<Cause> all = new ArrayList<>(causesOfValues());
        all.addAll(causesOfNumbers());
        all.addAll(causesOfLogs());
        return all;
    }

    private static List<Cause> causesOfLogs() {
        String customer = "{\"kind\": \"shop\", \"cuds\": [{\"type\": \"customer\", \"id\": %d}]}";
        List<Cause> all = new ArrayList<>(List.of(
                log("PUT", "", "s", LogCallsContract.SHOP),
                log("PUT", "", "s", LogCallsContract.SHOP),
                log("PUT", "", "s", LogCallsContract.SHOP.replace("\"partitions\": 2", "\"partitions\": 3")),
                log("PUT", "", "s", "{}"),
                at("GET", "/v1/logs", "?limit=1"),
                at("GET", "/v1/logs", "?limit=0"),
                log("POST", "/workspaces/{wsid}/events", "s/workspaces/1/events", LogCallsContract.ORDER)
                        .with("k"),
                log("POST", "/workspaces/{wsid}/events", "s/workspaces/1/events", customer.formatted(1))
                        .with("k"),
                log("POST", "/workspaces/{wsid}/events", "s/workspaces/1/events", customer.formatted(200_003)),
                log("POST", "/workspaces/{wsid}/events", "s/workspaces/1/events", "{}"),
                log("POST", "/workspaces/{wsid}/events", "missing/workspaces/1/events", customer.formatted(1))));
        for (String[] read : new String[][] {
            {"", "s", "missing"},
            {"/workspaces/{wsid}/events", "s/workspaces/1/events", "missing/workspaces/1/events"},
            {"/workspaces/{wsid}/records/{id}", "s/workspaces/1/records/200003", "s/workspaces/1/records/9"},
            {"/partitions/{p}", "s/partitions/1", "s/partitions/2"},
            {"/partitions/{p}/events", "s/partitions/1/events", "s/partitions/2/events"}
        }) {
            all.add(log("GET", read[0], read[1], ""));
            all.add(log("GET", read[0], read[1] + "?x=1", ""));
            all.add(log("GET", read[0], read[2], ""));
        }
        for (String act : List.of("check", "actualize", "rebuild")) {
            all.add(log("POST", "/partitions/{p}/" + act, "s/partitions/1/" + act, ""));
            all.add(log("POST", "/partitions/{p}/" + act, "s/partitions/1/" + act, "{\"x\": 1}"));
            all.add(log("POST", "/partitions/{p}/" + act, "s/partitions/2/" + act, ""));
        }
        all.add(log("DELETE", "", "s?x=1", ""));
        all.add(log("DELETE", "", "s", ""));
        all.add(log("DELETE", "", "s", ""));
        return all;
    }

    private static Cause log(String method, String route, String target, String body) {
        return new Cause(method, "/v1/logs/{log}" + route, "/v1/logs/" + target, body, Map.of());
    }

    private static List<Cause> causesOfNumbers() {
        String date = "{\"date\": \"2026-07-09\"}";
        String why = "{\"reason\": \"test\"}";
        String unknown = "1.4fd1a20c99b1e7d3.12~2026~";
        List<Cause> all = new ArrayList<>(List.of(
                on("PUT", "", "n", """
                        {"contract": "gapless", "format": {"template": "{year}-{seq}", "reset": "yearly"}}"""),
                on("PUT", "", "old", "{\"format\": {\"template\": \"OLD-{seq}\"}}"),
                on("POST", "/import", "old", "{\"runs\": [{\"first\": 5, \"last\": 7}]}"),
                on("POST", "/import", "old", "{\"runs\": [{\"first\": 1, \"last\": 2}]}"),
                on("POST", "/import", "old", "{}"),
                on("POST", "/import", "missing", "{\"runs\": [{\"first\": 5}]}"),
                on("POST", "/next", "n", date),
                on("POST", "/reservations", "n", date).with("r"),
                on("POST", "/reservations", "n", "{\"date\": \"2025-07-09\"}").with("r"),
                on("POST", "/reservations", "n", "{\"count\": 1}"),
                on("POST", "/reservations", "missing", date),
                on("DELETE", "", "n", ""),
                in("POST", "/periods/{key}/close", "n/periods/2026/close", why),
                in("POST", "/periods/{key}/close", "n/periods/2027/close", why),
                in("POST", "/periods/{key}/close", "n/periods/2027/close", "{}"),
                in("POST", "/periods/{key}/close", "missing/periods/2027/close", why),
                on("POST", "/reservations", "n", "{\"date\": \"2027-07-09\"}"),
                in("GET", "/numbers/{text}", "n/numbers/2026-1", ""),
                in("GET", "/numbers/{text}", "n/numbers/2026-9", ""),
                in("GET", "/numbers/{text}", "n/numbers/2026-9?x=1", ""),
                in("POST", "/numbers/{text}/void", "n/numbers/2026-1/void", why),
                in("POST", "/numbers/{text}/void", "n/numbers/2026-1/void", why),
                in("POST", "/numbers/{text}/void", "n/numbers/2026-9/void", why),
                in("POST", "/numbers/{text}/void", "n/numbers/2026-1/void", "{}"),
                in("GET", "/reservations/{id}", "n/reservations/" + unknown, ""),
                in("GET", "/reservations/{id}", "n/reservations/" + unknown + "?x=1", "")));
        for (String step : List.of("confirm", "cancel")) {
            String route = "/reservations/{id}/" + step;
            all.add(in("POST", route, "n/reservations/" + unknown + "/" + step, ""));
            all.add(in("POST", route, "n/reservations/" + unknown + "/" + step, "{\"x\": 1}"));
        }
        for (String report : List.of("gaps", "ledger", "verify")) {
            all.add(in("GET", "/" + report, "n/" + report + "?period=2026", ""));
            all.add(in("GET", "/" + report, "n/" + report, ""));
            all.add(in("GET", "/" + report, "missing/" + report + "?period=2026", ""));
        }
        all.add(on("GET", "/periods", "n", ""));
        all.add(in("GET", "/periods", "n/periods?limit=0", ""));
        all.add(on("GET", "/periods", "missing", ""));
        return all;
    }

    private static List<Cause> causesOfValues() {
        return List.of(
                on("PUT", "", "a", "{\"max\": 3, \"cache\": 1}"),
                on("PUT", "", "a", "{\"max\": 3, \"cache\": 1}"),
                on("PUT", "", "a", "{\"max\": 4}"),
                on("PUT", "", "a", "{\"increment\": 0}"),
                on("PUT", "", "cycling", "{\"max\": 3, \"cycle\": true, \"contract\": \"ordered\"}"),
                on("GET", "", "a", ""),
                on("GET", "", "cycling", ""),
                on("GET", "", "missing", ""),
                on("GET", "", "bad%20name", ""),
                on("PATCH", "", "a", "{\"min\": null}"),
                on("PATCH", "", "a", "{\"max\": 0}"),
                on("PATCH", "", "missing", "{\"max\": 9}"),
                at("GET", "/v1/sequences", "?limit=1"),
                at("GET", "/v1/sequences", "?limit=0"),
                on("POST", "/next", "a", "{\"count\": 2}"),
                on("POST", "/next", "a", "{\"count\": 2}"),
                on("POST", "/next", "a", "{\"count\": 1e3}"),
                on("POST", "/next", "missing", ""),
                on("POST", "/next", "cycling", "").with("k"),
                on("POST", "/next", "cycling", "{\"count\": 2}").with("k"),
                on("POST", "/blocks", "cycling", "{\"count\": 2}").with("k"),
                on("POST", "/gone", "a", "{\"node\": \"4fd1a20c99b1e7d3\", \"reason\": \"killed\"}"),
                on("POST", "/gone", "a", "{\"node\": \"4fd1a20c99b1e7d3\"}"),
                on("POST", "/gone", "missing", "{\"node\": \"4fd1a20c99b1e7d3\", \"reason\": \"killed\"}"),
                on("GET", "/audit", "a", ""),
                on("GET", "/audit", "missing", ""),
                on("GET", "/audit", "bad%20name", ""),
                at("GET", "/v1/cluster", ""),
                at("GET", "/v1/cluster", "?x=1"),
                at("GET", "/v1/config", ""),
                at("GET", "/v1/config", "?x=1"),
                on("PATCH", "", "a", "{\"restart\": 1}"),
                on("GET", "/peek", "a", ""),
                on("GET", "/peek", "missing", ""),
                on("GET", "/peek", "bad%20name", ""),
                on("POST", "/blocks", "a", "{\"count\": 9}"),
                on("POST", "/blocks", "a", "{\"count\": 1}"),
                on("POST", "/blocks", "a", "{}"),
                on("POST", "/blocks", "missing", "{\"count\": 1}"),
                on("GET", "/peek", "a", ""),
                on("POST", "/restart", "a", "{\"value\": 1}"),
                on("POST", "/restart", "a", "{\"value\": 99}"),
                on("POST", "/restart", "missing", "{\"value\": 1}"),
                on("POST", "/restart", "a", "{\"value\": 1, \"allowReuse\": true, \"reason\": \"test\"}"),
                at("GET", "/metrics", ""),
                at("GET", "/metrics", "?x=1"),
                at("GET", "/openapi.json", ""),
                at("GET", "/openapi.json", "?x=1"),
                at("GET", "/health/live", ""),
                at("GET", "/health/ready", ""),
                on("DELETE", "", "a", ""),
                on("DELETE", "", "a", ""),
                on("DELETE", "", "bad%20name", ""));
    }

    @Test
    void everyAnswer_isAsTheDocumentSays() throws Exception {
        Set<String> seen = new TreeSet<>();
        for (Cause cause : causes()) {
            seen.add(answered(cause));
        }
        for (Cause cause : List.of(
                backup("GET", "", ""),
                backup("POST", "", "{\"name\": \"monday\"}"),
                backup("GET", "", ""),
                backup("GET", "?bogus=1", ""),
                backup("POST", "", "{}"),
                backup("POST", "", "{\"name\": \"taken\"}"))) {
            seen.add(answered(cause));
        }
        seen.addAll(reservationsEnded());
        seen.addAll(refusedOfTokens());
        stop();
        start();
        seen.addAll(refusedOfKeys());
        store.fail(new StoreException(Kind.FAILED, "the disk is gone"));
        for (Operation operation : operations()) {
            if (operation.node().path("responses").has("503")) {
                String method = operation.method().toUpperCase(Locale.ROOT);
                String target = operation.path().replaceAll("\\{[a-z]+}", "b");
                seen.add(answered(new Cause(method, operation.path(), target, "", Map.of())));
            }
        }
        Set<String> documented = new TreeSet<>();
        for (Operation operation : operations()) {
            operation.node().path("responses").propertyNames().stream()
                    .filter(status -> !status.equals("default"))
                    .forEach(status -> documented.add(operation.name() + " " + status));
        }
        assertThat(seen).isEqualTo(documented);
    }

    private static Cause backup(String method, String query, String body) {
        return new Cause(method, "/v1/backup", "/v1/backup" + query, body, Map.of());
    }

    /** Makes none, and finds one name taken. */
    private static BackupMaker.Made backUp(Path target, Instant now) throws FileAlreadyExistsException {
        if (target.endsWith("taken")) {
            throw new FileAlreadyExistsException(target.toString());
        }
        return new BackupMaker.Made(target.toString(), 1, now, 7, 3, 4096);
    }

    /** Steps of reservations, whose ids the answers say. */
    private Set<String> reservationsEnded() throws Exception {
        Set<String> seen = new TreeSet<>();
        for (String step : List.of("confirm", "cancel")) {
            String id = Calls.json(send("POST", "/v1/sequences/n/reservations", "{\"date\": \"2026-07-09\"}", "*/*")
                            .body())
                    .path("id")
                    .asString();
            Cause ending = in("POST", "/reservations/{id}/" + step, "n/reservations/" + id + "/" + step, "");
            seen.add(answered(in("GET", "/reservations/{id}", "n/reservations/" + id, "")));
            seen.add(answered(ending));
            seen.add(answered(ending));
        }
        return seen;
    }

    /** No token, and the token of a role that the call is not for, by what the document says of security. */
    private Set<String> refusedOfTokens() throws Exception {
        Set<String> seen = new TreeSet<>();
        for (Operation operation : operations()) {
            String method = operation.method().toUpperCase(Locale.ROOT);
            Cause cause =
                    new Cause(method, operation.path(), operation.path().replaceAll("\\{[a-z]+}", "a"), "", Map.of());
            Role wrong = method.equals("GET") ? Role.ALLOCATOR : Role.VIEWER;
            String none = answered(cause, Optional.empty());
            String other = answered(cause, Optional.of(wrong));
            if (operation.isOpen()) {
                assertThat(List.of(none, other)).containsOnly(operation.name() + " 200");
            } else {
                assertThat(none).endsWith(" 401");
                assertThat(other).endsWith(" 403");
            }
            seen.addAll(List.of(none, other));
        }
        return seen;
    }

    /** A server counts the keys with the first call that has one, and beside it. */
    private Set<String> refusedOfKeys() throws Exception {
        store.addKeys(1_000_000);
        Set<String> seen = new TreeSet<>();
        seen.add(answered(on("PUT", "", "cycling", "{\"max\": 3, \"cycle\": true}")));
        seen.add(answered(on("PUT", "", "held", "{\"contract\": \"gapless\", \"format\": {\"template\": \"{seq}\"}}")));
        for (String rest : List.of("/next", "/blocks", "/reservations")) {
            boolean holds = rest.equals("/reservations");
            String full = "POST " + SEQUENCE + rest + " 429";
            for (int i = 0; !seen.contains(full); i++) {
                seen.add(answered(on("POST", rest, holds ? "held" : "cycling", holds ? "{}" : "{\"count\": 1}")
                        .with("more-" + rest + i)));
            }
        }
        return seen;
    }

    private Operation operation(Cause cause) {
        return operations().stream()
                .filter(each -> each.name().equals(cause.method() + " " + cause.path()))
                .findFirst()
                .orElseThrow();
    }

    private String answered(Cause cause) throws Exception {
        return answered(cause, Optional.of(Role.OPERATOR));
    }

    private String answered(Cause cause, Optional<Role> role) throws Exception {
        Operation operation = operation(cause);
        HttpResponse<String> answer = send(cause.method(), cause.target(), cause.body(), cause.headers(), role);
        requireAsDocumented(operation, answer);
        return operation.name() + " " + answer.statusCode();
    }

    @Test
    void calls_onASequenceWithAFormat_areAsDocumented() throws Exception {
        String next = "{\"date\": \"2026-07-09\", \"scope\": {\"store\": \"N\"}}";
        List<Cause> causes = List.of(
                on("PUT", "", "numbers", """
                        {"format": {"template": "{scope:store}-{year}-{seq:4}", "reset": "yearly", "maxLength": "50",
                         "scopes": [{"name": "store", "max": 6, "fixed": null}], "fiscalStart": null}}"""),
                on("GET", "", "numbers", ""),
                on("POST", "/next", "numbers", next),
                on("PATCH", "", "numbers", "{\"format\": {\"template\": \"{scope:store}/{year}/{seq}\"}}"),
                new Cause(
                        "GET",
                        SEQUENCE + "/peek",
                        "/v1/sequences/numbers/peek?at=2026-07-09T10:11:12Z&scope.store=N",
                        "",
                        Map.of()),
                new Cause("GET", SEQUENCE, "/v1/sequences/numbers?at=2026-07-09T10:11:12Z&scope.store=N", "", Map.of()),
                at("GET", "/health/ready", ""),
                at("GET", "/v1/sequences", "?prefix=numbers"),
                on("POST", "/restart", "numbers", """
                        {"value": 7, "period": "2026", "scope": {"store": "N"}}"""));
        for (Cause cause : causes) {
            if (!cause.body().isEmpty()) {
                String schema = "/requestBody/content/application~1json/schema";
                requireValid(cause.path(), operation(cause).node().at(schema), cause.body());
            }
            assertThat(answered(cause)).endsWith(cause.method().equals("PUT") ? " 201" : " 200");
        }
        assertThat(answered(on("PUT", "", "bad", "{\"format\": {\"template\": \"{seq\"}}")))
                .endsWith(" 400");
    }

    /** Where no tokens are asked for, as the caller here; the server above shows how many and not which. */
    @Test
    void ready_withWarnings_isAsDocumented() throws Exception {
        assertThat(send("PUT", "/v1/sequences/few", "{\"max\": 10, \"warnAt\": 10}", "*/*")
                        .statusCode())
                .isEqualTo(201);
        Reply ready = api.answer(new Call("GET", "/health/ready", "", Map.of(), ""));
        requireValid("ready", document.at("/components/schemas/Ready"), ready.body());
        assertThat(Calls.json(ready.body()).path("warnings")).hasSize(1);
    }

    /** Options that the document leaves out would be unknown to those who read it. */
    @Test
    void definition_hasEveryOption() {
        assertThat(document.at("/components/schemas/Definition/properties").propertyNames())
                .containsAll(SequenceDefinition.optionNames());
        assertThat(document.at("/components/schemas/Sequence/properties").propertyNames())
                .containsAll(SequenceDefinition.optionNames());
    }
}
