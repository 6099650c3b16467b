package io.seriatim.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.Sequences;
import io.seriatim.store.StoreException;
import io.seriatim.store.StoreException.Kind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What Prometheus sees of a server. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MetricsTest {

    private static final String NEXT = "method=\"POST\",route=\"/v1/sequences/{name}/next\"";

    private final TroubledStore store = new TroubledStore();
    private final Sequences sequences = Sequences.on(store, Duration.ofSeconds(5));
    private final HttpClient client = HttpClient.newHttpClient();

    @SuppressWarnings("NullAway.Init")
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        Limits limits = new Limits(
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                1,
                0,
                Duration.ofSeconds(5),
                100);
        server = HttpServer.start(
                new Api(sequences, NewSequence.usual()),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                limits);
    }

    @AfterEach
    void stop() {
        store.release();
        server.close();
        sequences.close();
    }

    private CompletableFuture<HttpResponse<String>> begin(String method, String path, String body) {
        return client.sendAsync(
                HttpRequest.newBuilder(server.uri().resolve(path))
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private int send(String method, String path, String body) {
        return begin(method, path, body).join().statusCode();
    }

    /** Every sample by its name and labels, after the form of each line was checked. */
    private Map<String, Double> scrape() {
        HttpResponse<String> response = begin("GET", "/metrics", "").join();
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).hasValue(Metrics.CONTENT_TYPE);
        Map<String, Double> samples = new TreeMap<>();
        for (String line : response.body().split("\n")) {
            if (line.startsWith("#")) {
                assertThat(line).matches("# (HELP|TYPE) [a-z0-9_]+ .+");
            } else {
                assertThat(line).matches("[a-z0-9_]+(\\{.*})? \\S+");
                int end = line.lastIndexOf(' ');
                samples.put(line.substring(0, end), Double.valueOf(line.substring(end + 1)));
            }
        }
        return samples;
    }

    @Test
    void scrape_afterSomeCalls_tellsOfEach() {
        assertThat(send("PUT", "/v1/sequences/a", "{\"cache\": 10}")).isEqualTo(201);
        assertThat(send("POST", "/v1/sequences/a/next", "")).isEqualTo(200);
        assertThat(send("POST", "/v1/sequences/a/next", "{\"count\": 4}")).isEqualTo(200);
        assertThat(send("POST", "/v1/sequences/missing/next", "")).isEqualTo(404);
        assertThat(send("POST", "/v1/sequences/a/next", "{\"count\": 0}")).isEqualTo(400);

        Map<String, Double> samples = scrape();

        assertThat(samples)
                .containsEntry("seriatim_calls_total{code=\"\"," + NEXT + ",status=\"200\"}", 2.0)
                .containsEntry("seriatim_calls_total{code=\"NOT_FOUND\"," + NEXT + ",status=\"404\"}", 1.0)
                .containsEntry("seriatim_call_duration_seconds_count{" + NEXT + "}", 4.0)
                .containsEntry("seriatim_call_duration_seconds_bucket{" + NEXT + ",le=\"+Inf\"}", 4.0)
                .containsEntry("seriatim_calls_in_flight", 1.0)
                .containsEntry("seriatim_calls_busy_total", 0.0)
                .containsEntry("seriatim_values_issued_total", 5.0)
                .containsEntry("seriatim_values_skipped_total", 0.0)
                .containsEntry("seriatim_sequences_open", 1.0)
                .containsEntry("seriatim_store_up", 1.0)
                .containsEntry("seriatim_store_failures_total", 0.0)
                .containsKey("jvm_threads_live_threads")
                .containsKey("process_uptime_seconds")
                .containsKey("process_files_open_files");
        assertThat(samples.get("seriatim_store_writes_total")).isGreaterThanOrEqualTo(2);
        assertThat(samples.get("seriatim_store_reads_total")).isGreaterThanOrEqualTo(1);
    }

    /** A million counters are one time series, of the one with fewest values left. */
    @Test
    void scrape_fewValuesLeft_oneSampleASequenceAndNotTooMany() {
        String definition = """
                {"max": 9, "warnAt": 5, "format": {"template": "{scope:s}-{seq}", "scopes": [{"name": "s", "max": 9}]}}""";
        assertThat(send("PUT", "/v1/sequences/byScope", definition)).isEqualTo(201);
        for (int i = 0; i < 20; i++) {
            assertThat(send(
                            "POST",
                            "/v1/sequences/byScope/next",
                            "{\"count\": " + (4 + i % 5) + ", \"scope\": {\"s\": \"c" + i + "\"}}"))
                    .isEqualTo(200);
        }
        for (int i = 0; i < Warnings.MOST + 20; i++) {
            assertThat(send("PUT", "/v1/sequences/s" + i, "{\"max\": 100, \"warnAt\": 100}"))
                    .isEqualTo(201);
        }
        assertThat(send("PUT", "/v1/sequences/quiet", "{\"max\": 100}")).isEqualTo(201);

        Map<String, Double> samples = scrape();

        assertThat(samples)
                .containsEntry("seriatim_sequence_remaining{sequence=\"byScope\"}", 1.0)
                .containsEntry("seriatim_sequences_warned", Warnings.MOST + 21.0)
                .doesNotContainKey("seriatim_sequence_remaining{sequence=\"quiet\"}");
        assertThat(samples.keySet().stream().filter(name -> name.startsWith("seriatim_sequence_remaining")))
                .hasSize(Warnings.MOST);
    }

    @Test
    void scrape_sequenceThatIsWarnedOfNoMore_isGone() {
        assertThat(send("PUT", "/v1/sequences/a", "{\"max\": 2, \"warnAt\": 5}"))
                .isEqualTo(201);
        assertThat(send("POST", "/v1/sequences/a/next", "{\"count\": 2}")).isEqualTo(200);
        assertThat(scrape())
                .containsEntry("seriatim_sequence_remaining{sequence=\"a\"}", 0.0)
                .containsEntry("seriatim_sequence_days_left{sequence=\"a\"}", 0.0);
        assertThat(send("PATCH", "/v1/sequences/a", "{\"max\": 200}")).isEqualTo(200);
        while (scrape().getOrDefault("seriatim_sequences_warned", 0.0) > 0) { // a look is good for a second
            Thread.onSpinWait();
        }
        assertThat(scrape())
                .doesNotContainKey("seriatim_sequence_remaining{sequence=\"a\"}")
                .doesNotContainKey("seriatim_sequence_days_left{sequence=\"a\"}");
    }

    /** Who may choose a label may fill the memory of everyone who counts. */
    @Test
    void labels_whateverCallersSend_areOfAClosedSet() {
        scrape();
        for (int i = 0; i < 50; i++) {
            send("POST", "/v1/sequences/name" + i + "/next", "");
            send("GET", "/nothing/" + i, "");
            send("METHOD" + i, "/v1/sequences", "");
            send("GET", "/v1/sequences/%ff" + i, "");
        }
        assertThat(scrape().keySet().stream().filter(name -> name.startsWith("seriatim_calls_total")))
                .containsExactlyInAnyOrder(
                        "seriatim_calls_total{code=\"\",method=\"GET\",route=\"/metrics\",status=\"200\"}",
                        "seriatim_calls_total{code=\"NOT_FOUND\"," + NEXT + ",status=\"404\"}",
                        "seriatim_calls_total{code=\"NOT_FOUND\",method=\"other\",route=\"other\",status=\"404\"}",
                        "seriatim_calls_total{code=\"BAD_REQUEST\",method=\"other\",route=\"other\",status=\"405\"}",
                        "seriatim_calls_total{code=\"BAD_REQUEST\",method=\"other\",route=\"other\",status=\"400\"}");
    }

    @Test
    void scrape_whileTheStoreHangs_isAnsweredAndTellsWhatWaits() {
        store.hold();
        CompletableFuture<HttpResponse<String>> waiting = begin("GET", "/v1/sequences/a", "");
        while (!store.isAsked()) {
            Thread.onSpinWait();
        }
        assertThat(send("GET", "/v1/sequences/b", "")).isEqualTo(503);

        Map<String, Double> samples = scrape();

        assertThat(samples)
                .containsEntry("seriatim_calls_in_flight", 2.0)
                .containsEntry("seriatim_calls_busy_total", 1.0)
                .containsEntry(
                        "seriatim_calls_total{code=\"BUSY\",method=\"GET\",route=\"/v1/sequences/{name}\",status=\"503\"}",
                        1.0);
        store.release();
        assertThat(waiting.join().statusCode()).isEqualTo(404);
    }

    @Test
    void scrape_afterTheStoreHasStopped_saysSo() {
        store.fail(new StoreException(Kind.FAILED, "disk"));
        assertThat(send("PUT", "/v1/sequences/a", "{}")).isEqualTo(503);
        assertThat(scrape()).containsEntry("seriatim_store_up", 0.0);
    }
}
