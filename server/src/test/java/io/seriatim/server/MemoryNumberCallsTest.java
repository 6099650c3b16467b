package io.seriatim.server;

import static io.seriatim.server.Calls.ok;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.store.CounterStore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryNumberCallsTest extends NumberCallsContract {

    @Override
    CounterStore emptyStore() {
        return new MemoryCounterStore();
    }

    /**
     * Another server said NOT_FOUND of a sequence that was there, to numbers of a period for ever. Until it has read the
     * notice of the drop, which takes it up to a second, it may go on with the counters of the old one.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    POST | /next               | {"date": "2026-05-05"}                      | 200
                    POST | /reservations       | {"date": "2026-05-05"}                      | 201
                    POST | /import             | {"period": "2026", "runs": [{"first": 7}]}  | 200
                    POST | /restart            | {"period": "2026", "value": 9}              | 200
                    POST | /periods/2026/close | {"reason": "test"}                          | 200
                    GET  | /gaps?period=2026   | ''                                          | 200
                    GET  | /ledger?period=2026 | ''                                          | 200
                    GET  | /verify?period=2026 | ''                                          | 200
                    GET  | /peek?date=2026-05-05 | ''                                        | 200
                    GET  | /periods            | ''                                          | 200
                    """)
    void anyCall_sequenceDroppedAndCreatedAnewElsewhere_isOfTheNewOne(
            String method, String call, String body, int status) {
        MemoryCounterStore store = new MemoryCounterStore();
        String definition =
                "{\"contract\": \"gapless\", \"format\": {\"template\": \"{year}-{seq}\", \"reset\": \"yearly\"}}";
        String path = "/v1/sequences/invoices";
        String draw = "{\"date\": \"2026-05-05\"}";
        try (Calls here = new Calls(store);
                Calls there = new Calls(store)) {
            here.put("invoices", definition);
            assertThat(ok(there.send("POST", path + "/next", draw)).toString()).contains("2026-1");
            assertThat(here.delete("invoices").status()).isEqualTo(204);
            here.put("invoices", definition);
            Reply reply = there.send(method, path + call, body);
            long deadline = System.nanoTime() + SECONDS.toNanos(20);
            while (goesOnWithTheOld(reply) && System.nanoTime() < deadline) {
                reply = there.send(method, path + call, body);
            }
            assertThat(reply.status()).as(reply.body()).isEqualTo(status);
            assertThat(goesOnWithTheOld(reply)).as(reply.body()).isFalse();
        }
    }

    /** Under ordered and gapless another server went on printing by the template that it had opened the period with. */
    @ParameterizedTest
    @ValueSource(strings = {"fast", "ordered", "gapless"})
    void next_templateChangedElsewhere_isPrintedByTheNewOne(String contract) {
        MemoryCounterStore store = new MemoryCounterStore();
        String path = "/v1/sequences/invoices";
        String draw = "{\"date\": \"2026-05-05\"}";
        try (Calls here = new Calls(store);
                Calls there = new Calls(store)) {
            here.put("invoices", """
                    {"contract": "%s", "format": {"template": "{year}-{seq}", "reset": "yearly"}}""".formatted(contract));
            ok(there.send("POST", path + "/next", draw));
            ok(here.send("PATCH", path, "{\"format\": {\"template\": \"{year}/{seq}\", \"reset\": \"yearly\"}}"));
            long deadline = System.nanoTime() + SECONDS.toNanos(20);
            String drawn;
            do {
                drawn = ok(there.send("POST", path + "/next", draw)).toString();
            } while (drawn.contains("2026-") && System.nanoTime() < deadline);
            assertThat(drawn).contains("2026/");
        }
    }

    private static boolean goesOnWithTheOld(Reply drawn) {
        return drawn.code().equals("TOO_MANY")
                || drawn.body().contains("\"text\":\"2026-") && !drawn.body().contains("\"2026-1\"");
    }

    /** It failed unexpectedly, and its missing period was said to be a date out of range. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {}                                          | for sequences with a format
                    {"format": {"template": "{year}-{seq}", "reset": "yearly"}} | period is required
                    """)
    void import_intoNoCounter_isABadRequest(String definition, String detail) {
        try (Calls calls = new Calls(new MemoryCounterStore())) {
            calls.put("a", definition);
            Reply reply = calls.send("POST", "/v1/sequences/a/import", "{\"runs\": [{\"first\": 1}]}");
            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.code()).isEqualTo("BAD_REQUEST");
            assertThat(reply.body()).contains(detail);
        }
    }
}
