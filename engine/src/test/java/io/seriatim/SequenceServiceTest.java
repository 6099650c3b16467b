package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.seriatim.memory.MemoryCounterStore;
import io.seriatim.numbering.FormatDefinition;
import io.seriatim.numbering.Reset;
import io.seriatim.numbering.SequenceService;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Numbers by key, defined at first use, whatever the case of letters. */
final class SequenceServiceTest {

    private static final SequenceDefinition VALUES =
            SequenceDefinition.ascending().contract(Contract.FAST).cache(100).start(0);

    private static SequenceService service(Sequences sequences) {
        return SequenceService.on(sequences, VALUES, SequenceServiceTest::format);
    }

    private static FormatDefinition format(String key) {
        return FormatDefinition.of(key.toUpperCase(Locale.ROOT) + "-{seq:5}");
    }

    @Test
    void getNext_unknownKey_isDefinedAndGoesOn() {
        try (Sequences sequences = Sequences.on(new MemoryCounterStore())) {
            SequenceService service = service(sequences);
            assertThat(service.getNext("Order")).isEqualTo("ORDER-00000");
            assertThat(service.getNext("Order")).isEqualTo("ORDER-00001");
            assertThat(service.getNext("Shipment")).isEqualTo("SHIPMENT-00000");
        }
    }

    @Test
    void getNext_anySpelling_isOneSequence() {
        try (Sequences sequences = Sequences.on(new MemoryCounterStore())) {
            sequences.define("orders", SequenceDefinition.ascending()); // begins with the key, and is another one
            SequenceService service = service(sequences);
            assertThat(service.getNext("Order")).isEqualTo("ORDER-00000");
            assertThat(service.getNext("ORDER")).isEqualTo("ORDER-00001");
            assertThat(service.getNext("order")).isEqualTo("ORDER-00002");
            assertThat(service(sequences).getNext("oRDER")).isEqualTo("ORDER-00003");
            assertThat(sequences.list("", "", 9))
                    .extracting(SequenceState::name)
                    .containsExactly("Order", "orders");
        }
    }

    @Test
    void getNext_afterADropUnderAnotherSpelling_definesAnew() {
        try (Sequences sequences = Sequences.on(new MemoryCounterStore())) {
            SequenceService service = service(sequences);
            service.getNext("Order");
            assertThat(service.getNext("order")).isEqualTo("ORDER-00001");
            sequences.get("Order").drop();
            assertThat(service.getNext("order")).isEqualTo("ORDER-00000");
        }
    }

    @Test
    void getNext_whatCannotPrint_isRefused() {
        try (Sequences sequences = Sequences.on(new MemoryCounterStore())) {
            sequences.define("plain", SequenceDefinition.ascending());
            SequenceService service = service(sequences);
            assertThatIllegalStateException().isThrownBy(() -> service.getNext("Plain"));
            assertThatExceptionOfType(BadDefinitionException.class).isThrownBy(() -> service.getNext("a b"));
            SequenceService bad = SequenceService.on(sequences, VALUES, FormatDefinition::of);
            assertThatExceptionOfType(BadFormatException.class)
                    .isThrownBy(() -> bad.getNext("Order"))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_COUNTER));
            assertThat(sequences.find("Order")).isEmpty();
        }
    }

    /** The example of docs/numbering.md, and the day after it. */
    @Test
    void getNext_ordersOfVirto_arePrintedSo() {
        TestEnvironment environment = new TestEnvironment();
        environment.pass(Duration.between(Instant.EPOCH, Instant.parse("2013-05-22T10:11:12Z")));
        try (Sequences sequences = Sequences.on(new MemoryCounterStore(), environment, Duration.ofSeconds(5))) {
            SequenceService numbers = SequenceService.on(
                    sequences,
                    VALUES,
                    key -> FormatDefinition.of(key.toUpperCase(Locale.ROOT) + "{date:yyyy-MMdd}-{seq:5}")
                            .reset(Reset.DAILY));
            assertThat(numbers.getNext("Order")).isEqualTo("ORDER2013-0522-00000");
            assertThat(numbers.getNext("order")).isEqualTo("ORDER2013-0522-00001");
            environment.pass(Duration.ofDays(1));
            assertThat(numbers.getNext("Order")).isEqualTo("ORDER2013-0523-00000");
        }
    }

    /** Two services on one store, as two processes are: one of them loses the race for the definition. */
    @Test
    void getNext_firstUseFromManyThreadsInTwoSpellings_givesOneSequence() throws Exception {
        int threads = 8;
        int rounds = 100;
        MemoryCounterStore store = new MemoryCounterStore();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (Sequences one = Sequences.on(store);
                Sequences other = Sequences.on(store)) {
            List<SequenceService> services = List.of(service(one), service(other));
            for (int round = 0; round < rounds; round++) {
                CyclicBarrier start = new CyclicBarrier(threads);
                List<Callable<String>> calls = new ArrayList<>();
                for (int thread = 0; thread < threads; thread++) {
                    String key = (thread % 2 == 0 ? "key" : "KEY") + round;
                    SequenceService service = services.get(thread / 2 % 2);
                    calls.add(() -> {
                        start.await();
                        return service.getNext(key);
                    });
                }
                List<String> numbers = new ArrayList<>();
                for (Future<String> number : pool.invokeAll(calls)) {
                    numbers.add(number.get());
                }
                assertThat(numbers).doesNotHaveDuplicates().allMatch(number -> number.startsWith("KEY"));
            }
            assertThat(one.list("", "", rounds + 1)).hasSize(rounds);
        } finally {
            pool.shutdownNow();
        }
    }
}
