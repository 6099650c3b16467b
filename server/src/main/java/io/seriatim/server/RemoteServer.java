package io.seriatim.server;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Answers calls by asking a server. */
final class RemoteServer implements Target {

    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** Longer than a server waits for its store. */
    private static final Duration ANSWER = Duration.ofSeconds(30);

    /** What a proxy says when the server behind it does not answer. */
    private static final List<Integer> BETWEEN = List.of(502, 503, 504);

    private final String server;
    private final Optional<String> token;
    private final HttpClient client;

    /**
     * @param server {@code http://host:port}, perhaps with a path before ours
     * @param trust what a server's certificate has to rest on; empty: on what this machine trusts
     */
    RemoteServer(URI server, Optional<String> token, Optional<SSLContext> trust) {
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
        trust.ifPresent(builder::sslContext);
        this.client = builder.build();
        this.token = token;
        String text = server.toString();
        this.server = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    @Override
    public Reply send(Call call) {
        String query = call.query().isEmpty() ? "" : "?" + call.query();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + call.path() + query))
                .timeout(ANSWER)
                .method(call.method(), HttpRequest.BodyPublishers.ofString(call.body()));
        call.headers().forEach(request::header);
        token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
        try {
            HttpResponse<String> response =
                    client.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            return reply(response);
        } catch (ConnectException | HttpConnectTimeoutException e) {
            throw new Refusal(Problem.unavailable("no server answers at " + server));
        } catch (SSLHandshakeException e) { // nothing was sent
            throw new Refusal(
                    isOfCertificate(e)
                            ? Problem.badRequest("the server at " + server + " does not show a certificate for this"
                                    + " name that is trusted here; --ca names one to trust")
                            : Problem.unavailable("no TLS could be agreed on with the server at " + server));
        } catch (IOException e) {
            throw unanswered();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unanswered();
        }
    }

    @Override
    public Session session() {
        return new Session() {
            @Override
            public Reply send(Call call) {
                return RemoteServer.this.send(call);
            }

            @Override
            public void close() {} // connections end with the process
        };
    }

    private static boolean isOfCertificate(Throwable error) {
        for (@Nullable Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }

    private Reply reply(HttpResponse<String> response) {
        String type = response.headers().firstValue("Content-Type").orElse("");
        boolean isOurs = type.equals(Problem.CONTENT_TYPE)
                || response.statusCode() < 300
                        && List.of("", Reply.JSON, Reply.TEXT, Reply.CSV).contains(type);
        if (!isOurs && BETWEEN.contains(response.statusCode())) {
            throw unanswered();
        }
        if (!isOurs) {
            throw new Refusal(
                    Problem.badRequest(server + " does not answer as Seriatim does: status=" + response.statusCode()));
        }
        return response.statusCode() < 300
                ? Reply.success(response.statusCode(), type, Map.of(), response.body())
                : Reply.problem(response.statusCode(), code(response.body()), Map.of(), response.body());
    }

    private static String code(String problem) {
        return JsonMapper.shared().readTree(problem).path("code").asString();
    }

    private Refusal unanswered() {
        return new Refusal(Problem.outcomeUnknown(
                "the server at " + server + " has not answered; whether it carried out the call is not known"));
    }
}
