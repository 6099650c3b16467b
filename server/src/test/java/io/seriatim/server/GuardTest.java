package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seriatim.SequenceDefinition;
import io.seriatim.Sequences;
import io.seriatim.memory.MemoryCounterStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Who may call a server, and what is seen on the way there. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GuardTest {

    private static final Duration SHORT = Duration.ofSeconds(2);

    /** Handshakes take long on a busy machine: only the test of their limit makes it short. */
    private Limits limits = Limits.standard();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final Sequences sequences = Sequences.on(new MemoryCounterStore());
    private final List<HttpServer> servers = new ArrayList<>();
    private final Map<Setting, String> flags = new EnumMap<>(Setting.class);

    @SuppressWarnings("NullAway.Init")
    private GuardFiles files;

    @BeforeEach
    void define() {
        sequences.create("shop-1", SequenceDefinition.ascending());
        sequences.create("orders", SequenceDefinition.ascending());
    }

    @AfterEach
    void stop() {
        servers.forEach(HttpServer::close);
        sequences.close();
    }

    private HttpServer start() throws IOException {
        Settings settings = Settings.of(flags, Map.of());
        files = GuardFiles.of(settings);
        HttpServer server = HttpServer.start(
                new Api(OpenStore.of(sequences), NewSequence.usual(), settings),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                limits,
                files.guard());
        servers.add(server);
        return server;
    }

    /** Adds a line to the file of tokens; returns the token. */
    private String token(String name, String roles, String... sequencesOf) throws IOException {
        Tokens.Fresh fresh = Tokens.fresh(new SecureRandom(), name, roles, List.of(sequencesOf));
        Path file = folder.resolve("tokens");
        String before = Files.exists(file) ? Files.readString(file) : "";
        Files.writeString(file, before + fresh.line() + "\n");
        flags.put(Setting.TOKENS, file.toString());
        return fresh.token();
    }

    private Keys.Pair tls(String name) throws Exception {
        Keys.Pair pair = Keys.make(folder, name);
        flags.put(Setting.TLS_CERT, pair.certificate().toString());
        flags.put(Setting.TLS_KEY, pair.key().toString());
        return pair;
    }

    private static HttpClient trusting(Path certificate) throws IOException {
        return HttpClient.newBuilder()
                .sslContext(Certificate.ofClient(certificate, Files.readAllBytes(certificate)))
                .build();
    }

    private static HttpResponse<String> send(HttpServer server, String token, String method, String path)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(server.uri().resolve(path)).method(method, HttpRequest.BodyPublishers.noBody());
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static int status(HttpServer server, String token, String method, String path) throws Exception {
        return send(server, token, method, path).statusCode();
    }

    // ---- tokens

    @Test
    void roles_openWhatTheyAreForAndNothingElse() throws Exception {
        String viewer = token("viewer", "viewer");
        String allocator = token("allocator", "allocator");
        String shop = token("shop", "allocator", "shop-*");
        String operator = token("operator", "operator");
        HttpServer server = start();
        List<String> callers = List.of("", "srt_wrong", viewer, allocator, shop, operator);
        record Row(String method, String path, List<Integer> statuses) {}
        for (Row row : List.of(
                new Row("GET", "/health/live", List.of(200, 200, 200, 200, 200, 200)),
                new Row("GET", "/health/ready", List.of(200, 200, 200, 200, 200, 200)),
                new Row("GET", "/v1/cluster", List.of(401, 401, 200, 403, 403, 200)),
                new Row("GET", "/v1/config", List.of(401, 401, 200, 403, 403, 200)),
                new Row("GET", "/v1/sequences", List.of(401, 401, 200, 403, 403, 200)),
                new Row("GET", "/v1/sequences/orders", List.of(401, 401, 200, 403, 403, 200)),
                new Row("GET", "/v1/sequences/orders/audit", List.of(401, 401, 200, 403, 403, 200)),
                new Row("HEAD", "/v1/sequences/orders", List.of(401, 401, 200, 403, 403, 200)),
                new Row("GET", "/v1/sequences/shop-1/peek", List.of(401, 401, 200, 403, 403, 200)),
                new Row("POST", "/v1/sequences/orders/next", List.of(401, 401, 403, 200, 403, 200)),
                new Row("POST", "/v1/sequences/shop-1/next", List.of(401, 401, 403, 200, 200, 200)),
                new Row("POST", "/v1/sequences/sh%6Fp-1/next", List.of(401, 401, 403, 200, 200, 200)),
                new Row("POST", "/v1/sequences/new/next?define=true", List.of(401, 401, 403, 200, 403, 200)),
                new Row("POST", "/v1/sequences/orders/blocks", List.of(401, 401, 403, 400, 403, 400)),
                new Row("POST", "/v1/sequences/shop-1/restart", List.of(401, 401, 403, 403, 403, 400)),
                new Row("PATCH", "/v1/sequences/shop-1", List.of(401, 401, 403, 403, 403, 400)),
                new Row("PUT", "/v1/sequences/shop-2", List.of(401, 401, 403, 403, 403, 400)),
                new Row("POST", "/v1/sequences/orders/reservations", List.of(401, 401, 403, 400, 403, 400)),
                new Row("POST", "/v1/sequences/shop-1/reservations", List.of(401, 401, 403, 400, 400, 400)),
                new Row("POST", "/v1/sequences/orders/reservations/x/confirm", List.of(401, 401, 403, 400, 403, 400)),
                new Row("POST", "/v1/sequences/shop-1/reservations/x/cancel", List.of(401, 401, 403, 400, 400, 400)),
                new Row("GET", "/v1/sequences/shop-1/reservations/x", List.of(401, 401, 400, 403, 403, 400)),
                new Row("POST", "/v1/sequences/shop-1/numbers/1/void", List.of(401, 401, 403, 403, 403, 400)),
                new Row("POST", "/v1/sequences/shop-1/periods/2026/close", List.of(401, 401, 403, 403, 403, 400)),
                new Row("GET", "/v1/sequences/shop-1/ledger", List.of(401, 401, 400, 403, 403, 400)),
                new Row("DELETE", "/v1/sequences/gone", List.of(401, 401, 403, 403, 403, 404)),
                new Row("GET", "/nowhere", List.of(401, 401, 404, 404, 404, 404)))) {
            List<Integer> statuses = new ArrayList<>();
            for (String caller : callers) {
                statuses.add(status(server, caller, row.method(), row.path()));
            }
            assertThat(statuses).as(row.method() + " " + row.path()).isEqualTo(row.statuses());
        }
    }

    @Test
    void audit_ofChangesWithATokenAndWithout_saysWhoseItIs() throws Exception {
        String ann = token("ann", "operator");
        String shop = token("shop", "allocator");
        HttpServer server = start();
        status(server, ann, "DELETE", "/v1/sequences/orders?reason=moved");
        status(server, shop, "POST", "/v1/sequences/orders/next?define=true");

        String trail = send(server, ann, "GET", "/v1/sequences/orders/audit").body();

        assertThat(Calls.json(trail).path("items").valueStream())
                .extracting(entry -> entry.path("action").asString() + " by "
                        + entry.path("who").asString() + ": "
                        + entry.path("why").asString())
                .endsWith("drop by ann: moved", "define by shop: ");
    }

    @Test
    void refusals_areProblems() throws Exception {
        String viewer = token("viewer", "viewer");
        HttpServer server = start();
        HttpResponse<String> unknown = send(server, "", "POST", "/v1/sequences/orders/next");
        assertThat(unknown.headers().firstValue("WWW-Authenticate")).hasValue("Bearer realm=\"seriatim\"");
        assertThat(unknown.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(Calls.json(unknown.body()).path("code").asString()).isEqualTo("UNAUTHORIZED");
        HttpResponse<String> forbidden = send(server, viewer, "POST", "/v1/sequences/orders/next");
        assertThat(forbidden.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(Calls.json(forbidden.body()).path("code").asString()).isEqualTo("FORBIDDEN");
        assertThat(sequences.get("orders").peek()).isEqualTo(1);
    }

    @Test
    void twoAuthorizations_areNone() throws Exception {
        String operator = token("operator", "operator");
        HttpServer server = start();
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.send("GET /v1/sequences HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + operator
                    + "\r\nAuthorization: Bearer x\r\n\r\n");
            assertThat(connection.answer().status()).isEqualTo(401);
            connection.send("GET http://x/v1/sequences HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(connection.answer().status()).isEqualTo(401);
            connection.send("GET /health/live/../../v1/sequences HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(connection.answer().status()).isEqualTo(401);
            connection.send("GET /v1/sequences HTTP/1.1\r\nHost: x\r\nauthorization: bEARER " + operator + "\r\n\r\n");
            assertThat(connection.answer().status()).isEqualTo(200);
        }
    }

    /** Who may not call does not get to fill a buffer. */
    @Test
    void bodyOfAStranger_isNotWaitedFor() throws Exception {
        token("operator", "operator");
        HttpServer server = start();
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.send("POST /v1/sequences/orders/next HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n{");
            assertThat(connection.answer().status()).isEqualTo(401);
        }
    }

    @Test
    void tokens_thatChange_countAtTheNextLook() throws Exception {
        String first = token("first", "viewer");
        HttpServer server = start();
        String second = token("second", "viewer");
        assertThat(status(server, second, "GET", "/v1/sequences")).isEqualTo(401);
        files.look();
        assertThat(status(server, second, "GET", "/v1/sequences")).isEqualTo(200);

        Path file = folder.resolve("tokens");
        String good = Files.readString(file);
        Files.writeString(file, good + "half a li");
        files.look();
        assertThat(status(server, first, "GET", "/v1/sequences")).isEqualTo(200);
        Files.delete(file);
        files.look();
        assertThat(status(server, first, "GET", "/v1/sequences")).isEqualTo(200);

        Files.writeString(file, good.lines().skip(1).findFirst().orElseThrow());
        files.look();
        assertThat(status(server, first, "GET", "/v1/sequences")).isEqualTo(401);
        assertThat(status(server, second, "GET", "/v1/sequences")).isEqualTo(200);
        Files.writeString(file, "");
        files.look();
        assertThat(status(server, second, "GET", "/v1/sequences")).isEqualTo(401);
    }

    @Test
    void watch_looksByItself() throws Exception {
        token("first", "viewer");
        HttpServer server = start();
        try (GuardFiles.Watch watch = files.watch()) {
            String second = token("second", "viewer");
            while (status(server, second, "GET", "/v1/sequences") != 200) {
                assertThat(watch).isNotNull();
            }
        }
    }

    // ---- TLS

    @ParameterizedTest
    @CsvSource({"EC -groupname secp256r1", "EC -groupname secp384r1", "RSA -keysize 2048", "Ed25519"})
    void keysOfEveryKind_areServed(String algorithm) throws Exception {
        List<String> words = new ArrayList<>(List.of("-keyalg"));
        words.addAll(List.of(algorithm.split(" ")));
        Keys.Pair pair = Keys.make(folder, "a", words.toArray(String[]::new));
        flags.put(Setting.TLS_CERT, pair.certificate().toString());
        flags.put(Setting.TLS_KEY, pair.key().toString());
        HttpServer server = start();
        assertThat(server.uri().getScheme()).isEqualTo("https");
        for (Version version : Version.values()) {
            HttpResponse<String> response = trusting(pair.certificate())
                    .send(
                            HttpRequest.newBuilder(server.uri().resolve("/v1/sequences/orders/next"))
                                    .version(version)
                                    .POST(HttpRequest.BodyPublishers.ofString("{\"count\": 2}"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.version()).isEqualTo(version);
            assertThat(((X509Certificate) response.sslSession().orElseThrow().getPeerCertificates()[0])
                            .getSubjectX500Principal()
                            .getName())
                    .isEqualTo("CN=a");
        }
    }

    @Test
    void plainText_isNotServedOnAPortWithTls() throws Exception {
        tls("a");
        HttpServer server = start();
        try (RawConnection connection = new RawConnection(server.uri())) {
            connection.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(connection.untilClosed()).doesNotContain("HTTP/1.1", "live");
        }
    }

    @Test
    void malformedRequest_overTls_isAProblemToo() throws Exception {
        Keys.Pair pair = tls("a");
        HttpServer server = start();
        try (Socket socket = connect(pair, server)) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).startsWith("HTTP/1.1 400 ").contains("application/problem+json", "BAD_REQUEST");
        }
    }

    @Test
    void handshakeThatIsNotFinished_isCutOffAndAFinishedOneIsNot() throws Exception {
        Keys.Pair pair = tls("a");
        limits = new Limits(SHORT, SHORT, Duration.ofSeconds(20), 2, 2, SHORT, 100);
        HttpServer server = start();
        byte[] request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        try (Socket finished = connect(pair, server);
                RawConnection silent = new RawConnection(server.uri());
                RawConnection begun = new RawConnection(server.uri())) {
            finished.getOutputStream().write(request);
            assertThat(finished.getInputStream().read()).isEqualTo('H');
            begun.send(new byte[] {22, 3, 1, 2, 0, 1}); // the first bytes of a ClientHello of 512
            assertThat(begun.untilClosed()).isEmpty();
            assertThat(silent.untilClosed()).isEmpty();
            finished.getOutputStream().write(request);
            finished.shutdownOutput();
            assertThat(new String(finished.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .containsSubsequence("200 OK", "live", "200 OK", "live");
        }
    }

    private static Socket connect(Keys.Pair pair, HttpServer server) throws IOException {
        return Certificate.ofClient(pair.certificate(), Files.readAllBytes(pair.certificate()))
                .getSocketFactory()
                .createSocket("127.0.0.1", server.uri().getPort());
    }

    @Test
    void certificate_thatIsReplaced_isShownToNewConnections() throws Exception {
        Keys.Pair old = tls("old");
        HttpServer server = start();
        assertThat(shownTo(trusting(old.certificate()), server)).isEqualTo("CN=old");
        Keys.Pair next = Keys.make(folder, "next");

        Files.copy(next.certificate(), old.certificate(), StandardCopyOption.REPLACE_EXISTING);
        files.look();
        assertThrows(SSLHandshakeException.class, () -> shownTo(trusting(next.certificate()), server));
        Files.copy(next.key(), old.key(), StandardCopyOption.REPLACE_EXISTING);
        files.look();
        assertThat(shownTo(trusting(next.certificate()), server)).isEqualTo("CN=next");

        Files.writeString(old.certificate(), "nonsense");
        files.look();
        assertThat(shownTo(trusting(next.certificate()), server)).isEqualTo("CN=next");
        Files.delete(old.certificate());
        files.look();
        assertThat(shownTo(trusting(next.certificate()), server)).isEqualTo("CN=next");
    }

    private static String shownTo(HttpClient client, HttpServer server) throws Exception {
        HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(server.uri().resolve("/health/live")).build(),
                HttpResponse.BodyHandlers.ofString());
        return ((X509Certificate) response.sslSession().orElseThrow().getPeerCertificates()[0])
                .getSubjectX500Principal()
                .getName();
    }

    @Test
    void filesThatHoldSomethingElse_areRefusedAtTheStart() throws Exception {
        Keys.Pair pair = tls("a");
        Keys.Pair other = Keys.make(folder, "b");
        Keys.Pair rsa = Keys.make(folder, "c", "-keyalg", "RSA", "-keysize", "2048");
        assertRefused(Setting.TLS_KEY, other.key(), "another one's");
        assertRefused(Setting.TLS_KEY, rsa.key(), "cannot be read");
        assertRefused(Setting.TLS_KEY, pair.certificate(), "PKCS#8");
        assertRefused(Setting.TLS_KEY, folder.resolve("none"), "cannot be read");
        assertRefused(Setting.TLS_CERT, pair.key(), "PEM");
        assertRefused(Setting.TLS_CERT, Files.writeString(folder.resolve("empty"), ""), "PEM");
        assertRefused(Setting.TOKENS, pair.key(), "line 1");
        assertRefused(Setting.TOKENS, folder.resolve("none"), "cannot be read");
        flags.remove(Setting.TLS_KEY);
        assertThat(assertThrows(Refusal.class, this::start).problem().detail()).contains("--tls-cert", "--tls-key");
    }

    private void assertRefused(Setting setting, Path file, String said) {
        Map<Setting, String> changed = new EnumMap<>(flags);
        changed.put(setting, file.toString());
        assertThat(assertThrows(Refusal.class, () -> GuardFiles.of(Settings.of(changed, Map.of())))
                        .problem()
                        .detail())
                .contains(file.toString(), said);
    }

    // ---- the command line

    private record Said(int exitCode, String out, String err) {}

    private static Said run(Map<String, String> environment, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = Main.commandLine(environment);
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        int exitCode = commandLine.execute(arguments);
        return new Said(exitCode, out.toString(), err.toString());
    }

    @Test
    void commandLine_sendsItsTokenOverTls() throws Exception {
        Path certificate = tls("a").certificate();
        String allocator = token("shop", "allocator", "shop-*");
        String url = start().uri().toString();
        Path tokenFile = Files.writeString(folder.resolve("token"), allocator + "\n");
        String[] next = {"next", "shop-1", "--server", url, "--ca", certificate.toString(), "--token", allocator};
        assertThat(run(Map.of(), next)).isEqualTo(new Said(0, "1\n", ""));
        next[7] = "@" + tokenFile;
        assertThat(run(Map.of(), next)).isEqualTo(new Said(0, "2\n", ""));
        Map<String, String> environment =
                Map.of("SERIATIM_SERVER", url, "SERIATIM_CA", certificate.toString(), "SERIATIM_TOKEN", allocator);
        assertThat(run(environment, "next", "shop-1")).isEqualTo(new Said(0, "3\n", ""));

        Said forbidden = run(environment, "next", "orders");
        assertThat(forbidden.exitCode()).isEqualTo(2);
        assertThat(forbidden.err()).startsWith("seriatim: FORBIDDEN: ");
        next[7] = "wrong";
        assertThat(run(Map.of(), next).err()).startsWith("seriatim: UNAUTHORIZED: ");
        assertThat(run(Map.of(), next).exitCode()).isEqualTo(2);
        next[7] = "@" + folder.resolve("none");
        assertThat(run(Map.of(), next).err()).contains("--token").doesNotContain(allocator);
        next[7] = "two words";
        assertThat(run(Map.of(), next).exitCode()).isEqualTo(2);
        next[5] = folder.resolve("none").toString();
        assertThat(run(Map.of(), next).exitCode()).isEqualTo(2);
    }

    @Test
    void commandLine_doesNotCallAServerThatItDoesNotTrust() throws Exception {
        tls("a");
        Path other = Keys.make(folder, "b").certificate();
        String operator = token("operator", "operator");
        String url = start().uri().toString();
        for (String[] arguments : List.of(
                new String[] {"next", "orders", "--server", url, "--token", operator},
                new String[] {"next", "orders", "--server", url, "--token", operator, "--ca", other.toString()})) {
            Said said = run(Map.of(), arguments);
            assertThat(said.err()).startsWith("seriatim: BAD_REQUEST: ").contains("certificate", "--ca");
            assertThat(said.exitCode()).isEqualTo(2);
        }
        assertThat(sequences.get("orders").peek()).isEqualTo(1);
    }

    @Test
    void token_isPrintedOnceWithItsLine() throws Exception {
        Said said = run(Map.of(), "token", "shop", "allocator", "shop-*", "--json");
        assertThat(said.exitCode()).isZero();
        String line = Calls.json(said.out()).path("line").asString();
        String token = Calls.json(said.out()).path("token").asString();
        assertThat(line).startsWith("shop allocator sha256:").endsWith(" shop-*");
        Files.writeString(folder.resolve("tokens"), line);
        flags.put(Setting.TOKENS, folder.resolve("tokens").toString());
        assertThat(status(start(), token, "POST", "/v1/sequences/shop-1/next")).isEqualTo(200);
        assertThat(run(Map.of(), "token", "shop", "king").err()).contains("viewer, allocator, operator");
        assertThat(run(Map.of(), "token", "shop").exitCode()).isEqualTo(2);
    }

    @Test
    void beyondLoopback_tokensAndTlsAreRequired() throws Exception {
        List<String> serve =
                List.of("serve", "--port", "0", "--data", folder.resolve("data").toString());
        Keys.Pair pair = tls("a");
        token("operator", "operator");
        List<String> tokens = List.of("--tokens", folder.resolve("tokens").toString());
        List<String> tls = List.of(
                "--tls-cert",
                pair.certificate().toString(),
                "--tls-key",
                pair.key().toString());
        // An address for documentation: nobody has it, so that what is let through ends at listening.
        for (String host :
                List.of("0.0.0.0", "::", "192.0.2.1", InetAddress.getLocalHost().getHostAddress())) {
            if (InetAddress.getByName(host).isLoopbackAddress()) {
                continue; // a machine that knows itself by that address only
            }
            for (List<String> guard : List.of(List.<String>of(), tokens, tls)) {
                List<String> words = new ArrayList<>(serve);
                words.addAll(List.of("--host", host));
                words.addAll(guard);
                Said said = run(Map.of(), words.toArray(String[]::new));
                assertThat(said.exitCode()).isEqualTo(2);
                assertThat(said.err())
                        .startsWith("seriatim: BAD_REQUEST: --host ")
                        .contains("token and TLS are required", host);
                assertThat(folder.resolve("data")).doesNotExist();
            }
        }
        List<String> words = new ArrayList<>(serve);
        words.addAll(List.of("--host", "192.0.2.1"));
        words.addAll(tokens);
        words.addAll(tls);
        Said said = run(Map.of(), words.toArray(String[]::new));
        assertThat(said.err()).matches("seriatim: BAD_REQUEST: cannot listen on port 0 of 192\\.0\\.2\\.1: .+\n");
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Test
    void config_isShownByCommandAndServer() throws Exception {
        String viewer = token("viewer", "viewer");
        flags.put(Setting.PASSWORD, "secret");
        String url = start().uri().toString();
        Said remote = run(Map.of(), "config", "--server", url, "--token", viewer, "--json");
        assertThat(remote.out())
                .contains("\"name\":\"tokens\",\"value\":\"" + folder.resolve("tokens"))
                .doesNotContain("secret");

        Path file = Files.writeString(folder.resolve("seriatim.yaml"), "port: 7451\nhost: 127.0.0.2\n");
        Said local = run(
                Map.of("SERIATIM_HOST", "127.0.0.3", "SERIATIM_CONFIG", file.toString()), "config", "--data", "./x");
        assertThat(local.err()).isEmpty();
        assertThat(local.out().lines().map(line -> line.split(" +")).map(List::of))
                .contains(
                        List.of("name", "value", "source"),
                        List.of("port", "7451", "file"),
                        List.of("host", "127.0.0.3", "environment"),
                        List.of("data", "./x", "flag"),
                        List.of("tokens", "-", "default"),
                        List.of("log-format", "text", "default"));
        Files.writeString(file, "bogus: 1\n");
        for (String command : List.of("config", "serve", "list")) {
            Said refused = run(Map.of(), command, "--config", file.toString());
            assertThat(refused.err()).contains("bogus", file.toString());
            assertThat(refused.exitCode()).isEqualTo(2);
        }
    }

    /** The URI that a browser shows as its own. */
    @Test
    void pageOfThisServer_mayCallItOverTls() throws Exception {
        Keys.Pair pair = tls("a");
        String operator = token("operator", "operator");
        URI uri = start().uri();
        HttpClient client = trusting(pair.certificate());
        for (String origin : List.of(uri.toString(), "http://127.0.0.1:" + uri.getPort(), "https://example.com")) {
            int status = client.send(
                            HttpRequest.newBuilder(uri.resolve("/v1/sequences"))
                                    .header("Origin", origin)
                                    .header("Authorization", "Bearer " + operator)
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .statusCode();
            assertThat(status).as(origin).isEqualTo(origin.equals(uri.toString()) ? 200 : 403);
        }
    }
}
