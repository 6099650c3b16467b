package io.seriatim.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.postgresql.PostgresSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Two servers on one database, both with a block in memory; one of them is asked for what could repeat values. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class RecallIT {

    private static final String BACK = "{\"value\": 1, \"fresh\": true, \"allowReuse\": true, \"reason\": \"test\"}";

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    private PostgresSettings database;

    @BeforeEach
    void makeDatabase() throws SQLException {
        database = PostgresServer.shared().newDatabase();
    }

    private ServerProcess launch(String name) throws Exception {
        return ServerProcess.launch(ServerJar.path(), database, folder.resolve(name + ".txt"));
    }

    private HttpResponse<String> send(String method, URI server, String path, String body)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(server.resolve(path))
                        .header("Accept", "text/plain")
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** On a busy machine the other server may not come to its look in time; to try again is what BUSY asks for. */
    private HttpResponse<String> unlessBusy(String method, URI server, String path, String body)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = send(method, server, path, body);
        while (answer.statusCode() == 503 && answer.body().contains("\"BUSY\"")) {
            answer = send(method, server, path, body);
        }
        return answer;
    }

    private long next(URI server) throws IOException, InterruptedException {
        HttpResponse<String> answer = send("POST", server, "/v1/sequences/s/next", "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Long.parseLong(answer.body().strip());
    }

    @Test
    void bothServersAlive_restartBackAndDropGoThroughAndNothingOldComesOut() throws Exception {
        try (ServerProcess one = launch("one");
                ServerProcess two = launch("two")) {
            URI first = one.awaitListening();
            URI second = two.awaitListening();
            send("PUT", first, "/v1/sequences/s", "{\"cache\": 1000}");
            assertThat(next(first)).isEqualTo(1);
            assertThat(next(second)).isEqualTo(1001);

            HttpResponse<String> back = unlessBusy("POST", first, "/v1/sequences/s/restart", BACK);
            assertThat(back.statusCode()).as(back.body()).isEqualTo(200);
            assertThat(next(first)).isEqualTo(1);
            assertThat(next(second)).as("not 1002, of the generation before").isEqualTo(1001);
            assertThat(next(second)).isEqualTo(1002);

            HttpResponse<String> drop = unlessBusy("DELETE", second, "/v1/sequences/s", "");
            assertThat(drop.statusCode()).as(drop.body()).isEqualTo(204);
            assertThat(send("POST", first, "/v1/sequences/s/next", "").statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void otherServerKilled_dropIsBusyUntilItIsDeclaredGone() throws Exception {
        try (ServerProcess one = launch("one");
                ServerProcess two = launch("two")) {
            URI first = one.awaitListening();
            URI second = two.awaitListening();
            send("PUT", first, "/v1/sequences/s", "{\"cache\": 1000}");
            next(second);
            two.kill();
            HttpResponse<String> busy = send("DELETE", first, "/v1/sequences/s", "");
            assertThat(busy.statusCode()).isEqualTo(503);
            assertThat(next(first)).as("the drop was given up").isEqualTo(1001);
            String node = busy.body().replaceAll("(?s).*gone: ([0-9a-f]{16}) .*", "$1");
            String gone = "{\"node\": \"" + node + "\", \"reason\": \"killed by the test\"}";
            assertThat(send("POST", first, "/v1/sequences/s/gone", gone).statusCode())
                    .isEqualTo(200);
            assertThat(send("DELETE", first, "/v1/sequences/s", "").statusCode())
                    .isEqualTo(204);
        }
    }
}
