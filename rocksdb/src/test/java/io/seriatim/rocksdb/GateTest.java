package io.seriatim.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.store.StoreException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class GateTest {

    private final Gate gate = new Gate();

    @Test
    void awaitEmpty_shutAndNobodyInside_returns() {
        gate.enter();
        gate.leave();
        gate.shut();
        gate.awaitEmpty();
    }

    @Test
    void shut_twice_isFine() {
        gate.shut();
        gate.shut();
        gate.awaitEmpty();
    }

    @Test
    void enter_shut_unavailable() {
        gate.shut();
        assertThatThrownBy(gate::enter)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNAVAILABLE));
        gate.awaitEmpty();
    }

    /** A call that is refused while another is inside must not look like that other one leaving. */
    @Test
    void awaitEmpty_someoneInside_waitsForThatOneOnly() throws Exception {
        gate.enter();
        gate.shut();
        assertThatThrownBy(gate::enter).isInstanceOf(StoreException.class);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            Future<Boolean> empty = executor.submit(() -> {
                Thread.currentThread().interrupt(); // must not let it go early
                gate.awaitEmpty();
                return Thread.interrupted();
            });
            assertThat(empty.isDone()).isFalse();
            gate.leave();
            assertThat(empty.get(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            executor.shutdownNow();
        }
    }

    /** What the gate is for: behind awaitEmpty nobody is inside, whatever the threads do. */
    @Test
    void awaitEmpty_threadsComeAndGo_nobodyIsInsideAfterwards() throws Exception {
        for (int round = 0; round < 100; round++) {
            Gate busy = new Gate();
            AtomicInteger inside = new AtomicInteger();
            CountDownLatch begun = new CountDownLatch(3);
            ExecutorService executor = Executors.newFixedThreadPool(3);
            try {
                for (int thread = 0; thread < 3; thread++) {
                    executor.execute(() -> {
                        begun.countDown();
                        while (true) {
                            try {
                                busy.enter();
                            } catch (StoreException e) {
                                return;
                            }
                            inside.incrementAndGet();
                            inside.decrementAndGet();
                            busy.leave();
                        }
                    });
                }
                begun.await();
                busy.shut();
                busy.awaitEmpty();
                assertThat(inside).hasValue(0);
            } finally {
                executor.shutdown();
                assertThat(executor.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            }
        }
    }
}
