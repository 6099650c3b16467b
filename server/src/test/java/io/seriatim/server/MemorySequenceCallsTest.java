package io.seriatim.server;

import static io.seriatim.server.Calls.ok;
import static org.assertj.core.api.Assertions.assertThat;

import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.store.CounterStore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemorySequenceCallsTest extends SequenceCallsContract {

    @Override
    CounterStore emptyStore() {
        return new MemoryCounterStore();
    }

    /** Another server said NOT_FOUND of a sequence that was there: once, and to GET and peek under ordered for ever. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    POST   | /next    | ''             | 200
                    POST   | /blocks  | {"count": 2}   | 200
                    GET    | ''       | ''             | 200
                    GET    | /peek    | ''             | 200
                    PUT    | ''       | {"contract": "CONTRACT"} | 200
                    PATCH  | ''       | {"max": 50}    | 200
                    POST   | /restart | {"value": 9}   | 200
                    DELETE | ''       | ''             | 204
                    """)
    void anyCall_sequenceDroppedAndCreatedAnewElsewhere_isOfTheNewOne(
            String method, String call, String body, int status) {
        MemoryCounterStore store = new MemoryCounterStore();
        try (Calls here = new Calls(store);
                Calls there = new Calls(store)) {
            for (String contract : new String[] {"fast", "ordered"}) {
                String definition = "{\"contract\": \"" + contract + "\"}";
                here.put(contract, definition);
                ok(there.get(contract));
                assertThat(here.delete(contract).status()).isEqualTo(204);
                here.put(contract, definition);
                Reply reply =
                        there.send(method, "/v1/sequences/" + contract + call, body.replace("CONTRACT", contract));
                assertThat(reply.status()).as(reply.body()).isEqualTo(status);
            }
        }
    }
}
