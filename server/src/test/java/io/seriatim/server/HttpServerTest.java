package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seriatim.SequenceDefinition;
import io.seriatim.Sequences;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is of HTTP and not of the calls: each {@link CallsContract} has those. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HttpServerTest {

    private static final Limits LIMITS = new Limits(
            Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofSeconds(2), 2, 2, Duration.ofMillis(300), 1_000);
    private static final String NEXT = "/v1/sequences/a/next";

    /** An empty SETTINGS frame, with which a client begins. */
    private static final byte[] HTTP2_SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

    private final TroubledStore store = new TroubledStore();
    private final Sequences sequences = Sequences.on(store, Duration.ofSeconds(1));
    private final HttpClient client = HttpClient.newHttpClient();

    @SuppressWarnings("NullAway.Init")
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.start(
                new Api(sequences, NewSequence.usual()),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                LIMITS);
        sequences.create("a", SequenceDefinition.ascending().cache(1_000));
    }

    @AfterEach
    void stop() {
        store.release();
        server.close();
        sequences.close();
    }

    // ---- requests

    @ParameterizedTest
    @ValueSource(strings = {"HTTP_1_1", "HTTP_2"})
    void everyMethod_isAnsweredOverBothVersions(Version version) throws Exception {
        HttpClient client = HttpClient.newBuilder().version(version).build();
        assertThat(send(client, "PUT", "/v1/sequences/b", "{\"start\": 7}").statusCode())
                .isEqualTo(201);
        assertThat(send(client, "GET", "/v1/sequences/b", "").body()).contains("\"start\":7");
        assertThat(send(client, "POST", "/v1/sequences/b/next", "{\"count\": 2}")
                        .body())
                .contains("\"text\":\"7\"", "\"text\":\"8\"");
        assertThat(send(client, "PATCH", "/v1/sequences/b", "{\"max\": 50}").body())
                .contains("\"max\":50");
        HttpResponse<String> head = send(client, "HEAD", "/v1/sequences/b", "");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValueAsLong("Content-Length").orElseThrow())
                .isPositive();
        assertThat(head.body()).isEmpty();
        HttpResponse<String> options = send(client, "OPTIONS", "/v1/sequences/b", "");
        assertThat(options.statusCode()).isEqualTo(204);
        assertThat(options.headers().firstValue("Allow")).hasValue("DELETE, GET, HEAD, OPTIONS, PATCH, PUT");
        assertThat(send(client, "DELETE", "/v1/sequences/b", "").statusCode()).isEqualTo(204);
        HttpResponse<String> gone = send(client, "GET", "/v1/sequences/b", "");
        assertThat(gone.statusCode()).isEqualTo(404);
        assertThat(gone.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    }

    @Test
    void http2_withPriorKnowledge_isSpoken() throws IOException {
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").send(HTTP2_SETTINGS);
            connection.endInput();
            // The server's preface is a SETTINGS frame: type 4 behind three bytes of length.
            assertThat(connection.untilClosed().charAt(3)).isEqualTo((char) 4);
        }
    }

    @Test
    void accept_inSeveralHeaders_countsAsOne() throws IOException {
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.send(
                    "POST " + NEXT + " HTTP/1.1\r\nHost: localhost\r\nAccept: image/png\r\nACCEPT: text/plain\r\n\r\n");
            RawConnection.Answer answer = connection.answer();
            assertThat(answer.body()).isEqualTo("1\n");
            assertThat(answer.hasHeader("Content-Type: text/plain; charset=utf-8"))
                    .isTrue();
        }
    }

    @Test
    void idempotencyKey_repeated_getsTheSameAnswer() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.uri().resolve(NEXT))
                .header("idempotency-KEY", "k")
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> first = client.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).body())
                .isEqualTo(first.body());
    }

    /** Two of them were taken for one key with a comma in it. */
    @Test
    void idempotencyKey_givenTwice_is400() throws IOException {
        String headers = "Host: localhost\r\nIdempotency-Key: a\r\nIdempotency-Key: %s\r\n\r\n";
        for (String second : List.of("b", "a", "")) {
            try (RawConnection connection = new RawConnection(server.uri())) {
                connection.send("POST " + NEXT + " HTTP/1.1\r\n" + headers.formatted(second));
                RawConnection.Answer answer = connection.answer();
                assertThat(answer.status()).as(second).isEqualTo(400);
                assertThat(answer.body()).contains("Idempotency-Key");
            }
        }
    }

    @Test
    void origin_thatIsNotThisServer_isForbidden() throws IOException {
        String ours = "127.0.0.1:" + server.uri().getPort();
        List<String> foreign = List.of(
                ours + "\r\nOrigin: http://example.com",
                ours + "\r\nOrigin: null",
                ours + "\r\nOrigin: http://127.0.0.1:1",
                ours + "\r\nOrigin: https://" + ours,
                "example.com:7450\r\nOrigin: http://example.com:7450",
                "127.0.0.1.example.com\r\nOrigin: http://127.0.0.1.example.com");
        for (String headers : foreign) {
            try (RawConnection connection = new RawConnection(server.uri())) {
                connection.send("POST " + NEXT + " HTTP/1.1\r\nHost: " + headers + "\r\n\r\n");
                RawConnection.Answer answer = connection.answer();
                assertThat(answer.status()).as(headers).isEqualTo(403);
                assertThat(answer.body()).contains("\"code\":\"FORBIDDEN\"");
            }
        }
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.send("POST " + NEXT + " HTTP/1.1\r\nHost: " + ours + "\r\nOrigin: http://" + ours + "\r\n\r\n");
            assertThat(connection.answer().body()).contains("\"text\":\"1\"");
        }
    }

    /** A page whose owner points its name at this machine is the browser's own, and could read every answer. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "example.com",
                "example.com:7450",
                "localhost.example.com",
                "127.0.0.1.example.com",
                "notlocalhost",
                "localhost.",
                "127.0.0.256",
                "127.0.0",
                "127.0.0.01",
                "128.0.0.1",
                "0.0.0.0",
                "10.0.0.1:7450",
                "[::2]",
                "[fe80::1]:7450",
                "[::ffff:10.0.0.1]",
                "[localhost]",
                "localhost:7450, example.com",
            })
    void host_thatIsNotThisMachine_isForbiddenWithoutTokens(String host) throws Exception {
        for (String method : List.of("GET", "PUT", "POST", "DELETE", "OPTIONS")) {
            for (String path : List.of("/v1/sequences/a", NEXT, "/health/ready", "/metrics", "/nowhere")) {
                try (RawConnection connection = new RawConnection(server.uri())) {
                    connection.send(method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
                    RawConnection.Answer answer = connection.answer();
                    assertThat(answer.status()).as(host).isIn(400, 403);
                    assertThat(answer.body()).containsAnyOf("\"code\":\"FORBIDDEN\"", "\"code\":\"BAD_REQUEST\"");
                }
            }
        }
        assertThat(next(client)).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LocalHost:1",
                "127.0.0.1:7450",
                "127.255.0.9",
                "[::1]",
                "[::1]:7450",
                "[0:0:0:0:0:0:0:1]:7450",
            })
    void host_thatIsThisMachine_isServed(String host) throws IOException {
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.send("POST " + NEXT + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
            assertThat(connection.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void host_missingOverHttp10_isServed() throws IOException {
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.send("GET /v1/sequences HTTP/1.0\r\n\r\n"); // no browser's
            assertThat(connection.answer().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "example.com"})
    void host_overHttp2_isTheAuthority(String host) throws IOException {
        byte[] method = {(byte) 0x82, (byte) 0x84, (byte) 0x86, 0x41, (byte) host.length()}; // GET / http, :authority
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").send(HTTP2_SETTINGS);
            connection
                    .send(new byte[] {0, 0, (byte) (method.length + host.length()), 1, 5, 0, 0, 0, 1})
                    .send(method)
                    .send(host);
            assertThat(connection.untilClosed())
                    .contains("\"code\":\"" + (host.equals("localhost") ? "NOT_FOUND" : "FORBIDDEN") + "\"");
        }
    }

    @Test
    void path_isTakenAsItIsSent() throws IOException {
        for (String path : List.of(
                "/v1/sequences/../sequences/a",
                "/v1/sequences/%2e%2e/a",
                "/v1/sequences/a%2Fnext",
                "/v1/sequences/%00")) {
            try (RawConnection connection = new RawConnection(server.uri())) {
                connection.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
                assertThat(connection.answer().status()).as(path).isIn(400, 404);
            }
        }
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.send("GET http://localhost/v1/sequences/%61?%61 HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(connection.answer().body()).contains("BAD_REQUEST", "there is no parameter a");
            connection.send("GET http://localhost/v1/sequences/%61 HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(connection.answer().body()).contains("\"name\":\"a\"");
            connection.send("GET /v1/sequences/a;x=1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(connection.answer().body()).contains("BAD_NAME");
            connection.send("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(connection.answer().status()).isIn(204, 404);
        }
    }

    /** The answer had no body, so a caller had to guess. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense\r\n\r\n",
                "GET\r\n\r\n",
                "GET /v1/sequences/a\u0000 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /v1/sequences/a HTTP/1.1\r\n\r\n",
                "GET /v1/sequences/a HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
                "GET /v1/sequences/a HTTP/1.1\r\nHost: localhost:port\r\n\r\n",
                "GET /v1/sequences/a HTTP/1.1\r\nHost: localhost\r\nno header\r\n\r\n",
                "GET /v1/sequences/a HTTP/9.9\r\n\r\n",
                "POST /v1/sequences/a/next HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
                "POST /v1/sequences/a/next HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
                "POST /v1/sequences/a/next HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n",
                "GET /v1/sequences/\u00e4 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /v1/sequences/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "GET /v1/sequences/%ff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "GET /v1/sequences/a% HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "GET /v1/sequences?prefix=%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "GET /v1/sequences?%zz=a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "GET /v1/sequences?prefix=%f HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            })
    void malformedRequest_isToldInAProblemAndHurtsNobody(String request) throws Exception {
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.send(request);
            assertBadRequest(connection.answer());
            assertThat(connection.untilClosed()).isEmpty();
        }
        assertThat(next(client)).isEqualTo("1");
    }

    private static void assertBadRequest(RawConnection.Answer answer) {
        assertThat(answer.status()).as(answer.head() + answer.body()).isEqualTo(400);
        assertThat(answer.hasHeader("Content-Type: application/problem+json")).isTrue();
        assertThat(answer.hasHeader("Connection: close")).isTrue();
        assertThat(answer.body()).contains("\"code\":\"BAD_REQUEST\"", "\"status\":400", "\"detail\":\"");
    }

    /** Some were waited for until the body was late, and some were taken for another body. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ffffffffffffffffffff\r\n{}\r\n0\r\n\r\n",
                "zz\r\n{}\r\n0\r\n\r\n",
                "{}",
                "{}\r\n",
                "\r\n\r\n",
                "-2\r\n{}\r\n0\r\n\r\n",
                "2\r\n{}0\r\n\r\n",
                "1\r\n{}\r\n0\r\n\r\n",
                "2\n{}\n0\n\n",
                "0x2\r\n{}\r\n0\r\n\r\n",
            })
    void chunks_thatAreMalformed_areBadRequestAtOnce_andHurtNobody(String chunks) throws Exception {
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.send(
                    "POST " + NEXT + " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks);
            assertBadRequest(connection.answer());
            assertThat(connection.untilClosed()).isEmpty();
        }
        assertThat(next(client)).isEqualTo("1");
    }

    /** Of a body that is cut at any place, nothing is malformed that might still become a good one. */
    @Test
    void chunks_thatAreGood_areSoAsFarAsTheyHaveCome() {
        byte[] good = "2;a=\"b\"\r\n{}\r\nA \r\n0123456789\r\n0\r\nTrailer: x\r\n\r\nGET / HTTP"
                .getBytes(StandardCharsets.US_ASCII);
        for (int length = 0; length <= good.length; length++) {
            ByteBuffer come = ByteBuffer.wrap(good, 0, length);
            assertThat(ChunkedBody.isMalformed(come)).as("length %d", length).isFalse();
            assertThat(come.remaining()).isEqualTo(length);
        }
    }

    @Test
    void malformedRequest_behindAGoodOne_isAnsweredBehindItsAnswer() throws IOException {
        try (RawConnection connection = new RawConnection(server.uri())) {
            String good = "POST " + NEXT + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
            connection.send(good + good + "GET / HTTP/9.9\r\n\r\n");
            assertThat(connection.answer().body()).contains("\"text\":\"1\"");
            assertThat(connection.answer().body()).contains("\"text\":\"2\"");
            assertBadRequest(connection.answer());
            assertThat(connection.untilClosed()).isEmpty();
        }
    }

    @Test
    void percentSigns_thatEncodeNoText_areBadRequestOverHttp2() throws Exception {
        HttpClient client = HttpClient.newBuilder().version(Version.HTTP_2).build();
        for (String path : List.of("/v1/sequences/%ff", "/v1/sequences?prefix=%ff")) {
            HttpResponse<String> answer = send(client, "GET", path, "");
            assertThat(answer.statusCode()).as(path).isEqualTo(400);
            assertThat(answer.body()).contains("BAD_REQUEST", "percent-encoded");
        }
    }

    @Test
    void body_thatIsNotUtf8_isBadRequest() throws IOException {
        for (String body :
                List.of("{\"a\": \"\u00ff\"}", "\u00ff\u00fe{\u0000}\u0000", "\u00c0\u0080", "\u00ed\u00a0\u0080")) {
            try (RawConnection connection = new RawConnection(server.uri())) {
                RawConnection.Answer answer = connection.post(NEXT, body).answer();
                assertThat(answer.status()).isEqualTo(400);
                assertThat(answer.body()).contains("BAD_REQUEST", "UTF-8");
            }
        }
    }

    @Test
    void body_of64KiB_isRead_andOneByteMoreIs413() throws Exception {
        String fits = " ".repeat(Limits.BODY_BYTES - 2) + "{}";
        assertThat(send(client, "POST", NEXT, fits).statusCode()).isEqualTo(200);

        HttpResponse<String> tooLarge = send(client, "POST", NEXT, " " + fits);
        assertThat(tooLarge.statusCode()).isEqualTo(413);
        assertThat(tooLarge.body()).contains("\"code\":\"BAD_REQUEST\"", "65536");

        HttpResponse<String> chunked = client.send(
                HttpRequest.newBuilder(server.uri().resolve(NEXT))
                        .POST(HttpRequest.BodyPublishers.fromPublisher(HttpRequest.BodyPublishers.ofString(" " + fits)))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(chunked.statusCode()).isEqualTo(413);
        assertThat(next(client)).isEqualTo("2");
    }

    @Test
    void body_thatIsTooLargeAndDoesNotCome_isRefusedAndCut() throws IOException {
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.send("POST " + NEXT + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n");
            assertThat(connection.answer().status()).isEqualTo(413);
            assertThat(dribble(connection)).isTrue();
        }
    }

    /** Closing before the body had come reset the connection, and some callers saw that instead of the 413. */
    @Test
    void body_thatIsTooLarge_isRefusedWhereTheCallerSeesIt() throws IOException {
        String head = "POST " + NEXT + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n";
        try (RawConnection connection = new RawConnection(server.uri())) {
            for (int i = 0; i < 20; i++) {
                connection.send(head + "\r\n").send(" ".repeat(200_000));
                assertThat(connection.answer().status()).isEqualTo(413);
            }
            assertThat(connection.post(NEXT, "{}").answer().status()).isEqualTo(200);
            connection.send(head + "Expect: 100-continue\r\n\r\n");
            RawConnection.Answer refused = connection.answer();
            assertThat(refused.status()).isEqualTo(413);
            assertThat(refused.hasHeader("Connection: close")).isTrue();
            assertThat(connection.untilClosed()).isEmpty();
        }
    }

    @Test
    void input_thatEndsBehindTheRequest_isAnswered() throws IOException {
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.post(NEXT, "{}").endInput();
            assertThat(connection.answer().status()).isEqualTo(200);
            assertThat(connection.untilClosed()).isEmpty();
        }
    }

    @Test
    void body_ofANumberThatFillsIt_isOutOfRange() throws Exception {
        String body = "{\"count\": " + "9".repeat(65_000) + "}";
        HttpResponse<String> response = send(client, "POST", NEXT, body);
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("OUT_OF_RANGE").hasSizeLessThan(500);
    }

    @Test
    void body_inChunks_isRead() throws IOException {
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.send("POST " + NEXT + " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (char c : "{\"count\": 2}".toCharArray()) {
                connection.send("1\r\n" + c + "\r\n");
            }
            connection.send("0\r\n\r\n");
            assertThat(connection.answer().body()).contains("\"text\":\"1\"", "\"text\":\"2\"");
        }
    }

    @Test
    void body_announcedByExpect_isAskedFor() throws IOException {
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.send("POST " + NEXT
                    + " HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
            assertThat(connection.answer().status()).isEqualTo(100);
            assertThat(connection.send("{}").answer().status()).isEqualTo(200);
        }
    }

    @Test
    void requestLineAndHeaders_beyondTheirLimits_areRefused() throws IOException {
        assertThat(head("a", "X: " + "x".repeat(16_000)).status()).isEqualTo(200);
        assertThat(head("a?x=" + "x".repeat(16_000), "X: x").status()).isEqualTo(400);
        assertThat(head("a", "X: x\r\n".repeat(98) + "X: x").status()).isEqualTo(200);

        assertProblem(head("a", "X: " + "x".repeat(17_000)), 431, "16384 bytes");
        assertProblem(head("a", "X: x\r\n".repeat(100) + "X: x"), 431, "100 headers");
        assertProblem(head("a".repeat(17_000), "X: x"), 414, "16384 bytes");
        assertProblem(head("a?x=" + "x".repeat(17_000), "X: x"), 414, "16384 bytes");

        assertBadRequest(head("a", "X: " + "x".repeat(40_000)));
        assertBadRequest(head("a", "X: " + "x".repeat(200_000)));
        assertBadRequest(head("a".repeat(40_000), "X: x"));
        assertBadRequest(head("a", "X: x\r\n".repeat(300) + "X: x"));
    }

    private RawConnection.Answer head(String name, String headers) throws IOException {
        try (RawConnection connection = new RawConnection(server.uri())) {
            return connection
                    .send("GET /v1/sequences/" + name + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n\r\n")
                    .answer();
        }
    }

    private static void assertProblem(RawConnection.Answer answer, int status, String said) {
        assertThat(answer.status()).as(answer.head() + answer.body()).isEqualTo(status);
        assertThat(answer.hasHeader("Content-Type: application/problem+json")).isTrue();
        assertThat(answer.body()).contains("\"code\":\"BAD_REQUEST\"", said);
    }

    @Test
    void headers_beyond16KiB_areRefusedOverHttp2() throws Exception {
        HttpClient client = HttpClient.newBuilder().version(Version.HTTP_2).build();
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(server.uri().resolve("/v1/sequences/a"))
                        .header("X", "x".repeat(17_000))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(431);
        assertThat(answer.body()).contains("\"code\":\"BAD_REQUEST\"", "16384 bytes");
        assertThat(send(client, "GET", "/v1/sequences/a", "").statusCode()).isEqualTo(200);
    }

    @Test
    void requests_onOneConnection_areAnsweredInTheirOrder() throws IOException {
        try (RawConnection connection = new RawConnection(server.uri())) {
            StringBuilder pipeline = new StringBuilder();
            for (int i = 0; i < 50; i++) {
                pipeline.append("POST " + NEXT + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}");
                pipeline.append("GET /v1/sequences/missing").append(i).append(" HTTP/1.1\r\nHost: localhost\r\n\r\n");
            }
            connection.send(pipeline.toString());
            for (int i = 0; i < 50; i++) {
                assertThat(connection.answer().body()).contains("\"value\":" + (i + 1) + ",");
                assertThat(connection.answer().body()).contains("missing" + i + "\"");
            }
            connection.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertThat(connection.answer().status()).isEqualTo(200);
            assertThat(connection.untilClosed()).isEmpty();
        }
    }

    @Test
    void numbers_drawnByManyConnections_areAllDifferent() throws Exception {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        List<Callable<Void>> callers = new ArrayList<>();
        for (int caller = 0; caller < 8; caller++) {
            callers.add(() -> {
                try (RawConnection connection = new RawConnection(server.uri())) {
                    for (int i = 0; i < 500; i++) {
                        RawConnection.Answer answer = connection.post(NEXT, "").answer();
                        assertThat(answer.status()).as(answer.body()).isIn(200, 503);
                        if (answer.status() == 200) {
                            assertThat(seen.add(answer.body())).isTrue();
                        }
                    }
                }
                return null;
            });
        }
        for (Future<Void> done : invokeAll(callers)) {
            done.get();
        }
        assertThat(seen).isNotEmpty();
    }

    // ---- time

    @Test
    void headers_thatStall_areCutAndStarveNobody() throws Exception {
        List<RawConnection> stalled = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            stalled.add(
                    new RawConnection(server.uri()).send("POST " + NEXT + " HTTP/1.1\r\nHost: localhost\r\nX-Slow"));
        }
        assertThat(next(client)).isEqualTo("1");
        for (RawConnection connection : stalled) {
            assertThat(connection.untilClosed()).isEmpty();
            connection.close();
        }
    }

    @Test
    void headers_thatDribble_areCut() throws Exception {
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.send("POST " + NEXT + " HTTP/1.1\r\nHost: localhost\r\n");
            assertThat(dribble(connection)).isTrue();
        }
    }

    @Test
    void body_thatStallsOrDribbles_isCutAndStarvesNobody() throws Exception {
        String head = "POST " + NEXT + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n";
        List<RawConnection> stalled = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            stalled.add(new RawConnection(server.uri()).send(head + "{"));
        }
        assertThat(next(client)).isEqualTo("1");
        for (RawConnection connection : stalled) {
            RawConnection.Answer answer = connection.answer();
            assertProblem(answer, 408, "the body did not come");
            assertThat(answer.hasHeader("Connection: close")).isTrue();
            assertThat(connection.untilClosed()).isEmpty();
            connection.close();
        }
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.send(head);
            assertThat(dribble(connection)).isTrue();
        }
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.send(
                    head.replace(
                            "Host: localhost",
                            "Host: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__"));
            assertThat(connection.answer().status()).isEqualTo(408);
            assertThat(connection.untilClosed()).isEmpty();
        }
    }

    @Test
    void connection_thatSaysNothing_isCut() throws Exception {
        try (RawConnection silent = new RawConnection(server.uri());
                RawConnection idle = new RawConnection(server.uri());
                RawConnection http2 = new RawConnection(server.uri())) {
            idle.post(NEXT, "").answer();
            http2.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").send(HTTP2_SETTINGS);
            assertThat(http2.untilClosed()).isNotEmpty();
            assertThat(silent.untilClosed()).isEmpty();
            assertThat(idle.untilClosed()).isEmpty();
        }
    }

    /** Sends a byte whenever the server has had the time to read the last; says whether it was cut. */
    private static boolean dribble(RawConnection connection) throws IOException {
        long giveUp = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (System.nanoTime() < giveUp) {
            try {
                connection.send("x");
                Thread.onSpinWait();
            } catch (IOException e) {
                return true;
            }
        }
        return false;
    }

    // ---- load and stop

    @Test
    void workers_allWaiting_furtherCallsAreBusyButWhatNeedsNoWaitingIsAnswered() throws Exception {
        assertThat(next(client)).isEqualTo("1");
        store.hold();
        List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
        for (int i = 0; i < LIMITS.workers() + LIMITS.waiting() + 1; i++) {
            calls.add(client.sendAsync(request("GET", "/v1/sequences/b", ""), HttpResponse.BodyHandlers.ofString()));
        }
        CompletableFuture.anyOf(calls.toArray(CompletableFuture[]::new)).get();
        HttpResponse<String> refused = calls.stream()
                .filter(CompletableFuture::isDone)
                .findFirst()
                .orElseThrow()
                .get();
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("\"code\":\"BUSY\"", "\"retryAfter\":1", "too many calls wait");
        assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(send(client, "GET", "/health/live", "").statusCode()).isEqualTo(200);
        assertThat(send(client, "GET", "/health/ready", "").statusCode()).isEqualTo(200);
        assertThat(next(client)).isEqualTo("2");

        store.release();
        for (CompletableFuture<HttpResponse<String>> answer : calls) {
            assertThat(answer.get().statusCode()).isIn(404, 503);
        }
        assertThat(send(client, "GET", "/v1/sequences/b", "").statusCode()).isEqualTo(404);
    }

    @Test
    void calls_thatWaitTooLongForAWorker_areBusy() throws Exception {
        store.hold();
        List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
        for (int i = 0; i < LIMITS.workers() + LIMITS.waiting(); i++) {
            calls.add(client.sendAsync(request("GET", "/v1/sequences/b", ""), HttpResponse.BodyHandlers.ofString()));
        }
        List<String> answers = new ArrayList<>();
        for (CompletableFuture<HttpResponse<String>> call : calls) {
            answers.add(call.get().body());
        }
        // Two have waited for the store as long as a call may, two others for them.
        assertThat(answers)
                .filteredOn(body -> body.contains("the store has not answered"))
                .hasSize(LIMITS.workers());
        assertThat(answers)
                .filteredOn(body -> body.contains("too many calls wait"))
                .hasSize(LIMITS.waiting());
    }

    @Test
    void close_answersWhatIsInFlightAndRefusesTheRest() throws Exception {
        try (RawConnection before = new RawConnection(server.uri())) {
            before.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
            before.answer();
            store.hold();
            CompletableFuture<HttpResponse<String>> inFlight =
                    client.sendAsync(request("POST", NEXT, ""), HttpResponse.BodyHandlers.ofString());
            untilStoreIsAsked();
            CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);

            HttpResponse<String> ready = untilBody("stopping", "/health/ready");
            assertThat(ready.body()).contains("BUSY");
            before.send("POST " + NEXT + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
            RawConnection.Answer refused = before.answer();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.hasHeader("Connection: close")).isTrue();
            assertThat(refused.hasHeader("Retry-After: 1")).isTrue();
            assertThat(send(client, "GET", "/health/live", "").statusCode()).isEqualTo(200);

            store.release();
            assertThat(inFlight.get().body()).contains("\"text\":\"1\"");
            closing.get();
        }
        assertThrows(IOException.class, () -> new RawConnection(server.uri()));
    }

    @Test
    void start_onAPortThatIsTaken_fails() {
        URI taken = server.uri();
        assertThrows(
                BindException.class,
                () -> HttpServer.start(sequences, new InetSocketAddress(taken.getHost(), taken.getPort())));
    }

    private void untilStoreIsAsked() {
        while (!store.isAsked()) {
            Thread.onSpinWait();
        }
    }

    private HttpResponse<String> untilBody(String part, String path) throws Exception {
        for (; ; ) {
            HttpResponse<String> response = send(client, "GET", path, "");
            if (response.body().contains(part)) {
                assertThat(response.statusCode()).isEqualTo(503);
                return response;
            }
        }
    }

    private HttpRequest request(String method, String path, String body) {
        return HttpRequest.newBuilder(server.uri().resolve(path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private HttpResponse<String> send(HttpClient client, String method, String path, String body) throws Exception {
        return client.send(request(method, path, body), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    }

    private String next(HttpClient client) throws Exception {
        HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(server.uri().resolve(NEXT))
                        .header("Accept", "text/plain")
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body().strip();
    }

    private static <T> List<Future<T>> invokeAll(List<Callable<T>> callers) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(callers.size());
        try {
            return threads.invokeAll(callers);
        } finally {
            threads.shutdown();
        }
    }
}
