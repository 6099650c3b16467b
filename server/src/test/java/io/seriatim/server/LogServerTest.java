package io.seriatim.server;

import static io.seriatim.server.Calls.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.Sequences;
import io.seriatim.SystemEnvironment;
import io.seriatim.eventlog.application.ApplicationSettings;
import io.seriatim.eventlog.application.Applications;
import io.seriatim.eventlog.application.PartitionStatistics;
import io.seriatim.memory.MemoryCounterStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Event logs over HTTP: answers that come later, and events as they happen. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LogServerTest {

    private static final Limits LIMITS = new Limits(
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(2),
                    2,
                    100,
                    Duration.ofSeconds(5),
                    1_000)
            .withFollowers(3);

    private static final String LOG = "/v1/logs/shop";
    private static final String EVENTS = LOG + "/workspaces/0/events";
    private static final String PARTITION_EVENTS = LOG + "/partitions/0/events";

    private final TroubledLog log = new TroubledLog();
    private final SystemEnvironment environment = new SystemEnvironment();
    private final Sequences sequences = Sequences.on(new MemoryCounterStore());
    private final HttpClient client = HttpClient.newHttpClient();

    @SuppressWarnings("NullAway.Init")
    private Applications applications;

    @SuppressWarnings("NullAway.Init")
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        applications = Applications.on(log, ApplicationSettings.usual(), environment);
        server = HttpServer.start(
                new Api(OpenStore.of(sequences, applications), NewSequence.usual()),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                LIMITS);
        deploy(LogCallsContract.SHOP);
    }

    private void deploy(String definition) throws Exception {
        assertThat(send("PUT", LOG, definition).statusCode()).isIn(200, 201);
        appendUntilReady();
    }

    /** The first event of a partition that may still be reading its log. */
    private void appendUntilReady() throws Exception {
        HttpResponse<String> reply = send("POST", EVENTS, LogCallsContract.ORDER);
        while (reply.statusCode() == 503) {
            assertThat(reply.body()).contains("RECOVERING");
            reply = send("POST", EVENTS, LogCallsContract.ORDER);
        }
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(201);
    }

    @AfterEach
    void stop() {
        log.release();
        server.close();
        applications.close();
        sequences.close();
        environment.close();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(server.uri().resolve(path));
    }

    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        return client.send(
                request(path)
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private CompletableFuture<HttpResponse<String>> append(String body) {
        return client.sendAsync(
                request(EVENTS).POST(HttpRequest.BodyPublishers.ofString(body)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    // ---- answers that come later

    /** With two workers, more commands than these wait at the same time, and share appends. */
    @Test
    void append_ofManyAtOnce_holdsNoWorkerAndFillsGroups() throws Exception {
        PartitionStatistics before = applications.get("shop").partition(0).statistics();
        log.holdAppends();
        List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, 64)
                .mapToObj(i -> append(LogCallsContract.ORDER))
                .toList();
        while (applications.get("shop").partition(0).statistics().commands() - before.commands() < 64) {
            Thread.onSpinWait();
        }
        assertThat(send("POST", "/v1/sequences/a/next?define=true", "").statusCode())
                .as("a worker is free")
                .isEqualTo(200);
        log.release();
        List<Long> offsets = new ArrayList<>();
        for (CompletableFuture<HttpResponse<String>> each : answers) {
            HttpResponse<String> answer = each.get(20, TimeUnit.SECONDS);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            offsets.add(json(answer.body()).path("plogOffset").asLong());
        }
        assertThat(offsets.stream().sorted().toList())
                .isEqualTo(IntStream.rangeClosed(2, 65).mapToObj(Long::valueOf).toList());
        PartitionStatistics after = applications.get("shop").partition(0).statistics();
        assertThat(after.events() - before.events()).isEqualTo(64);
        assertThat(after.groups() - before.groups()).isLessThan(10);
    }

    @Test
    void append_underAKey_isAnsweredOnceOverHttp() throws Exception {
        HttpRequest keyed = request(EVENTS)
                .header("Idempotency-Key", "k")
                .POST(HttpRequest.BodyPublishers.ofString(LogCallsContract.ORDER))
                .build();
        HttpResponse<String> first = client.send(keyed, HttpResponse.BodyHandlers.ofString());
        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(client.send(keyed, HttpResponse.BodyHandlers.ofString()).body())
                .isEqualTo(first.body());
        HttpRequest other = request(EVENTS)
                .header("Idempotency-Key", "k")
                .POST(HttpRequest.BodyPublishers.ofString(LogCallsContract.customer("{}")))
                .build();
        assertThat(client.send(other, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(422);
    }

    @Test
    void append_ofABodyThatIsTooLarge_is413() throws Exception {
        String fields = "{\"a\": \"" + "x".repeat(Limits.BODY_BYTES) + "\"}";
        assertThat(send("POST", EVENTS, LogCallsContract.customer(fields)).statusCode())
                .isEqualTo(413);
    }

    /** What is in flight when the server stops is answered. */
    @Test
    void close_whileACommandWaits_answersIt() throws Exception {
        PartitionStatistics before = applications.get("shop").partition(0).statistics();
        log.holdAppends();
        CompletableFuture<HttpResponse<String>> answer = append(LogCallsContract.ORDER);
        while (applications.get("shop").partition(0).statistics().commands() == before.commands()) {
            Thread.onSpinWait();
        }
        CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);
        log.release();
        assertThat(answer.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
        closing.get(20, TimeUnit.SECONDS);
    }

    // ---- followers

    /** The lines of a stream, as they come. */
    private final class Lines implements AutoCloseable {
        private final Stream<String> lines;
        private final Iterator<String> iterator;

        Lines(Version version, String path, String... headers) throws Exception {
            HttpRequest.Builder request = request(path).header("Accept", "text/event-stream");
            for (int i = 0; i < headers.length; i += 2) {
                request.header(headers[i], headers[i + 1]);
            }
            HttpResponse<Stream<String>> response = HttpClient.newBuilder()
                    .version(version)
                    .build()
                    .send(request.build(), HttpResponse.BodyHandlers.ofLines());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type")).hasValue("text/event-stream");
            lines = response.body();
            iterator = lines.iterator();
        }

        /** The id of the next event, whose data must be of it. */
        long next() {
            long id = -1;
            while (iterator.hasNext()) {
                String line = iterator.next();
                if (line.startsWith("id: ")) {
                    id = Long.parseLong(line.substring(4));
                } else if (line.startsWith("data: ")) {
                    assertThat(json(line.substring(6)).path("plogOffset").asLong())
                            .isEqualTo(id);
                    return id;
                }
            }
            throw new IllegalStateException("the stream has ended");
        }

        String nextLine() {
            return iterator.next();
        }

        boolean isOver() {
            while (iterator.hasNext()) {
                if (!iterator.next().isEmpty()) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void close() {
            lines.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Version.class)
    void follow_whileEventsCome_tellsEachOnceInOrder(Version version) throws Exception {
        try (Lines stream = new Lines(version, PARTITION_EVENTS);
                Lines workspace = new Lines(version, EVENTS)) {
            CompletableFuture<Void> appending = CompletableFuture.runAsync(() -> IntStream.range(0, 20)
                    .forEach(round -> IntStream.range(0, 20)
                            .mapToObj(i -> append(LogCallsContract.ORDER))
                            .toList()
                            .forEach(
                                    each -> assertThat(each.join().statusCode()).isEqualTo(201))));
            for (long offset = 1; offset <= 401; offset++) {
                assertThat(stream.next()).isEqualTo(offset);
                assertThat(workspace.next()).isEqualTo(offset);
            }
            appending.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void follow_fromAnOffset_beginsThere() throws Exception {
        send("POST", EVENTS, LogCallsContract.ORDER);
        send("POST", EVENTS, LogCallsContract.ORDER);
        try (Lines stream = new Lines(Version.HTTP_1_1, PARTITION_EVENTS + "?from=2")) {
            assertThat(stream.next()).isEqualTo(2);
        }
        try (Lines stream = new Lines(Version.HTTP_1_1, PARTITION_EVENTS + "?from=1", "Last-Event-ID", "2")) {
            assertThat(stream.next()).isEqualTo(3);
        }
    }

    /** A deployment opens new partitions; the stream of an old one ends, and goes on where the caller comes again. */
    @Test
    void follow_overADeployment_endsAndGoesOn() throws Exception {
        try (Lines stream = new Lines(Version.HTTP_1_1, PARTITION_EVENTS)) {
            assertThat(stream.next()).isEqualTo(1);
            deploy(LogCallsContract.SHOP.replace("\"ODoc\"}", "\"ODoc\"}, \"note\": {\"kind\": \"WDoc\"}"));
            assertThat(stream.isOver()).isTrue();
        }
        try (Lines stream = new Lines(Version.HTTP_1_1, PARTITION_EVENTS, "Last-Event-ID", "1")) {
            assertThat(stream.next()).isEqualTo(2);
        }
    }

    @Test
    void follow_overARebuild_tellsEachOnce() throws Exception {
        try (Lines stream = new Lines(Version.HTTP_1_1, EVENTS)) {
            assertThat(stream.next()).isEqualTo(1);
            assertThat(send("POST", LOG + "/partitions/0/rebuild", "").statusCode())
                    .isEqualTo(200);
            appendUntilReady();
            assertThat(stream.next()).isEqualTo(2);
        }
    }

    /** Nothing comes from a follower, for longer than a connection may be idle. */
    @Test
    void follow_whileNothingHappens_isKeptAlive() throws Exception {
        try (Lines stream = new Lines(Version.HTTP_1_1, PARTITION_EVENTS)) {
            assertThat(stream.next()).isEqualTo(1);
            int comments = 0;
            long since = System.nanoTime();
            while (System.nanoTime() - since < LIMITS.idle().toNanos() * 3 / 2) {
                comments += stream.nextLine().startsWith(":") ? 1 : 0;
            }
            assertThat(comments).isGreaterThan(2);
            send("POST", EVENTS, LogCallsContract.ORDER);
            assertThat(stream.next()).isEqualTo(2);
        }
    }

    @Test
    void follow_byTooMany_isRefused() throws Exception {
        List<Lines> streams = new ArrayList<>();
        for (int i = 0; i < LIMITS.followers(); i++) {
            streams.add(new Lines(Version.HTTP_1_1, PARTITION_EVENTS));
        }
        HttpRequest oneMore =
                request(PARTITION_EVENTS).header("Accept", "text/event-stream").build();
        HttpResponse<String> refused = client.send(oneMore, HttpResponse.BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).contains("TOO_MANY");
        streams.forEach(Lines::close);
        awaitFollowers(0);
        new Lines(Version.HTTP_1_1, PARTITION_EVENTS).close();
    }

    private void awaitFollowers(int count) throws Exception {
        while (!send("GET", "/metrics", "").body().contains("seriatim_followers " + count + ".0")) {
            Thread.onSpinWait();
        }
    }

    /** A caller who does not read stops nobody, holds one page, and is cut off after a while. */
    @Test
    void follow_byACallerWhoDoesNotRead_isCutOff() throws Exception {
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.send("GET " + EVENTS + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n");
            awaitFollowers(1);
            String large = LogCallsContract.customer("{\"a\": \"" + "x".repeat(60_000) + "\"}");
            for (int i = 0; i < 300; i++) {
                HttpResponse<String> reply = append(large).get(20, TimeUnit.SECONDS);
                assertThat(reply.statusCode()).as(reply.body()).isEqualTo(201);
            }
            awaitFollowers(0);
        }
    }

    @Test
    void follow_whenTheServerStops_ends() throws Exception {
        try (Lines stream = new Lines(Version.HTTP_1_1, PARTITION_EVENTS)) {
            assertThat(stream.next()).isEqualTo(1);
            long since = System.nanoTime();
            server.close();
            assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(HttpServer.DRAIN);
            assertThat(stream.isOver()).isTrue();
        }
    }

    @Test
    void follow_ofNothing_isAProblem() throws Exception {
        for (String path : List.of("/v1/logs/none/partitions/0/events", LOG + "/partitions/7/events")) {
            HttpRequest request =
                    request(path).header("Accept", "text/event-stream").build();
            HttpResponse<String> reply = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(reply.statusCode()).isEqualTo(404);
            assertThat(reply.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        }
        HttpRequest head = request(PARTITION_EVENTS)
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .header("Accept", "text/event-stream")
                .build();
        assertThat(client.send(head, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
    }

    // ---- what is told of partitions

    @Test
    void metrics_tellOfEachPartition() throws Exception {
        send("POST", EVENTS, LogCallsContract.ORDER);
        String metrics = send("GET", "/metrics", "").body();
        String labels = "{log=\"shop\",partition=\"0\"}";
        assertThat(metrics)
                .contains("seriatim_log_commands_total" + labels + " 2.0")
                .contains("seriatim_log_events_total" + labels + " 2.0")
                .contains("seriatim_log_groups_total" + labels)
                .contains("seriatim_log_store_failures_total" + labels + " 0.0")
                .contains("seriatim_log_backlog_commands" + labels)
                .contains("seriatim_log_backlog_events" + labels)
                .contains("seriatim_log_backlog_values" + labels)
                .contains("seriatim_log_checkpoint_lag" + labels)
                .contains("seriatim_log_workspaces_cached" + labels + " 1.0")
                .contains("seriatim_log_status{log=\"shop\",partition=\"0\",status=\"ready\"} 1.0")
                .contains("partition=\"1\"");
        send("DELETE", LOG, "");
        assertThat(send("GET", "/metrics", "").body()).doesNotContain("log=\"shop\"");
    }

    @ParameterizedTest
    @CsvSource({"viewer,403,403,200", "allocator,201,403,403", "operator,201,200,200"})
    void access_isAsForSequences(String role, int append, int check, int read) throws IOException {
        Access.Role its = Access.Role.valueOf(role.toUpperCase(java.util.Locale.ROOT));
        Caller caller = new Caller("c", java.util.Set.of(its), List.of());
        Api api = new Api(OpenStore.of(sequences, applications), NewSequence.usual());
        assertThat(answer(api, "POST", EVENTS, LogCallsContract.ORDER, caller)).isEqualTo(append);
        assertThat(answer(api, "POST", LOG + "/partitions/0/check", "", caller)).isEqualTo(check);
        assertThat(answer(api, "GET", EVENTS, "", caller)).isEqualTo(read);
        Caller other = new Caller("c", java.util.Set.of(Access.Role.ALLOCATOR), List.of("a*"));
        assertThat(answer(api, "POST", EVENTS, LogCallsContract.ORDER, other)).isEqualTo(403);
    }

    private static int answer(Api api, String method, String path, String body, Caller caller) {
        return api.answer(new Call(method, path, "", Map.of(), body, caller)).status();
    }
}
