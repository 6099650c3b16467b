package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.seriatim.memory.MemoryCounterStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers who are interrupted in the very moment in which what they wait for comes. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class InterruptedCallerTest {

    /*
     * The lock of the supply makes the moment: with it in hand the test interrupts a caller, sees it stand before the
     * lock, and lets happen what the caller has waited for.
     */

    private final TestEnvironment environment = new TestEnvironment();
    private final ScriptedStore store = new ScriptedStore(new MemoryCounterStore());
    private final Sequences sequences = Sequences.on(new KeptOpen(store), environment, Duration.ofSeconds(30));

    @AfterEach
    void close() {
        environment.release();
        sequences.close();
    }

    /** A call in a thread of its own. */
    private static final class Caller<T> {
        final CompletableFuture<T> answer = new CompletableFuture<>();
        private volatile boolean stillInterrupted;
        final Thread thread;

        Caller(Supplier<T> call) {
            thread = new Thread(() -> {
                try {
                    T value = call.get();
                    stillInterrupted = Thread.currentThread().isInterrupted();
                    answer.complete(value);
                } catch (RuntimeException e) {
                    stillInterrupted = Thread.currentThread().isInterrupted();
                    answer.completeExceptionally(e);
                }
            });
            thread.start();
        }
    }

    private void interruptWhile(Supply supply, Caller<?> caller) {
        supply.inLock(() -> {
            caller.thread.interrupt();
            while (!supply.lock.hasQueuedThread(caller.thread)) {
                Thread.onSpinWait();
            }
            environment.release();
        });
    }

    private void awaitHeld(int count) {
        while (environment.heldCount() < count) {
            Thread.onSpinWait();
        }
    }

    /** The change was made and its caller told BUSY or OUTCOME_UNKNOWN. */
    @Test
    void alter_interruptedInTheMomentOfItsAnswer_getsIt() throws Exception {
        Sequence s = sequences.define("s", SequenceDefinition.ascending().cache(10));
        assertThat(s.next()).isEqualTo(1);
        environment.hold();
        Caller<SequenceState> altering =
                new Caller<>(() -> s.alter(SequenceDefinition.changes().max(100)));
        awaitHeld(1);
        interruptWhile(s.supply(), altering);
        assertThat(altering.answer.get().generation()).isEqualTo(2);
        assertThat(altering.stillInterrupted).isTrue();
        assertThat(s.next()).isEqualTo(2);
    }

    /** Values were drawn for a caller who was told that there were none: they were lost. */
    @Test
    void draw_interruptedInTheMomentOfItsAnswer_getsIt() throws Exception {
        Sequence s = sequences.define("s", SequenceDefinition.ascending().cache(10));
        assertThat(s.next()).isEqualTo(1);
        environment.hold();
        Caller<Draw> drawing = new Caller<>(() -> s.draw(25));
        awaitHeld(1);
        interruptWhile(s.supply(), drawing);
        assertThat(drawing.answer.get().count()).isEqualTo(25);
        assertThat(drawing.stillInterrupted).isTrue();
        assertThat(s.next()).isEqualTo(27);
    }

    /** No write was begun for those who waited, because a change wanted its turn; then it was gone, and nobody began one. */
    @Test
    void alter_interruptedBeforeItsTurn_leavesNoQueueStanding() throws Exception {
        Sequence s = sequences.define("s", SequenceDefinition.ascending().contract(Contract.ORDERED));
        Supply supply = s.supply();
        environment.hold();
        Caller<Long> waiting = new Caller<>(s::next);
        awaitHeld(1);
        Caller<SequenceState> altering =
                new Caller<>(() -> s.alter(SequenceDefinition.changes().max(100)));
        while (!supply.locked(supply::isTurnWanted)) {
            Thread.onSpinWait();
        }
        interruptWhile(supply, altering);
        assertThat(waiting.answer.get()).isEqualTo(1);
        assertThatThrownBy(altering.answer::get)
                .cause()
                .isInstanceOfSatisfying(
                        SequenceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BUSY));
        assertThat(altering.stillInterrupted).isTrue();
        assertThat(s.state().generation()).isEqualTo(1);
    }

    /** Between reading the rows and putting the sequence among the open ones all of them were closed. */
    @Test
    void get_closedWhileTheRowsAreRead_opensNothing() {
        sequences.define("s", SequenceDefinition.ascending().cache(10));
        Sequences others = Sequences.on(new KeptOpen(store), environment, Duration.ofSeconds(30));
        store.aroundNextCounterRead(others::close, () -> {});
        assertThatThrownBy(() -> others.get("s"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(others.statistics().openSequences()).isZero();
    }
}
